# Layer analysis: pure functions on the model.
libprofdepot_a_SOURCES += \
	include/analysis/suppress.h \
	include/analysis/suppress_write.h \
	include/analysis/trees.h \
	src/analysis/suppress_kind.c \
	src/analysis/suppress_match.c \
	src/analysis/suppress_parse.c \
	src/analysis/suppress_pattern.c \
	src/analysis/suppress_private.h \
	src/analysis/suppress_write.c \
	src/analysis/tree_compare.c \
	src/analysis/tree_frames.c \
	src/analysis/tree_invert.c \
	src/analysis/tree_order.c \
	src/analysis/trees.c \
	src/analysis/trees_private.h
