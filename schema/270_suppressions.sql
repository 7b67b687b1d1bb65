-- The depot's suppressions: configuration, not part of a result set. A distributed depot has a copy
-- on every server.

CREATE TABLE profdepot.suppressions (
    id bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    syntax text COLLATE "C" NOT NULL,
    pattern text COLLATE "C" NOT NULL,
    reason text COLLATE "C",
    author text COLLATE "C",
    created timestamptz NOT NULL DEFAULT now(),
    expires date,
    PRIMARY KEY (id),
    CHECK (syntax IN ('valgrind', 'lsan'))
);
COMMENT ON TABLE profdepot.suppressions IS 'known leaks and errors, which reports omit; see profdepot-suppress(1)';
COMMENT ON COLUMN profdepot.suppressions.id IS 'number of the suppression, from 1';
COMMENT ON COLUMN profdepot.suppressions.name IS 'name of the suppression: the first line in valgrind''s syntax, the whole line in the sanitizers'' syntax';
COMMENT ON COLUMN profdepot.suppressions.syntax IS 'valgrind: { NAME TOOL:KIND FRAMES }; lsan: TYPE:PATTERN, as the sanitizers read it';
COMMENT ON COLUMN profdepot.suppressions.pattern IS 'the suppression as written, without comments';
COMMENT ON COLUMN profdepot.suppressions.reason IS 'reason for the suppression';
COMMENT ON COLUMN profdepot.suppressions.author IS 'author of the suppression';
COMMENT ON COLUMN profdepot.suppressions.created IS 'time when the suppression was added';
COMMENT ON COLUMN profdepot.suppressions.expires IS 'last day (UTC) on which the suppression applies; NULL if it never expires';

-- Each pattern is stored once: adding it again updates its name, reason, author and expiry.
CREATE FUNCTION profdepot.suppression_add(p_name text, p_syntax text, p_pattern text, p_reason text, p_author text, p_expires date)
RETURNS TABLE (number bigint, is_new boolean)
LANGUAGE plpgsql AS $$
BEGIN
    LOCK TABLE profdepot.suppressions IN SHARE ROW EXCLUSIVE MODE;
    PERFORM profdepot.ledger_next('suppression', NULL, NULL, p_name);
    RETURN QUERY
    UPDATE profdepot.suppressions s
    SET name = p_name, reason = COALESCE(p_reason, s.reason), author = p_author, expires = p_expires
    WHERE s.pattern = p_pattern
    RETURNING s.id, false;
    IF FOUND THEN
        RETURN;
    END IF;
    RETURN QUERY
    INSERT INTO profdepot.suppressions AS s (id, name, syntax, pattern, reason, author, expires)
    SELECT 1 + COALESCE(max(o.id), 0), p_name, p_syntax, p_pattern, p_reason, p_author, p_expires
    FROM profdepot.suppressions o
    RETURNING s.id, true;
END;
$$;
COMMENT ON FUNCTION profdepot.suppression_add(text, text, text, text, text, date) IS 'adds a suppression, or updates the suppression with this pattern; returns its number and whether it is new';

CREATE FUNCTION profdepot.suppression_remove(p_ids bigint[]) RETURNS SETOF bigint
LANGUAGE plpgsql AS $$
DECLARE
    r record;
BEGIN
    FOR r IN DELETE FROM profdepot.suppressions s WHERE s.id = ANY (p_ids) RETURNING s.id, s.name LOOP
        PERFORM profdepot.ledger_next('suppression', NULL, NULL, r.name);
        RETURN NEXT r.id;
    END LOOP;
END;
$$;
COMMENT ON FUNCTION profdepot.suppression_remove(bigint[]) IS 'deletes suppressions and returns the numbers of those that existed';
