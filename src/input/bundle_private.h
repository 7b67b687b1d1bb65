/*
 * What the bundle and its unpacking share.
 */
#ifndef PROFDEPOT_INPUT_BUNDLE_PRIVATE_H
#define PROFDEPOT_INPUT_BUNDLE_PRIVATE_H

#include "input/bundle.h"

/* What every refusal of the input as a whole ends with. */
#define BUNDLE_HINT \
	"an AQTime export is a folder (or zip, tar) with a file per table, such as INSTANCES.csv"

struct bundle_entry {
	struct bundle_member member;
	int fd; /* of the unpacked file; -1 in a folder */
};

struct bundle {
	struct arena arena; /* path, names and folders */
	const char *path;
	struct bundle_limits limits; /* none is 0 */
	int dir_fd;                  /* of the folder; -1 for an archive */
	struct bundle_entry *entries;
	size_t count;
	size_t capacity;
	int64_t size; /* bytes of all members */
};

/* Takes the member (and its fd) in; copies nothing. ERROR_LIMIT: too many.
 * The fd is the bundle's also then. */
bool bundle_add(struct bundle *b, struct bundle_member member, int fd, struct error *err);

/* Unpacks the archive that fd reads (its caller closes it). */
bool bundle_unpack(struct bundle *b, int fd, struct error *err);

/*
 * Splits a path within an archive into folder and name, both in the arena
 * without "." parts; "/" and "\" separate. *hidden: a dot file, or within a
 * dot folder or macOS's __MACOSX. ERROR_INPUT: absolute, "..", no name or
 * control characters.
 */
bool bundle_split_path(struct arena *a, const char *path, struct bundle_member *member,
	bool *hidden, struct error *err);

#endif
