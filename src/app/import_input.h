/* The input of an import: files as tables or as bytes. */
#ifndef PROFDEPOT_APP_IMPORT_INPUT_H
#define PROFDEPOT_APP_IMPORT_INPUT_H

#include "app/import.h"
#include "base/hash.h"

struct bundle_options;
struct csv_rowset;
struct odbc_rowset;
struct foreign_rowset;

struct input {
	const char *name; /* name in the depot: the last part of the path */
	struct bundle *bundle;
	struct csv_rowset *csv;         /* NULL if there are no delimited tables */
	struct odbc_rowset *odbc;       /* used instead of bundle and csv */
	struct foreign_rowset *foreign; /* used instead of bundle and csv */
	struct format_source source;
	const struct format *format;
};

/* Opens the input and finds its format. Borrows the request and the categories; `categories` may be NULL.
 * `options` says how to open the files. Call input_close even after a failure. */
bool input_open(struct input *in, struct arena *a, const struct import_request *request,
	const struct category_list *categories, const struct bundle_options *options,
	struct error *err);
void input_close(struct input *in);

/* For progress: the input's size in bytes (0 for a database), and the bytes read since input_rewind. */
int64_t input_bytes(const struct input *in);
int64_t input_consumed(const struct input *in);
void input_rewind(struct input *in);

/* Returns false for a database, which has no digest. */
bool input_has_digest(const struct input *in);

/* Makes an error message begin with the path and, in a folder or archive, the file: "PATH: FILE: what".
 * Path and file appear once, even if the message already names them. */
void input_name_place(const struct input *in, const char *path, struct error *err);

/* Computes the SHA-256 digest of the input. Opens descriptors of its own, so another thread may read the input
 * at the same time. */
bool input_digest(struct input *in, uint8_t out[SHA256_BYTES], struct error *err);

/* Fails if a file of the input has changed since input_open. Call it after reading. */
bool input_check_unchanged(const struct input *in, struct error *err);

/* Finds out quickly whether the input contains more than one result set. */
bool input_has_several_sets(struct input *in, bool *several, struct error *err);

#endif
