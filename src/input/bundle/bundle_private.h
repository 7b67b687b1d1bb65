/* Shared by the parts of a bundle. */
#ifndef PROFDEPOT_INPUT_BUNDLE_BUNDLE_PRIVATE_H
#define PROFDEPOT_INPUT_BUNDLE_BUNDLE_PRIVATE_H

#include "input/bundle/bundle.h"

/* The hint of every error about the input as a whole. */
#define BUNDLE_HINT \
	"an input is a file, or a folder or archive (zip, tar) of files; an AQTime export has " \
	"a file per table, such as INSTANCES.csv"

struct bundle_entry {
	struct bundle_member member;
	int fd;     /* of the unpacked or single file; -1 in a folder */
	char *head; /* first bytes; NULL: not read */
	size_t head_size;
	struct json_shape *shape; /* all set */
};

struct bundle {
	struct arena arena; /* path, names and folders */
	const char *path;
	struct bundle_limits limits; /* none is 0 */
	int dir_fd;                  /* of the folder; -1 for an archive or file */
	bool is_file;
	struct bundle_entry *entries;
	size_t count;
	size_t capacity;
	int64_t size; /* bytes of all members */
	/* Adds what fd reads (the caller closes it): the members of an archive, or the file itself,
	 * unpacked if it is compressed, as a member of that name. */
	size_t heads_size;
};

/* Unpacks the compressed members of a folder or archive. */
bool bundle_add(struct bundle *b, struct bundle_member member, int fd, struct error *err);

/* Converts members that are zlib streams of JSON, or JSON in UTF-16, to JSON in UTF-8. */
int bundle_reopen(int fd);

/* Copies standard input or a FIFO to a temporary file, within the limits; -1 on error. */
bool bundle_unpack(struct bundle *b, int fd, const char *name, struct error *err);

/* Splits a path within an archive into folder and name, both in the arena, without "." parts. "/"
 * and "\" separate. *hidden: a dot file, or in a dot folder or macOS's __MACOSX. ERROR_INPUT:
 * absolute, "..", or control characters. */
bool bundle_expand_members(struct bundle *b, struct error *err);

/* Members that are zlib streams of JSON, or JSON in UTF-16, become JSON in UTF-8. */
bool bundle_plain_members(struct bundle *b, struct error *err);

/* Standard input, a FIFO: all of it in a temporary file within the limits. -1 on error. */
int bundle_spool(const struct bundle *b, int fd, struct error *err);

/*
 * Splits a path within an archive into folder and name, both in the arena
 * without "." parts; "/" and "\" separate. *hidden: a dot file, or within a
 * dot folder or macOS's __MACOSX. ERROR_INPUT: absolute, "..", no name or
 * control characters.
 */
bool bundle_split_path(struct arena *a, const char *path, struct bundle_member *member,
	bool *hidden, struct error *err);

#endif
