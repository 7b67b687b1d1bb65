-- Whether each frame belongs to the system, and whether it belongs to an allocator, in the order of
-- `names`: a JSON array of arrays [module, class, routine, source file].
SELECT profdepot.is_system_frame(f.names ->> 0, f.names ->> 1, f.names ->> 2, f.names ->> 3),
       profdepot.is_allocator_frame(f.names ->> 2)
FROM json_array_elements(:names::json) WITH ORDINALITY f (names, number)
ORDER BY f.number
