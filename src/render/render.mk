libprofdepot_a_SOURCES += \
	include/render/render.h \
	src/render/cell.c \
	src/render/csv.c \
	src/render/json.c \
	src/render/markdown.c \
	src/render/render.c \
	src/render/render_private.h \
	src/render/text.c
