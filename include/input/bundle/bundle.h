/*
 * A bundle: the files of one input, from a folder, an archive or a single file.
 *
 * Archives (zip, tar, compressed tar, recognised by content) are unpacked into unlinked temporary
 * files, so members can be read in any order and more than once. A folder's files are read in
 * place; subfolders are ignored. A compressed file, alone or as a member, is unpacked and its name
 * loses the ending (.gz, .zst, .xz, .bz2). JSON in UTF-16 with a BOM or in a bare zlib stream
 * becomes UTF-8. Links, special and encrypted files in an archive are rejected, and so are absolute
 * names and names with "..". Limits are checked before data are written. Dot files are ignored, and
 * so is everything in dot folders and __MACOSX.
 */
#ifndef PROFDEPOT_INPUT_BUNDLE_BUNDLE_H
#define PROFDEPOT_INPUT_BUNDLE_BUNDLE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>

struct bundle;

struct bundle_limits {
	int64_t max_bytes;   /* of all members, unpacked; 0 means 64 GiB */
	int64_t max_members; /* 0 means 1000 */
	/* unpacked bytes per packed byte, checked beyond 64 MiB unpacked; 0 means 1000 */
	int64_t max_ratio;
};

struct bundle_member {
	const char *name;   /* without folders */
	const char *folder; /* its folder in the archive; "" at the top */
	int64_t size;       /* bytes */
};

/* Opens an input. A single file (also compressed with gzip, zstd, xz or bzip2; several gzip members
 * are one file) is a bundle of one member. "-" is standard input, which is copied to a temporary
 * file, and so is a FIFO. NULL on error: ERROR_FILE (missing, no permission), ERROR_INPUT (empty,
 * damaged), ERROR_LIMIT. Close it with bundle_close. */
struct bundle *bundle_open(const char *path, const struct bundle_limits *limits, struct error *err);
/* Opens the regular file of a descriptor, whose name may be gone: reads it from its
 * beginning, whatever the offset, and borrows it for the call. Messages use name. */
struct bundle *bundle_open_fd(
	const char *name, int fd, const struct bundle_limits *limits, struct error *err);
/* A bundle with one member of that name and these bytes, which are copied. For tests and
 * fuzzers. */
struct bundle *bundle_from_memory(const char *name, const void *data, size_t size);
void bundle_close(struct bundle *b);

/* As given to bundle_open. */
const char *bundle_path(const struct bundle *b);

/* True for a single file, also if it was compressed; false for a folder or archive, whatever its
 * number of members. */
bool bundle_is_file(const struct bundle *b);

/* At least one member. Members are sorted by name; names are unique. */
size_t bundle_count(const struct bundle *b);
const struct bundle_member *bundle_member(const struct bundle *b, size_t i);

/* A new descriptor at offset 0, which the caller closes; -1 on error. */
int bundle_open_member(struct bundle *b, size_t i, struct error *err);

enum {
	BUNDLE_HEAD_BYTES = 256 * 1024
};

/* A member's first BUNDLE_HEAD_BYTES; fewer if it is shorter, empty if it cannot be read. The bytes
 * are read once and kept; they are valid until another member's head is requested. */
struct text bundle_head(struct bundle *b, size_t i);

/* Reads a member's first `size` bytes, more than bundle_head keeps; fewer if it is shorter or
 * cannot be read. */
size_t bundle_read_head(struct bundle *b, size_t i, void *head, size_t size);

/* Bytes of all members. */
int64_t bundle_size(const struct bundle *b);

/* Adds the line "NAME LENGTH DIGEST\n" (the member's SHA-256 in hex) to a digest. */
bool bundle_digest_line(
	struct bundle *b, size_t i, const char *name, struct sha256 *all, struct error *err);

/* The input's digest: a file's SHA-256; for a folder or archive the SHA-256 over each member's
 * line, by name. Reads every member once. */
bool bundle_digest(struct bundle *b, uint8_t out[SHA256_BYTES], struct error *err);

/* Moves the files of a folder, sorted by name, into a tar archive, and removes the folder, whether it
 * succeeds or not. Hidden files are left out. ERROR_FILE. */
bool bundle_move_to_tar(const char *folder, FILE *out, struct error *err);

#endif
