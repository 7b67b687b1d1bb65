-- The indexes that the reports need on the plain tables.
CREATE INDEX ON resource_profiler_objects (inst_id, id);
CREATE INDEX ON resource_profiler_creation_call_stack (inst_id, parent_id, rec_id);
CREATE INDEX ON resource_profiler_meta_routines (inst_id, rec_id);
