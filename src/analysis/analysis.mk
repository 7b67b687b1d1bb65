# Layer analysis: pure functions on the model.
libprofdepot_a_SOURCES += \
	include/analysis/trees.h \
	src/analysis/tree_compare.c \
	src/analysis/tree_frames.c \
	src/analysis/tree_invert.c \
	src/analysis/tree_order.c \
	src/analysis/trees.c \
	src/analysis/trees_private.h
