/*
 * A format: one file that translates bytes into sink calls, one row in
 * format/formats.h. A reader knows no table and no connection.
 */
#ifndef PROFDEPOT_FORMAT_FORMAT_H
#define PROFDEPOT_FORMAT_FORMAT_H

#include "base/arena.h"
#include "base/error.h"
#include "model/rowset.h"
#include "model/sink.h"

#include <stdio.h>

struct bundle;
struct category_list;
struct json_shape;

/* Options that a user may give for the readers that know them. */
struct format_options {
	bool lenient;     /* take what real exporters break, with an issue */
	bool all_events;  /* Chrome: trace events beyond user timings too */
	size_t max_depth; /* of nested JSON; 0: the reader's default */
	/* Code page of text without a byte order mark; NULL: what the file says. */
	const char *encoding;
};

/* What a reader reads; the caller fills it in, for one input. */
struct format_source {
	const char *path;         /* as the user named it, for messages */
	struct rowset *rowset;    /* the named tables of the input; NULL when it is no such thing */
	struct bundle *bundle;    /* its files as bytes, decompressed; NULL: a database */
	struct json_shape *shape; /* first look at the first file that is JSON; NULL: none is.
				   * Of another file: json_shape_of */
	size_t shape_member;      /* number of that file */
	struct format_options options;
	const struct category_list *categories; /* that the depot knows; NULL: none */
	struct arena *arena;                    /* lives as long as the input is read */
	/* What an earlier try found out, kept by the reader from FORMAT_AGAIN to
	 * the next read; 0 at first. */
	unsigned plan;
	int64_t consumed;         /* bytes of the files read so far, kept by readers of bytes */
	void (*tick)(void *self); /* called now and then while reading; may be NULL */
	void *tick_self;
};

enum format_result {
	FORMAT_DONE,
	FORMAT_FAILED, /* err tells */
	FORMAT_AGAIN,  /* the order of the rows was not the common one: drop what the
			  sink was told and read again */
};

struct source;

/* What a user may ask of a writer. */
struct format_write_options {
	int64_t track;      /* only this one; 0: all */
	const char *metric; /* of formats that hold one; NULL: the result set's first */
};

struct format {
	const char *name;
	const char *title;    /* for people */
	const char *profiler; /* what makes such files, the result sets' tool */
	/* What the probe looks for, for people, as in "an object with \"profiles\"
	 * and \"shared\""; of JSON said when an input is of no format. */
	const char *known_by;
	bool json; /* its files are JSON */
	bool reads;
	bool writes;
	/* Reads the rowset: tables of an export or database, and finds several
	 * result sets there by itself. Others read the bundle's files as bytes:
	 * as one result set, */
	bool tables;
	/* or, with this, each file of a folder or archive as one. Such a reader
	 * goes through the members and tells set for each, in their order, also
	 * when it is told that one is not wanted; a member that is none of the
	 * format is passed over with an issue. */
	bool several;
	/* Bits that it verified, 0 when the input is none of its own. Looks only. */
	int (*probe)(const struct format_source *source);
	/* Bits too, of an input that no probe knows: may read it to its end. NULL: what the
	 * format's files begin with shows them. */
	int (*search)(const struct format_source *source);
	/* Of an input that is of no format: why it may be of this one after all, and what the
	 * user can do, for the error's hint. NULL: it is not, or nothing can be said. */
	const char *(*nearly)(const struct format_source *source);
	enum format_result (*read)(
		struct format_source *source, struct sink *sink, struct error *err);
	/* Files of such a format are a single stream; NULL for a format of
	 * several files (AQTime) or one that is not written. ERROR_USAGE when the
	 * result sets hold nothing that the format can say. */
	bool (*write)(struct source *source, FILE *out, const struct format_write_options *options,
		struct error *err);
	const char *extension; /* of a written file, such as "speedscope.json" */
	/* The format that result sets of this one, which is not written, go back
	 * into; NULL: none. */
	const char *written_as;
};

/* Every format, ends with NULL. */
extern const struct format *const formats[];

/* NULL when no format has this name. */
const struct format *format_find(const char *name);

/* The format that verified most; NULL with ERROR_INPUT when none did, which
 * tells what the top of a JSON file holds and which format is nearest to it. */
const struct format *format_detect(const struct format_source *source, struct error *err);

#endif
