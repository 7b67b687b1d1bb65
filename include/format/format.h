/*
 * A format: translates bytes into sink calls, and source calls into bytes. It has one row in
 * format/formats.h and knows neither tables nor connections.
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
struct member_kind;

/* What a user may ask of a reader. */
struct format_options {
	bool lenient;         /* accept known errors of real exporters, with an issue */
	bool all_events;      /* Chrome: load all trace events, not only user timings */
	size_t max_depth;     /* of nested JSON; 0 means the reader's default */
	const char *encoding; /* code page of text without a byte order mark; NULL: as declared */
};

/* One input. The caller fills it in. */
struct format_source {
	const char *path;      /* as the user named it, for messages */
	struct rowset *rowset; /* the input's named tables; NULL if absent */
	struct bundle *bundle; /* the input's files, decompressed; NULL for a database */
	/* The first look at the first JSON file, and that file's number; NULL if no file is
	 * JSON. json_shape_of() looks at the others. */
	const struct json_shape *shape;
	size_t shape_member;
	struct format_options options;
	const struct category_list *categories; /* the depot's categories; NULL if unknown */
	struct arena *arena;                    /* freed when the input has been read */
	/* What the reader learned before it returned FORMAT_AGAIN, for the next read; at first
	 * 0. */
	unsigned plan;
	int64_t consumed;         /* bytes read so far; readers of the bundle keep it up to date */
	void (*tick)(void *self); /* readers call it regularly; may be NULL */
	void *tick_self;
};

enum format_result {
	FORMAT_DONE,
	FORMAT_FAILED, /* err is set */
	FORMAT_AGAIN,  /* rows come in an unusual order: drop everything and read again */
};

struct source;

/* What a user may ask of a writer. */
struct format_write_options {
	int64_t track;      /* write only this track; 0 means all */
	const char *metric; /* for formats with one metric; NULL means the set's first */
};

struct format {
	const char *name;
	const char *title;    /* for people */
	const char *profiler; /* the tool that writes such files */
	/* What the probe looks for, such as "an object with \"profiles\" and \"shared\"". For
	 * JSON formats the error for an unknown input shows it. */
	const char *known_by;
	bool json; /* the files are JSON */
	bool reads;
	bool writes;
	/* The reader reads the rowset (tables of an export or a database), which may hold
	 * several result sets. Other readers read the bundle's files. */
	bool tables;
	/* Each of these files is a result set; otherwise all together are one. Such a reader
	 * calls sink->set for each member in order, even if the member is not wanted, and skips
	 * a member of another format with an issue. */
	bool several;
	/* How its files are recognised and read. NULL: probe and read do that. */
	const struct member_kind *members;
	/* Bits that it verified; 0 if the input is not of this format. Reads only the head. NULL:
	 * members does that; see format_probe. */
	int (*probe)(const struct format_source *source);
	/* The same for an input that no probe recognises; may read all of it. NULL if the probe
	 * suffices. */
	int (*search)(const struct format_source *source);
	/* For an input of no known format: a hint why it may be of this one, and what the user
	 * can do. NULL, or returns NULL, if there is nothing to say. */
	const char *(*nearly)(const struct format_source *source);
	/* NULL: members does that; see format_read. */
	enum format_result (*read)(
		struct format_source *source, struct sink *sink, struct error *err);
	/* Writes the source as a single stream; NULL if the format is not written or consists of
	 * several files (AQTime). ERROR_USAGE if the result sets hold nothing that the format
	 * can express. */
	bool (*write)(struct source *source, FILE *out, const struct format_write_options *options,
		struct error *err);
	const char *extension; /* of a written file, such as "speedscope.json" */
	/* The format in which result sets of this one are exported, if it has no writer; or
	 * NULL. */
	const char *written_as;
};

/* Every format, ends with NULL. */
extern const struct format *const formats[];

/* Bits that show the format, and reading an input of it; see struct format. */
int format_probe(const struct format *f, const struct format_source *source);
enum format_result format_read(
	const struct format *f, struct format_source *source, struct sink *sink, struct error *err);

/* NULL if no format has this name. */
const struct format *format_find(const char *name);

/* The format that verified most bits. NULL with ERROR_INPUT if no format matches; the message describes
 * the top of a JSON file and the hint names the closest format. */
const struct format *format_detect(const struct format_source *source, struct error *err);

#endif
