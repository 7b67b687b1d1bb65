-- The event category catalogue, one row per column.
SELECT c.name, k.name AS column_name, k.type, k.pretty_name, c.built_in::integer
FROM profdepot.categories c
JOIN profdepot.category_columns k ON k.category = c.name
ORDER BY c.name, k.position
