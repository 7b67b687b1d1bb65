# Layer analysis: pure functions on the model.
libprofdepot_a_SOURCES += \
	include/analysis/budget.h \
	include/analysis/owners.h \
	include/analysis/suppress.h \
	include/analysis/suppress_write.h \
	include/analysis/trees.h \
	src/analysis/owners.c \
	src/analysis/owners_match.c \
	src/analysis/owners_private.h \
	include/analysis/history.h \
	src/analysis/history.c \
	src/analysis/suppress_frames.c \
	src/analysis/suppress_kind.c \
	src/analysis/suppress_match.c \
	src/analysis/suppress_parse.c \
	src/analysis/suppress_pattern.c \
	src/analysis/suppress_private.h \
	src/analysis/suppress_write.c \
	include/analysis/compare.h \
	include/analysis/facts.h \
	include/analysis/sparkline.h \
	include/analysis/stack_table.h \
	src/analysis/budget.c \
	src/analysis/compare.c \
	src/analysis/facts.c \
	src/analysis/sparkline.c \
	src/analysis/stack_table.c \
	src/analysis/tree_compare.c \
	src/analysis/tree_frames.c \
	src/analysis/tree_invert.c \
	src/analysis/tree_invert_private.h \
	src/analysis/tree_invert_stacks.c \
	src/analysis/tree_order.c \
	src/analysis/trees.c \
	src/analysis/trees_private.h
