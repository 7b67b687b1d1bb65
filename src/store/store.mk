# Layer store: sources and public headers, one a line.
libprofdepot_a_SOURCES += \
	include/store/depot_rowset.h \
	include/store/load.h \
	include/store/result_sets.h \
	src/store/arguments.c \
	src/store/cursor.c \
	src/store/cursor.h \
	src/store/depot_rowset.c \
	src/store/frame_reader.c \
	src/store/load.c \
	src/store/load_dictionaries.c \
	src/store/load_digest.c \
	src/store/load_end.c \
	src/store/load_facts.c \
	src/store/load_issues.c \
	src/store/load_parts.h \
	src/store/load_private.h \
	src/store/load_stacks.c \
	src/store/relations.h \
	src/store/result_sets.c \
	src/store/rowset_private.h \
	src/store/store_private.h \
	src/store/table_reader.c

# SQL of this layer, compiled in as "store/name".
SQL_FILES += \
	src/store/sql/delete_instance.sql \
	src/store/sql/export_blocks.sql \
	src/store/sql/export_classes.sql \
	src/store/sql/export_error_frames.sql \
	src/store/sql/export_error_owners.sql \
	src/store/sql/export_errors.sql \
	src/store/sql/export_instances.sql \
	src/store/sql/export_labels.sql \
	src/store/sql/export_lines.sql \
	src/store/sql/export_meta_classes.sql \
	src/store/sql/export_object_frames.sql \
	src/store/sql/export_object_owners.sql \
	src/store/sql/export_objects.sql \
	src/store/sql/export_relations.sql \
	src/store/sql/export_result_sets.sql \
	src/store/sql/export_routines.sql \
	src/store/sql/export_sets.sql \
	src/store/sql/export_stacks.sql \
	src/store/sql/export_threads.sql \
	src/store/sql/find_content.sql \
	src/store/sql/find_input.sql \
	src/store/sql/insert_instance.sql \
	src/store/sql/list_result_sets.sql \
	src/store/sql/lock_result_set.sql \
	src/store/sql/reindex.sql \
	src/store/sql/remove_label.sql \
	src/store/sql/set_caption.sql \
	src/store/sql/set_label.sql \
	src/store/sql/show_counts.sql \
	src/store/sql/show_issues.sql \
	src/store/sql/show_labels.sql \
	src/store/sql/show_result_set.sql \
	src/store/sql/state.sql \
	src/store/sql/verify_result_set.sql
