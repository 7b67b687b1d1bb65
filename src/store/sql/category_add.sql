-- Declares a category. $1 name, $2 columns, $3 their types, $4 their names for people.
SELECT profdepot.category_add($1, $2::text[], $3::text[], $4::text[])
