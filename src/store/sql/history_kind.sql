-- The kind of a finding in a run that is not folded.
SELECT b.kinds[array_position(b.identities, :identity::uuid)]
FROM profdepot.sighting_blocks b
WHERE b.inst_id = :inst_id::bigint AND :identity::uuid = ANY (b.identities)
