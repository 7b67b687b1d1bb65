# Only main() is outside the library, so that tests can link every command.
profdepot_SOURCES += \
	src/cmd/main.c

libprofdepot_a_SOURCES += \
	include/cmd/command.h \
	include/cmd/commands.h \
	include/cmd/depot.h \
	include/cmd/load_parts.h \
	include/cmd/output_file.h \
	src/cmd/commands.c \
	src/cmd/db.c \
	src/cmd/depot.c \
	src/cmd/diff.c \
	src/cmd/export.c \
	src/cmd/flame.c \
	src/cmd/budget.c \
	src/cmd/category.c \
	src/cmd/check.c \
	src/cmd/formats.c \
	src/cmd/history.c \
	src/cmd/review.c \
	src/cmd/label.c \
	src/cmd/list.c \
	src/cmd/load.c \
	src/cmd/load_input.c \
	src/cmd/load_jobs.c \
	src/cmd/output_file.c \
	src/cmd/owners.c \
	src/cmd/reindex.c \
	src/cmd/report.c \
	src/cmd/reports.c \
	src/cmd/retain.c \
	src/cmd/rm.c \
	include/cmd/screen.h \
	src/cmd/screen.c \
	src/cmd/serve.c \
	src/cmd/show.c \
	src/cmd/sql.c \
	src/cmd/stream.c \
	src/cmd/suppress.c \
	src/cmd/token.c \
	src/cmd/trend.c \
	src/cmd/verify.c
