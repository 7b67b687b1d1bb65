-- The normal form of a routine's name, from which finding identities are computed. The loader has the same rule
-- in src/model/frame_name.c. This is version 2 of the rule, which must not change.

-- Removes the module, suffixes and surplus blanks from a name.
CREATE FUNCTION profdepot.trimmed_frame_name(p_name text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    n text COLLATE "C" := btrim(regexp_replace(COALESCE(p_name, '') COLLATE "C", '[ \t\n\r]+', ' ', 'g'), ' ');
    cut text COLLATE "C";
BEGIN
    IF n ~ '^(\?\?|<unknown>|\(unknown\)|0x[0-9a-fA-F]+)?$' THEN
        RETURN '';
    END IF;
    n := regexp_replace(n, '^(?!operator)[A-Za-z0-9_.-]+!(?=[A-Za-z_@~])', '');
    LOOP
        cut := regexp_replace(n, '( ?\[clone [^][]{0,243}\]| \[0x[0-9a-fA-F]{1,246}\]| ?\(\.[A-Za-z0-9_.]{1,247}\)| \(in [^()]{0,246}\)'
            || '|@plt|[.](part|isra|constprop|lto_priv|llvm|cold|hot|unlikely|localalias)([.][0-9]{1,29})?'
            || '|\+0x[0-9a-fA-F]{1,16}|\+[0-9]{1,18}|@@?[A-Z][A-Z0-9]{0,30}_[0-9][0-9.]{0,20}|::h[0-9a-f]{16})$', '');
        EXIT WHEN cut = n OR cut = '';
        n := cut;
    END LOOP;
    n := regexp_replace(n, '\[abi:[A-Za-z0-9_]+\]', '', 'g');
    RETURN regexp_replace(n, '^[_@]([A-Za-z_][A-Za-z0-9_]*)@[0-9]+$', '\1');
END;
$$;
COMMENT ON FUNCTION profdepot.trimmed_frame_name(text) IS 'a name without its module, offset, symbol version and clone suffix; empty for a placeholder such as ??';

CREATE FUNCTION profdepot.undecorated_frame_name(p_name text, p_unit_known boolean) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    n text COLLATE "C" := regexp_replace(p_name COLLATE "C", '^((?:[^%$]|%[^%]*%|\$(?![xw]*q))+)\$[xw]*q.*$', '\1');
    codes text[] := '{ctr,dtr,add,sub,mul,div,mod,asg,eql,neq,lss,gtr,leq,geq,and,or,xor,land,lor,not,cmp,lsh,rsh,inc,dec,new,nwa,dele,dla,call,subs,arow}';
    names text[] := '{Create,Destroy,operator+,operator-,operator*,operator/,operator%,operator=,operator==,operator!=,operator<,operator>,operator<=,operator>=,operator&,operator|,operator^,operator&&,operator||,operator!,operator~,operator<<,operator>>,operator++,operator--,operator new,operator new[],operator delete,operator delete[],operator(),operator[],operator->}';
    code text COLLATE "C";
BEGIN
    IF n LIKE '@_%' AND (NOT p_unit_known OR position('@' IN substr(n, 2)) > 0) THEN
        n := substr(n, 2);
    END IF;
    code := substring(n, '(?:^|[@.])\$b([A-Za-z]*)$');
    IF code IS NOT NULL THEN
        n := left(n, -(length(code) + 2));
        code := COALESCE(names[array_position(codes, code)], '$b' || code);
    END IF;
    n := regexp_replace(n, '([A-Za-z0-9_%])@', '\1.', 'g');
    n := regexp_replace(n, '%([^%$]*)%', '\1', 'g');
    n := regexp_replace(n, '%([^%$]*)\$([^%]*)%', '\1<\2>', 'g');
    RETURN n || COALESCE(code, '');
END;
$$;
COMMENT ON FUNCTION profdepot.undecorated_frame_name(text, boolean) IS 'a name decorated by a Borland compiler, without decoration and parameters';

-- Demanglers spell C++ names differently. This function converts a name to one common spelling.
CREATE FUNCTION profdepot.spelled_frame_name(p_name text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    n text COLLATE "C" := p_name;
    m text[];
    depth integer := 0;
    start integer := 1;
    c text COLLATE "C";
BEGIN
    n := regexp_replace(n, '\(anonymous( namespace)?\)|`anonymous namespace''', '{anonymous}', 'g');
    n := regexp_replace(n, 'std::(__cxx11|__1|__ndk1)::', 'std::', 'g');
    n := regexp_replace(n, ' __ptr64(?![A-Za-z0-9_])', '', 'g');
    n := regexp_replace(n, '(?<![A-Za-z0-9_])(class|struct|enum|union) ', '', 'g');
    n := regexp_replace(n, '(?<![A-Za-z0-9_])__int64(?![A-Za-z0-9_])', 'long long', 'g');
    n := regexp_replace(n, '\{lambda\((?:[^{}]|\{[^{}]*\}){0,240}\)#([0-9]{1,6})\}', '{lambda#\1}', 'g');
    LOOP
        m := regexp_match(n, '^(.*?)''lambda([0-9]{0,6})''(?:\([^(){}'']{0,240}\))?(.*)$');
        EXIT WHEN m IS NULL;
        n := m[1] || '{lambda#' || COALESCE(NULLIF(m[2], '')::integer + 2, 1) || '}' || m[3];
    END LOOP;
    LOOP
        m := regexp_match(n, '^(.*?)(?<![A-Za-z0-9_])\$_([0-9]{1,6})(?![A-Za-z0-9_])(.*)$');
        EXIT WHEN m IS NULL;
        n := m[1] || '{lambda#' || m[2]::integer + 1 || '}' || m[3];
    END LOOP;
    -- The return type of a template function ends at the last blank outside of brackets.
    IF n ~ ' .*(\(|operator)' THEN
        FOR i IN 1 .. length(n) LOOP
            c := substr(n, i, 1);
            IF depth = 0 AND (c = '(' OR (c = 'o' AND substr(n, i, 8) = 'operator'
                AND (i = 1 OR substr(n, i - 1, 1) !~ '[A-Za-z0-9_]'))) THEN
                n := substr(n, start);
                EXIT;
            ELSIF depth = 0 AND c = ' ' AND substr(n, i + 1, 1) <> '(' THEN
                start := i + 1;
            ELSIF c IN ('<', '{', '[', '(') THEN
                depth := depth + 1;
            ELSIF c IN ('>', '}', ']', ')') AND depth > 0 THEN
                depth := depth - 1;
            END IF;
        END LOOP;
    END IF;
    n := regexp_replace(n, ' (?=[]<>,*&()[])|(?<=[]<>,*&()[]) ', '', 'g');
    n := regexp_replace(n, '(?<=[^A-Za-z0-9_.])([0-9]+)(?:ull|ul|ll|l|u)(?![A-Za-z0-9_])', '\1', 'g');
    n := regexp_replace(n, '(?<=[<,])true(?=[,>])', '1', 'g');
    n := regexp_replace(n, '(?<=[<,])false(?=[,>])', '0', 'g');
    n := replace(n, '(void)', '()');
    RETURN replace(n, 'std::basic_string<char,std::char_traits<char>,std::allocator<char>>', 'std::string');
END;
$$;
COMMENT ON FUNCTION profdepot.spelled_frame_name(text) IS 'a demangled C++ name in one spelling for all demanglers';

CREATE FUNCTION profdepot.normal_frame_part(p_name text, p_unit_known boolean) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    n text COLLATE "C" := profdepot.trimmed_frame_name(p_name);
    plain text COLLATE "C";
    borland boolean;
    method boolean := false;
    unit integer := 0;
BEGIN
    borland := n LIKE '@%' OR n ~ '\$[xw]*qq[rs]'
        OR p_unit_known;
    IF borland AND (n LIKE '@%' OR n ~ '^((?:[^%$]|%[^%]*%|\$(?![xw]*q))+)\$[xw]*q') THEN
        method := n ~ '^((?:[^%$]|%[^%]*%|\$(?![xw]*q))+)\$[xw]+q';
        n := profdepot.undecorated_frame_name(n, p_unit_known);
    ELSE
        borland := false;
    END IF;
    plain := n;
    n := regexp_replace(n, '(?<=[A-Za-z0-9_>])\.(?=[A-Za-z_@])', '::', 'g');
    IF (borland OR n <> plain) AND n !~ '^[TEI][A-Z][A-Za-z0-9_]*(::|<)' THEN
        -- A Pascal unit is the part before the class. A class begins with T, E or I and a capital.
        unit := regexp_instr(n, '(?<=[A-Za-z0-9_:])::[TEI][A-Z][A-Za-z0-9_]*(::|<)');
        IF unit = 0 OR left(n, unit) !~ '^[A-Za-z0-9_:]*$' THEN
            unit := CASE WHEN borland AND NOT method
                THEN length(substring(n, '^((?:[A-Za-z0-9_:]+::)?)')) - 1 ELSE 0 END;
        END IF;
        unit := CASE WHEN unit > 0 THEN unit + 1 ELSE 0 END;
    END IF;
    RETURN lower(left(n, unit)) || profdepot.spelled_frame_name(substr(n, unit + 1));
END;
$$;
COMMENT ON FUNCTION profdepot.normal_frame_part(text, boolean) IS 'the normal form of a class or a routine alone';

CREATE FUNCTION profdepot.normal_frame_name(p_unit text, p_class text, p_routine text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    u text COLLATE "C" := btrim(regexp_replace(COALESCE(p_unit, '') COLLATE "C", '[ \t\n\r]+', ' ', 'g'), ' ');
    k text COLLATE "C";
    n text COLLATE "C";
BEGIN
    u := lower(u);
    IF u ~ '[.](c|cc|cpp|cxx|h|hpp|pas|pp|inc|dpr|obj|o|asm|s|m|mm|f|f90|rs|go)$' THEN
        u := '';
    END IF;
    u := regexp_replace(u, '(?<=[A-Za-z0-9_>])\.(?=[A-Za-z_@])', '::', 'g');
    n := profdepot.normal_frame_part(p_routine, u <> '');
    IF n = '' THEN
        RETURN '';
    END IF;
    IF u <> '' AND lower(left(n, length(u) + 2)) = u || '::' THEN
        n := substr(n, length(u) + 3);
    END IF;
    k := profdepot.normal_frame_part(p_class, false);
    IF k <> '' AND left(n, length(k) + 2) <> k || '::' THEN
        n := k || '::' || n;
    END IF;
    IF u <> '' THEN
        n := u || '::' || n;
    END IF;
    RETURN n;
END;
$$;
COMMENT ON FUNCTION profdepot.normal_frame_name(text, text, text) IS 'unit, class and routine of a frame in the form from which finding identities are computed, see profdepot-schema(5); empty if the routine is unknown';

-- The loader computes the same in src/model/finding.c. The rule against window functions is only
-- for views; all rows here belong to one result set.
CREATE FUNCTION profdepot.stack_owns(p_inst_id bigint)
RETURNS TABLE (stack_id integer, own_place integer, own_identity uuid)
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    WITH routines AS MATERIALIZED (
        SELECT DISTINCT ON (r.rec_id) r.rec_id,
               CASE WHEN profdepot.is_allocator_frame(r.col_routine_name) THEN 2
                    WHEN profdepot.is_system_frame(r.col_module_name, r.col_class_name, r.col_routine_name,
                                                   r.col_source_file, r.col_unit_name) THEN 1
                    ELSE 0 END AS owner,
               NULLIF(profdepot.normal_frame_name(r.col_unit_name, r.col_class_name, r.col_routine_name), '') AS name
        FROM profdepot.resource_profiler_meta_routines r
        WHERE r.inst_id = p_inst_id AND r.rec_id IS NOT NULL
        ORDER BY r.rec_id, r.id
    ),
    frames AS (
        SELECT s.stack_id, f.n::integer AS n, COALESCE(r.owner, 1) AS owner,
               substr(sha256(convert_to(r.name, 'UTF8')), 1, 16) AS hash
        FROM profdepot.stacks s
        CROSS JOIN LATERAL unnest(s.routine_ids) WITH ORDINALITY f (routine_id, n)
        LEFT JOIN routines r ON r.rec_id = f.routine_id
        WHERE s.inst_id = p_inst_id
    ),
    places AS (
        SELECT f.stack_id,
               COALESCE(min(f.n) FILTER (WHERE f.owner = 0), min(f.n) FILTER (WHERE f.owner = 1)) AS place,
               bool_or(f.owner = 0 AND f.hash IS NOT NULL) AS has_own
        FROM frames f
        GROUP BY f.stack_id
    ),
    counted AS (
        SELECT f.stack_id, f.n, COALESCE(f.hash, decode(repeat('00', 16), 'hex')) AS hash
        FROM frames f
        JOIN places p ON p.stack_id = f.stack_id
        WHERE CASE WHEN p.has_own THEN f.owner = 0 ELSE f.owner = 1 AND f.hash IS NOT NULL END
    ),
    steps AS (
        SELECT c.stack_id, c.n, c.hash, lag(c.hash) OVER (PARTITION BY c.stack_id ORDER BY c.n) AS callee
        FROM counted c
    )
    SELECT p.stack_id, p.place, i.identity
    FROM places p
    LEFT JOIN (SELECT t.stack_id,
                      encode(substr(sha256(string_agg(t.hash, ''::bytea ORDER BY t.n)), 1, 16), 'hex')::uuid AS identity
               FROM steps t
               WHERE t.callee IS DISTINCT FROM t.hash
               GROUP BY t.stack_id) i ON i.stack_id = p.stack_id;
END;
$$;
COMMENT ON FUNCTION profdepot.stack_owns(bigint) IS 'own_place and own_identity of each stack of a result set, computed from the names of its frames';
