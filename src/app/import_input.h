/*
 * An input behind an import: files as tables or as bytes.
 */
#ifndef PROFDEPOT_APP_IMPORT_INPUT_H
#define PROFDEPOT_APP_IMPORT_INPUT_H

#include "app/import.h"
#include "base/hash.h"

struct csv_rowset;
struct odbc_rowset;
struct foreign_rowset;

struct input {
	const char *name; /* what the depot calls it: the last part of the path */
	struct bundle *bundle;
	struct csv_rowset *csv;         /* NULL: no delimited tables */
	struct odbc_rowset *odbc;       /* instead of both */
	struct foreign_rowset *foreign; /* likewise */
	struct format_source source;
	const struct format *format;
};

/* Opens the input and finds its format. Borrows the request and the categories (NULL: none);
 * input_close also after a failure. */
bool input_open(struct input *in, struct arena *a, const struct import_request *request,
	const struct category_list *categories, struct error *err);
void input_close(struct input *in);

/* Bytes in all, 0 for a database, and read since input_rewind: what a progress meter shows. */
int64_t input_bytes(const struct input *in);
int64_t input_consumed(const struct input *in);
void input_rewind(struct input *in);

/* A database has no bytes to know it by. */
bool input_has_digest(const struct input *in);

/* Makes the message of a failed import begin with the path, and in a folder or
 * archive with the file too ("PATH: FILE: what"): each once, however often the
 * parts that the error passed through named them. */
void input_name_place(const struct input *in, const char *path, struct error *err);

/* Over descriptors of its own: may run beside the reading. */
bool input_digest(struct input *in, uint8_t out[SHA256_BYTES], struct error *err);

/* Holds it more than one result set? Cheap. */
bool input_has_several_sets(struct input *in, bool *several, struct error *err);

#endif
