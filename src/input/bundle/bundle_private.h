/* Shared by the parts of a bundle. */
#ifndef PROFDEPOT_INPUT_BUNDLE_BUNDLE_PRIVATE_H
#define PROFDEPOT_INPUT_BUNDLE_BUNDLE_PRIVATE_H

#include "input/bundle/bundle.h"

/* The hint of every error about the input as a whole. */
#define BUNDLE_HINT \
	"an input is a file, or a folder or archive (zip, tar) of files; an AQTime export has " \
	"one file per table, such as INSTANCES.csv"

struct bundle_entry {
	struct bundle_member member;
	int fd;     /* of the unpacked or single file; -1 in a folder */
	char *head; /* first bytes; NULL if not read */
	size_t head_size;
	struct json_shape *shape; /* in the bundle's arena; NULL if not read */
};

struct bundle {
	struct arena arena; /* path, names and folders */
	const char *path;
	struct bundle_limits limits; /* all set */
	int dir_fd;                  /* of the folder; -1 for an archive or file */
	bool is_file;
	struct bundle_entry *entries;
	size_t count;
	size_t capacity;
	int64_t size;      /* bytes of all members */
	size_t heads_size; /* bytes of the heads that are kept */
};

/* Adds the member and its fd; copies nothing. The bundle owns the fd even on ERROR_LIMIT (too many
 * members). */
bool bundle_add(struct bundle *b, struct bundle_member member, int fd, struct error *err);

/* A new descriptor of the same file with an offset of its own, unlike a dup; -1 on error. */
int bundle_reopen(int fd);

/* Adds what fd reads (the caller closes it): the members of an archive, or the file itself,
 * unpacked if it is compressed, as a member of that name. */
bool bundle_unpack(struct bundle *b, int fd, const char *name, struct error *err);

/* Unpacks the compressed members of a folder or archive. */
bool bundle_expand_members(struct bundle *b, struct error *err);

/* Converts members that are zlib streams of JSON, or JSON in UTF-16, to JSON in UTF-8. */
bool bundle_plain_members(struct bundle *b, struct error *err);

/* Copies standard input or a FIFO to a temporary file, within the limits; -1 on error. */
int bundle_spool(const struct bundle *b, int fd, struct error *err);

#endif
