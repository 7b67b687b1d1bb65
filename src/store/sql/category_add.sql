-- Declares a category: its columns, their types and their names for people.
SELECT profdepot.category_add(:name, :columns::text[], :types::text[], :titles::text[])
