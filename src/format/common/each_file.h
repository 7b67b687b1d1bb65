/*
 * The files of an input, each a result set of its own: what readers of formats with
 * `several' have in common.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_EACH_FILE_H
#define PROFDEPOT_FORMAT_COMMON_EACH_FILE_H

#include "format/format.h"
#include "input/bundle/bundle.h"

struct each_file {
	const char *what; /* "V8 CPU profile": of a file that is none, in messages */
	/* Of a folder's or archive's file; a single one was chosen by the user or by probe. */
	bool (*is_ours)(const struct format_source *source, size_t member);
	/* Tells all of the result set but set and end. */
	bool (*read)(struct format_source *source, struct sink *sink, uint32_t set, size_t member,
		struct error *err);
};

/* Goes through the members. Of one that is passed over an issue tells; when all are,
 * it is an error. Keeps source->consumed at the start of the member. */
enum format_result each_file_read(struct format_source *source, struct sink *sink,
	const struct each_file *each, struct error *err);

/* Does the name end in it, in any case? */
bool name_ends_with(const char *name, const char *end);

#endif
