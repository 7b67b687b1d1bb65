/*
 * The resource limits of one input. An input that exceeds a limit is rejected as a whole, with
 * ERROR_LIMIT. Input from a user's own files has generous limits, and uploads have strict ones.
 */
#ifndef PROFDEPOT_BASE_LIMITS_H
#define PROFDEPOT_BASE_LIMITS_H

#include "base/error.h"

#include <stdint.h>

/* The columns: member of struct limits, default for local inputs, default for uploads. */
#define LIMIT_TABLE(X) \
	X(bytes, INT64_C(64) << 30, INT64_C(16) << 30) \
	X(ratio, 0, 1000) \
	X(files, 100000, 1000) \
	X(frames, 2000000000, 200000000) \
	X(nodes, INT64_MAX, 8000000) \
	X(memory, INT64_C(64) << 30, INT64_C(4) << 30) \
	X(disk, INT64_MAX, INT64_C(64) << 30) \
	X(seconds, 86400, 3600)

struct limits {
	/* For an archive: bytes written by unpacking, summed over all levels. For a stream: its
	 * bytes. */
	int64_t bytes;
	/* Maximum number of unpacked bytes per byte of the input. It applies once 64 MiB are unpacked. 0
	 * means that only compressed members of archives are limited, by LIMIT_NESTED_RATIO. */
	int64_t ratio;
	int64_t files;   /* files in a folder or archive */
	int64_t frames;  /* frames of all distinct stacks */
	int64_t nodes;   /* nodes of a result set's call tree */
	int64_t memory;  /* resident bytes of the process */
	int64_t disk;    /* bytes written to temporary files and sent to the database */
	int64_t seconds; /* time from opening the input until all rows are read */
	bool fixed;      /* the user cannot change the limits */
};

/* LIMIT_NESTED_RATIO is the maximum number of unpacked bytes per byte of an archive with compressed members.
 * It applies once LIMIT_NESTED_BYTES are unpacked. Some profilers compress their files 10,000-fold. Two
 * nested levels of compression can exceed 100,000-fold. */
enum {
	LIMIT_NESTED_RATIO = 20000,
	LIMIT_NESTED_BYTES = 512 * 1024 * 1024
};

extern const struct limits limits_local, limits_upload;

/* Sets one limit from text such as "bytes=10G", "seconds=60" or "files=none". ERROR_USAGE if the text
 * is invalid. */
bool limits_set(struct limits *l, const char *text, struct error *err);

/* Sets ERROR_LIMIT, or ERROR_TIME for the limit "seconds", with a message, and a hint that names the option for the limit. */
bool limits_exceeded(const struct limits *l, const char *limit, struct error *err,
	const char *format, ...) ERROR_PRINTF(4, 5);

#endif
