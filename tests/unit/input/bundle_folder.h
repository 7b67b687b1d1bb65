/* Files in a temporary folder, and bundles that must be refused. */
#ifndef PROFDEPOT_TESTS_UNIT_INPUT_BUNDLE_FOLDER_H
#define PROFDEPOT_TESTS_UNIT_INPUT_BUNDLE_FOLDER_H

#include "base/arena.h"
#include "base/error.h"
#include "base/limits.h"

#include <stddef.h>

#include <archive.h>

/* Create and remove the temporary folder; called before and after the group of tests. */
int make_folder(void **state);
int remove_folder(void **state);

/* The path of a file in the folder. */
const char *path_of(struct arena *a, const char *name);

void write_file(const char *path, const char *data, size_t size);
/* Copies the first `keep` bytes of a file, and returns the path of the copy. If `keep` is negative, copies all except
 * the last -keep bytes. */
const char *cut(struct arena *a, const char *path, const char *name, long keep);
/* Writes one compressed file, and returns its path. */
const char *write_compressed(
	struct arena *a, const char *name, int (*filter)(struct archive *), const char *text);

/* Opens the bundle as a rowset and sets *err; the message is "" on success. */
void open_message(const char *path, const struct limits *limits, struct error *err);
/* Checks that the bundle is refused with this code, and that the message contains `what` and the path. */
void check_refused(
	const char *path, const struct limits *limits, enum error_code code, const char *what);

#endif
