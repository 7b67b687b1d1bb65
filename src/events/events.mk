# Layer events: public headers and sources, sorted.
libprofdepot_a_SOURCES += \
	include/events/category_columns.h \
	include/events/event_fields.h \
	include/events/event_query.h \
	include/events/event_sql.h \
	include/events/event_tree.h \
	include/events/events.h \
	src/events/category_columns.c \
	src/events/event_blocks.c \
	src/events/event_blocks.h \
	src/events/event_conditions.c \
	src/events/event_parse.c \
	src/events/event_sql.c \
	src/events/event_sql_conditions.c \
	src/events/event_sql_private.h \
	src/events/event_sums.c \
	src/events/event_sums.h \
	src/events/event_tree.c \
	src/events/events.c

SQL_FILES += \
	src/events/sql/event_block_arrays.sql \
	src/events/sql/event_blocks.sql \
	src/events/sql/event_blocks_in_order.sql \
	src/events/sql/event_routines.sql \
	src/events/sql/event_rows.sql \
	src/events/sql/event_rows_in_order.sql \
	src/events/sql/event_sets.sql \
	src/events/sql/event_stack_texts.sql \
	src/events/sql/event_stack_texts_shown.sql \
	src/events/sql/event_stacks.sql \
	src/events/sql/event_track_sums.sql
