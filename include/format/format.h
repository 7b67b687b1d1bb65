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

/* What a reader reads; the caller fills it in, for one input. */
struct format_source {
	const char *path;      /* as the user named it, for messages */
	struct rowset *rowset; /* the named tables of the input */
	struct arena *arena;   /* lives as long as the input is read */
	/* What an earlier try found out, kept by the reader from FORMAT_AGAIN to
	 * the next read; 0 at first. */
	unsigned plan;
	void (*tick)(void *self); /* called now and then while reading; may be NULL */
	void *tick_self;
};

enum format_result {
	FORMAT_DONE,
	FORMAT_FAILED, /* err tells */
	FORMAT_AGAIN,  /* the order of the rows was not the common one: drop what the
			  sink was told and read again */
};

struct format {
	const char *name;
	const char *title;    /* for people */
	const char *profiler; /* what makes such files, the result sets' tool */
	bool reads;
	bool writes;
	/* Bits that it verified, 0 when the input is none of its own. Looks only. */
	int (*probe)(const struct format_source *source);
	enum format_result (*read)(
		struct format_source *source, struct sink *sink, struct error *err);
};

/* Every format, ends with NULL. */
extern const struct format *const formats[];

/* NULL when no format has this name. */
const struct format *format_find(const char *name);

/* The format that verified most, NULL with ERROR_INPUT when none did. */
const struct format *format_detect(const struct format_source *source, struct error *err);

#endif
