/*
 * A format reads files into a sink and writes a source into a file. Each format has one row in
 * format/formats.h. Formats have no access to the depot's tables.
 */
#ifndef PROFDEPOT_FORMAT_FORMAT_H
#define PROFDEPOT_FORMAT_FORMAT_H

#include "format/format_source.h"
#include "model/content.h"
#include "model/coverage.h"
#include "model/sink.h"

#include <stdio.h>

struct member_kind;
struct source;

/* Options of a writer. */
struct format_write_options {
	int64_t track;      /* write only this track; 0 means all tracks */
	const char *metric; /* metric to write, for formats with one metric; NULL: the first */
};

/* Recognises a log by its lines. The lines are read once and passed to every format that has this struct. */
struct format_lines {
	const void *kind;
	void *(*begin)(const void *kind);            /* the state of one log */
	bool (*line)(void *state, struct text line); /* true: recognised the format */
	void (*end)(void *state);                    /* frees it */
};

struct format {
	const char *name;
	const char *title;    /* name for people */
	const char *profiler; /* the tool that writes such files */
	/* The characteristics by which the probe recognises an input, such as "an object with
	 * \"profiles\" and \"shared\"". If a JSON file has no known format, the error message shows
	 * these texts. */
	const char *known_by;
	bool json; /* the files are JSON */
	bool reads;
	bool writes;
	/* The reader reads the rowset (tables of an export or a database), which may contain
	 * several result sets. Other readers read the files of the bundle. */
	bool tables;
	/* True if each file becomes a result set, and false if all files together become one. In
	 * the first case the reader calls sink->set for each member in order, even if the member is
	 * not wanted. For a member of another format it emits an issue. */
	bool several;
	bool silent_if_clean; /* a run without findings may leave an empty file */
	/* For each kind of result: the degree to which runs look for it. A reader can report another
	 * degree for its run (emit_coverage). */
	enum coverage_degree covers[COVERAGE_WHATS];
	/* Describes how to recognise and read the members of an input. NULL if the format has
	 * `probe` and `read`. */
	const struct member_kind *members;
	/* Returns the number of bits that identified the format, or 0 if the input has another format.
	 * Reads only the beginning of the input. NULL if `members` is set; see format_probe. */
	int (*probe)(const struct format_source *source);
	/* For formats of logs in which any number of other lines can precede the report, so that a
	 * probe of the beginning recognises nothing. NULL for other formats. */
	const struct format_lines *lines;
	/* Called if no format recognised the input. Returns a hint that explains why the input may
	 * be of this format and what the user can do, or NULL if there is no hint. May be NULL. */
	const char *(*nearly)(const struct format_source *source);
	/* Called if no format recognised the input. If this format's tool wrote the input but
	 * profdepot cannot read it, sets err with a hint on what to do next, and returns true. May
	 * be NULL. */
	bool (*refuse)(const struct format_source *source, struct error *err);
	/* Reads the input into the sink. NULL if `members` is set; see format_read. */
	enum format_result (*read)(
		struct format_source *source, struct sink *sink, struct error *err);
	/* Writes the source as a single stream. NULL if profdepot does not write the format, or if
	 * the format consists of several files (AQTime). Fails with ERROR_USAGE if the format
	 * can represent no part of the result sets. */
	bool (*write)(struct source *source, FILE *out, const struct format_write_options *options,
		struct error *err);
	/* The kinds of content (bits of model/content.h) that a written file preserves if the
	 * result set was loaded from another format. If it was loaded from this format,
	 * CONTENT_OF_FILES is added. */
	unsigned carries;
	const char *extension; /* extension of written files, such as "speedscope.json" */
	/* If the format has no writer: the format in which its result sets are exported, or NULL. */
	const char *written_as;
};

/* The kinds of content that a file can preserve if the result set was loaded from the same
 * format. */
#define CONTENT_OF_FILES (CONTENT_ALL & ~CONTENT_BIT(CONTENT_LABELS) & ~CONTENT_BIT(CONTENT_RUN))

/* All formats; the last element is NULL. */
extern const struct format *const formats[];

/* Call the probe and the reader of a format; see struct format. format_read also reads the reports of
 * other formats in a log. */
int format_probe(const struct format *f, const struct format_source *source);
enum format_result format_read(
	const struct format *f, struct format_source *source, struct sink *sink, struct error *err);
enum format_result format_read_alone(
	const struct format *f, struct format_source *source, struct sink *sink, struct error *err);

/* Finds a format by name. NULL if no format has this name. */
const struct format *format_find(const char *name);

/* Asks each format whether it can explain why the input cannot be read (see struct format). */
bool format_explain(const struct format_source *source, struct error *err);

/* Returns the format whose probe identified the most bits. Fails with ERROR_INPUT if no probe
 * recognises the input: the message describes the top level of a JSON file, and the hint names the closest format. */
const struct format *format_detect(const struct format_source *source, struct error *err);

#endif
