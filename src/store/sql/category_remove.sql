-- Deletes a category from the catalogue.
SELECT profdepot.category_remove(:name)
