-- title: Import issues
-- params: inst_id
-- order: number
-- column: number integer "#"
-- column: severity text "Severity"
-- column: code text "Code"
-- column: occurrences integer count "Occurrences" sum
-- column: source text "Source"
-- column: line integer "Line"
-- column: byte_offset integer "Byte"
-- column: message text "Message"
-- column: rejected text "Rejected" machine
-- The rows that the load left out or changed, and its warnings. Rejected shows the input; non-ASCII bytes are
-- written as \nnn, a backslash as \\.
SELECT i.issue_no AS number, i.severity, i.code, i.occurrences, i.source, i.line, i.byte_offset,
       i.message, encode(i.rejected, 'escape') AS rejected
FROM profdepot.import_issues i
WHERE i.inst_id = :inst_id::bigint
