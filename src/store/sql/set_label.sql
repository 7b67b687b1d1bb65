-- Gives a result set a label, or the label another value. $1 number, $2 key, $3 value.
INSERT INTO profdepot.result_set_labels AS l (inst_id, key, value)
VALUES ($1::bigint, $2, $3)
ON CONFLICT (inst_id, key) DO UPDATE SET value = EXCLUDED.value
