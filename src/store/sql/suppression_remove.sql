DELETE FROM profdepot.suppressions s WHERE s.id = ANY ($1::bigint[]) RETURNING s.id
