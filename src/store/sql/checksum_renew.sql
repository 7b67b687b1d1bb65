-- Replaces a relation's checksum, if the result set has checksums. `checksum`: NULL if the relation has no rows.
WITH removed AS (
    DELETE FROM profdepot.result_set_checksums c
    WHERE c.inst_id = :inst_id::bigint AND c.relation = :relation AND :checksum::uuid IS NULL)
INSERT INTO profdepot.result_set_checksums AS c (inst_id, relation, checksum)
SELECT :inst_id::bigint, :relation, :checksum::uuid
WHERE :checksum::uuid IS NOT NULL
  AND EXISTS (SELECT FROM profdepot.result_set_checksums o WHERE o.inst_id = :inst_id::bigint)
ON CONFLICT (inst_id, relation) DO UPDATE SET checksum = EXCLUDED.checksum
