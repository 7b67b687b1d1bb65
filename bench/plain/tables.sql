-- AQTime's relations as documented: Integer as bigint, Decimal as numeric, String as text; no keys and no
-- indexes.
SET client_min_messages = warning;
DROP SCHEMA IF EXISTS bench_plain CASCADE;
CREATE SCHEMA bench_plain;
SET search_path = bench_plain;
CREATE TABLE instances (
    caption text, counter_description text, counter_frequency text, counter_name text,
    inst_id bigint
);
CREATE TABLE relations (
    col_child_table text, col_parent_table text, id bigint, inst_id bigint
);
CREATE TABLE resource_profiler_call_stack (
    col_routinerid bigint, id bigint, inst_id bigint, parent_id bigint, rec_id bigint
);
CREATE TABLE resource_profiler_classes_data (
    col_class_name text, col_live_count numeric, col_live_size numeric, col_module_name text,
    col_peak_created numeric, col_peak_size numeric, col_total_created numeric,
    col_total_size numeric, id bigint, inst_id bigint, parent_id bigint, rec_id bigint
);
CREATE TABLE resource_profiler_creation_call_stack (
    col_hit_count bigint, col_linerid bigint, col_routinerid bigint, id bigint, inst_id bigint,
    parent_id bigint, rec_id bigint
);
CREATE TABLE resource_profiler_errors (
    col__ bigint, col_description text, col_error_code bigint, col_kind bigint, col_name text,
    id bigint, inst_id bigint, parent_id bigint, rec_id bigint
);
CREATE TABLE resource_profiler_meta_classes_data (
    col_class_name text, col_module_name text, col_symbol_moniker text, id bigint,
    inst_id bigint, parent_id bigint, rec_id bigint
);
CREATE TABLE resource_profiler_meta_lines (
    col_source_line bigint, id bigint, inst_id bigint, parent_id bigint, rec_id bigint
);
CREATE TABLE resource_profiler_meta_routines (
    col_hit_count bigint, col_compiler bigint, col_address numeric, col_analisys_result text,
    col_class_name text, col_code_type text, col_module_name text, col_namespace text,
    col_profilelines bigint, col_routine_name text, col_source_file text,
    col_source_line bigint, col_symbol_moniker text, col_token bigint, col_unit_name text,
    id bigint, inst_id bigint, parent_id bigint, rec_id bigint
);
CREATE TABLE resource_profiler_objects (
    col__ numeric, col_address numeric, col_classrid bigint, col_get_ bigint, col_size numeric,
    col_threadid bigint, id bigint, inst_id bigint, parent_id bigint, rec_id bigint
);
CREATE TABLE resource_profiler_threads (
    col_size bigint, col_win32threadid bigint, id bigint, inst_id bigint, parent_id bigint,
    rec_id bigint
);
