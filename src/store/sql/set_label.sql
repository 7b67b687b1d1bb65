-- Adds or replaces a label of a result set.
INSERT INTO profdepot.result_set_labels AS l (inst_id, key, value)
VALUES (:inst_id::bigint, :key, :value)
ON CONFLICT (inst_id, key) DO UPDATE SET value = EXCLUDED.value
