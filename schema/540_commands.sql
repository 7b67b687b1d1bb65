-- Converts the commands of calls, such as SQL statements, to a form in which they can be compared.

CREATE FUNCTION profdepot.command_shape(p_command text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    shape text := p_command;
BEGIN
    IF position('&' IN shape) > 0 THEN
        shape := replace(replace(replace(replace(replace(replace(shape, '&lt;', '<'), '&gt;', '>'),
            '&quot;', '"'), '&#34;', '"'), '&#39;', ''''), '&amp;', '&');
    END IF;
    shape := regexp_replace(shape, '\m[NEBXnebx]?''([^'']|'''')*''', '?', 'g');
    shape := regexp_replace(shape, '''([^'']|'''')*''', '?', 'g');
    shape := regexp_replace(shape, '\m0[xX][0-9a-fA-F]+\M', '?', 'g');
    shape := regexp_replace(shape, '\m[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\M', '?', 'g');
    shape := regexp_replace(shape, '\m[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?\M', '?', 'g');
    shape := regexp_replace(shape, '([=<>(,]\s*)-\s*\?', '\1?', 'g');
    shape := btrim(regexp_replace(shape, '\s+', ' ', 'g'));
    shape := regexp_replace(shape, '(\min ?\( ?)[@:$][\w?]+( ?, ?[@:$][\w?]+)*( ?\))', '\1?\3', 'gi');
    shape := regexp_replace(shape, '\(\s*\?(\s*,\s*\?)+\s*\)', '(?)', 'g');
    shape := regexp_replace(shape, '\(\s*\?\s*\)', '(?)', 'g');
    RETURN regexp_replace(shape, '(\(\?\)\s*,\s*)+\(\?\)', '(?)', 'g');
END
$$;
COMMENT ON FUNCTION profdepot.command_shape(text) IS 'a command in which ? replaces each text, number and GUID, one (?) replaces each list of these values and each IN list of parameters, and one blank replaces each run of blanks; the result is equal for calls that differ only in their values';
