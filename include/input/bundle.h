/*
 * A bundle: the files of one input, from a folder or an archive.
 *
 * Archives (zip, tar, tar.gz, tar.zst, found by content) are unpacked into
 * unlinked temporary files, so that members can be read side by side and more
 * than once. A folder's files are opened where they are, its subfolders are
 * not looked into. Links, special and encrypted files of an archive are
 * refused, and names that are absolute or have ".."; what would pass the
 * limits is refused before it is written. Dot files are left out, and so is
 * what lies in dot folders or __MACOSX.
 */
#ifndef PROFDEPOT_INPUT_BUNDLE_H
#define PROFDEPOT_INPUT_BUNDLE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/hash.h"

#include <stdint.h>

struct bundle;

struct bundle_limits {
	int64_t max_bytes;   /* of all members unpacked; 0: the default, 64 GiB */
	int64_t max_members; /* 0: the default, 1000 */
	int64_t max_ratio;   /* unpacked bytes a packed byte, looked at beyond 64 MiB unpacked; 0:
				1000 */
};

struct bundle_member {
	const char *name;   /* without folders */
	const char *folder; /* it lies in, within the archive; "" at the top */
	int64_t size;       /* bytes */
};

/* NULL on error: ERROR_FILE (not there, no permission), ERROR_INPUT (neither
 * folder nor archive), ERROR_LIMIT. Lives until bundle_close. */
struct bundle *bundle_open(const char *path, const struct bundle_limits *limits, struct error *err);
void bundle_close(struct bundle *b);

/* As it was opened. */
const char *bundle_path(const struct bundle *b);

/* At least one member; sorted by name, each name once. */
size_t bundle_count(const struct bundle *b);
const struct bundle_member *bundle_member(const struct bundle *b, size_t i);

/* A descriptor of its own, at offset 0; the caller closes it. -1 on error. */
int bundle_open_member(struct bundle *b, size_t i, struct error *err);

/* Bytes of all members. */
int64_t bundle_size(const struct bundle *b);

#endif
