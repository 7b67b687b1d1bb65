-- Whether a result set has checksums. One row.
SELECT EXISTS (SELECT
               FROM profdepot.result_set_checksums c
               WHERE c.inst_id = :inst_id::bigint)::integer AS present
