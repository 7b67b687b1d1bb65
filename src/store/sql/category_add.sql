-- Declares a category: its columns, their types and their display names.
SELECT profdepot.category_add(:name, :columns::text[], :types::text[], :titles::text[])
