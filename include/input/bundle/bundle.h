/*
 * A bundle: the files of one input, from a folder, an archive or a single file.
 *
 * Archives (zip, tar, compressed tar, recognised by content) are unpacked into unlinked temporary
 * files, so members can be read in any order and more than once. A folder's files are read in
 * place; subfolders are ignored. A compressed file, alone or as a member, is unpacked, and the ending
 * (.gz, .zst, .xz, .bz2) is removed from its name. JSON in a bare zlib stream is unpacked, and JSON in UTF-16
 * with a BOM is converted to UTF-8. An archive is rejected if it contains links, special files, encrypted files,
 * absolute names or names with "..". Limits are checked before data are written. Dot files and all
 * files in dot folders and in __MACOSX are ignored.
 */
#ifndef PROFDEPOT_INPUT_BUNDLE_BUNDLE_H
#define PROFDEPOT_INPUT_BUNDLE_BUNDLE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>

struct bundle;

struct bundle_options {
	const struct limits *limits; /* NULL means limits_local */
	bool allow_empty;            /* a file of 0 bytes is a member, not an error */
	/* Called often while bytes are unpacked, while a stream is read, and during waits for a stream.
	 * `bytes` is the number of bytes processed so far. If the call fails, the bundle cannot be opened.
	 * May be NULL. */
	bool (*tick)(void *self, int64_t bytes, struct error *err);
	void *tick_self;
	/* Called several times while the first BUNDLE_STREAM_HEAD_BYTES of a stream are read. The bytes read
	 * so far are in the file `fd`. If the call fails, the bundle cannot be opened. May be NULL. */
	bool (*judge_stream)(void *self, int fd, struct error *err);
	void *judge_self;
	/* True for a truncated file: unpack as much as possible, at most BUNDLE_STREAM_HEAD_BYTES. */
	bool head_only;
};

enum {
	BUNDLE_STREAM_HEAD_BYTES = 64 * 1024 * 1024
};

struct bundle_member {
	const char *name;   /* without folders */
	const char *folder; /* the member's folder in the archive; "" at the top */
	int64_t size;       /* bytes */
};

/* Opens an input. A single file, which may be compressed with gzip (one or more members), zstd, xz
 * or bzip2, is a bundle of one member. "-" is standard input. Standard input and FIFOs are copied
 * to a temporary file. NULL on error: ERROR_FILE (missing, no permission), ERROR_INPUT (empty,
 * damaged), ERROR_LIMIT. Close it with bundle_close. */
struct bundle *bundle_open(
	const char *path, const struct bundle_options *options, struct error *err);
/* Opens the regular file that a descriptor refers to, even if the file has been unlinked. Reads it
 * from its beginning. Borrows the descriptor during the call. Messages contain `name`. */
struct bundle *bundle_open_fd(
	const char *name, int fd, const struct bundle_options *options, struct error *err);
/* Returns a bundle with one member, which has this name and a copy of the bytes. For tests. */
struct bundle *bundle_from_memory(const char *name, const void *data, size_t size);
void bundle_close(struct bundle *b);

/* Fails with ERROR_INPUT if the size or the modification time of a file has changed since the bundle was opened.
 * Call it after the last byte has been read. */
bool bundle_check_unchanged(const struct bundle *b, struct error *err);

/* Returns the path that was passed to bundle_open. */
const char *bundle_path(const struct bundle *b);

/* True for a single file, even a compressed one; false for a folder or an archive, even with one
 * member. */
bool bundle_is_file(const struct bundle *b);

/* Returns the number of members, at least 1. Members are sorted by name; names are unique. */
size_t bundle_count(const struct bundle *b);
const struct bundle_member *bundle_member(const struct bundle *b, size_t i);

/* Returns a new descriptor at offset 0, which the caller closes; -1 on error. */
int bundle_open_member(struct bundle *b, size_t i, struct error *err);

enum {
	BUNDLE_HEAD_BYTES = 256 * 1024
};

/* Returns the first BUNDLE_HEAD_BYTES of a member, or all its bytes if it is shorter. If the member
 * cannot be read, the text is empty. The bundle keeps the bytes for later calls, but may free them when
 * another member's head is requested. */
struct text bundle_head(struct bundle *b, size_t i);

/* Reads the first `size` bytes of a member. `size` may be greater than BUNDLE_HEAD_BYTES. Returns fewer
 * bytes if the member is shorter or cannot be read. */
size_t bundle_read_head(struct bundle *b, size_t i, void *head, size_t size);

/* Returns the total size of all members in bytes. */
int64_t bundle_size(const struct bundle *b);

/* Adds the line "NAME LENGTH DIGEST\n" (the member's SHA-256 in hex) to a digest. */
bool bundle_digest_line(
	struct bundle *b, size_t i, const char *name, struct sha256 *all, struct error *err);

/* Computes the input's digest. For a single file, it is the file's SHA-256. For a folder or an archive, it is
 * the SHA-256 of the members' digest lines, sorted by name. Reads every member once. */
bool bundle_digest(struct bundle *b, uint8_t out[SHA256_BYTES], struct error *err);

/* Moves the files of a folder, sorted by name, into a tar archive. Removes the folder even on
 * failure. Skips hidden files. Fails with ERROR_FILE. */
bool bundle_move_to_tar(const char *folder, FILE *out, struct error *err);

#endif
