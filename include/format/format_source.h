/*
 * The input of a format's reader.
 */
#ifndef PROFDEPOT_FORMAT_FORMAT_SOURCE_H
#define PROFDEPOT_FORMAT_FORMAT_SOURCE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "model/rowset.h"

struct bundle;
struct category_list;
struct json_shape;
struct linker_maps;

/* Options of a reader. */
struct format_options {
	bool lenient;      /* accept known errors of exporters, and emit an issue for each */
	bool may_be_clean; /* the user stated that a log without findings comes from a clean run */
	bool all_events;   /* Chrome: load all trace events, not only user timings */
	size_t max_depth;  /* maximum nesting of JSON; 0 means the reader's default */
	const char *encoding; /* code page of text without a BOM; NULL: as the file declares */
	const struct linker_maps *maps; /* names for unnamed frames; NULL if there are no maps */
	bool named; /* the user chose the format, so other formats in a log are ignored */
};

/* What a reader of logs does with a line. */
enum log_line {
	LOG_LINE_READ,
	LOG_LINE_SKIP,
	LOG_LINE_STOP, /* stop: the log must be read again with another plan */
};

/* One input. The caller fills it in. */
struct format_source {
	const char *path;      /* the name that the user gave, for messages */
	struct rowset *rowset; /* the input's named tables; NULL if absent */
	struct bundle *bundle; /* the input's files, decompressed; NULL for a database */
	/* The shape of the first JSON file, and its member number; NULL if no file is JSON.
	 * json_shape_of() returns the shapes of other files. */
	const struct json_shape *shape;
	size_t shape_member;
	struct format_options options;
	const struct category_list *categories; /* the depot's categories; NULL if unknown */
	struct arena *arena;                    /* freed when the input has been read */
	/* 0 at first. A reader that returns FORMAT_AGAIN stores here how the next read must work. */
	unsigned plan;
	int64_t consumed;         /* bytes read so far; readers of the bundle keep it up to date */
	void (*tick)(void *self); /* called regularly by readers; may be NULL */
	void *tick_self;
	/* Set by format_read while it reads a log: readers call it for each line. May be NULL. */
	enum log_line (*log_line)(void *self, uint64_t number, struct text line);
	void *log_self;
};

enum format_result {
	FORMAT_DONE,
	FORMAT_FAILED, /* err is set */
	FORMAT_AGAIN,  /* the order of rows is unusual: discard all rows and read again */
};

#endif
