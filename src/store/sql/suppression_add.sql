SELECT a.number, a.is_new::int
FROM profdepot.suppression_add($1::text, $2::text, $3::text, $4::text, $5::text, $6::date) a
