-- Adds a suppression, or updates the suppression with the same pattern.
SELECT a.number, a.is_new::int
FROM profdepot.suppression_add(:name::text, :syntax::text, :pattern::text, :reason::text, :author::text, :expires::date) a
