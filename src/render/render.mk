libprofdepot_a_SOURCES += \
	include/render/page.h \
	include/render/render.h \
	src/render/cell.c \
	src/render/csv.c \
	src/render/html.c \
	src/render/html_flame.c \
	src/render/html_private.h \
	src/render/html_rows.c \
	src/render/html_series.c \
	src/render/json.c \
	src/render/markdown.c \
	src/render/render.c \
	src/render/render_private.h \
	src/render/screen.c \
	src/render/text.c \
	src/render/text_grid.c \
	src/render/text_private.h

# Check writers.
libprofdepot_a_SOURCES += \
	include/render/check.h \
	src/render/check.c \
	src/render/check_json.c \
	src/render/check_markdown.c \
	src/render/check_private.h \
	src/render/check_text.c \
	src/render/github.c \
	src/render/junit.c \
	src/render/sarif.c

# Flame graphs. Their script and styles are compiled in.
libprofdepot_a_SOURCES += \
	include/render/flame.h \
	src/render/flame_data.c \
	src/render/flame_html.c \
	src/render/flame_layout.c \
	src/render/flame_picture.c \
	src/render/flame_private.h \
	src/render/flame_text.c
TEXT_FILES = src/render/flame.css src/render/flame.js src/render/flame_page.css src/render/html.css \
	src/render/html.js
EXTRA_DIST += $(TEXT_FILES) tools/text2c.awk
nodist_libprofdepot_a_SOURCES += src/render/text_files.c
CLEANFILES += src/render/text_files.c src/render/text_files.c.tmp
src/render/text_files.c: $(TEXT_FILES) tools/text2c.awk
	$(AM_V_GEN)$(MKDIR_P) src/render && rm -f $@ $@.tmp && out=`pwd`/$@ && \
	(cd $(srcdir) && LC_ALL=C $(AWK) -f tools/text2c.awk $(TEXT_FILES)) > $$out.tmp && \
	mv $$out.tmp $$out
