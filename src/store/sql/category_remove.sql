-- Takes a category out of the catalogue. $1 name.
SELECT profdepot.category_remove($1)
