/*
 * A bundle: the files of one input, from a folder, an archive or a single
 * file.
 *
 * Archives (zip, tar, compressed tar, found by content) are unpacked into
 * unlinked temporary files, so that members can be read side by side and more
 * than once. A folder's files are opened where they are, its subfolders are
 * not looked into. A file that is itself compressed, alone or as a member, is
 * unpacked likewise and its name loses the ending (.gz, .zst, .xz, .bz2). JSON in UTF-16 with a BOM
 * or in a bare zlib stream becomes UTF-8. Links, special and
 * encrypted files of an archive are refused, and names that are absolute or have ".."; what would
 * pass the limits is refused before it is written. Dot files are left out, and so is what lies in
 * dot folders or __MACOSX.
 */
#ifndef PROFDEPOT_INPUT_BUNDLE_BUNDLE_H
#define PROFDEPOT_INPUT_BUNDLE_BUNDLE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"

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

/* A single file (also compressed with gzip, zstd, xz or bzip2; several gzip
 * members are one file) is a bundle of one member; "-" is standard input, which
 * is kept in a temporary file like what comes through a FIFO.
 * NULL on error: ERROR_FILE (not there, no permission), ERROR_INPUT (empty,
 * damaged), ERROR_LIMIT. Lives until bundle_close. */
struct bundle *bundle_open(const char *path, const struct bundle_limits *limits, struct error *err);
/* Of a regular file that a descriptor is open on, which may have no name any more: read from its
 * beginning, whatever its offset, and borrowed for the call. name is what messages call it. */
struct bundle *bundle_open_fd(
	const char *name, int fd, const struct bundle_limits *limits, struct error *err);
/* One member of that name with these bytes, copied. For tests and fuzzers. */
struct bundle *bundle_from_memory(const char *name, const void *data, size_t size);
void bundle_close(struct bundle *b);

/* As it was opened. */
const char *bundle_path(const struct bundle *b);

/* One file by itself, also when it came compressed; false for a folder or
 * archive, however many members it has. */
bool bundle_is_file(const struct bundle *b);

/* At least one member; sorted by name, each name once. */
size_t bundle_count(const struct bundle *b);
const struct bundle_member *bundle_member(const struct bundle *b, size_t i);

/* A descriptor of its own, at offset 0; the caller closes it. -1 on error. */
int bundle_open_member(struct bundle *b, size_t i, struct error *err);

enum {
	BUNDLE_HEAD_BYTES = 256 * 1024
};

/* A member's first BUNDLE_HEAD_BYTES, fewer when it is shorter; empty when it cannot be read. The
 * bytes are read once and kept; they are valid until the head of another member is asked for. */
struct text bundle_head(struct bundle *b, size_t i);

/* A member's first `size` bytes, read again at each call; fewer when it is shorter or cannot be
 * read. For a look farther than bundle_head. */
size_t bundle_read_head(struct bundle *b, size_t i, void *head, size_t size);

/* Bytes of all members. */
int64_t bundle_size(const struct bundle *b);

/* Adds one member's bytes to a digest; *size counts them. */
bool bundle_digest_member(
	struct bundle *b, size_t i, struct sha256 *sha, int64_t *size, struct error *err);

/* Adds the line "NAME LENGTH DIGEST\n" (SHA-256 of the member as hex). */
bool bundle_digest_line(
	struct bundle *b, size_t i, const char *name, struct sha256 *all, struct error *err);

/* The input's digest: a file's SHA-256; of a folder or archive the SHA-256
 * over each member's line, by name. Reads every member once. */
bool bundle_digest(struct bundle *b, uint8_t out[SHA256_BYTES], struct error *err);

#endif
