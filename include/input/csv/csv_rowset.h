/*
 * A rowset over the delimited text files of a bundle: one table per file.
 *
 * Files end in .csv, .tsv or .txt (any case). The table's name is the file's name in upper case,
 * without ending, schema prefix, brackets and quotes. It is an error if two files contain the same
 * table, or if an archive has tables in several folders.
 */
#ifndef PROFDEPOT_INPUT_CSV_CSV_ROWSET_H
#define PROFDEPOT_INPUT_CSV_CSV_ROWSET_H

#include "base/hash.h"
#include "input/bundle/bundle.h"
#include "input/csv/csv.h"
#include "model/rowset.h"

struct csv_rowset;

/* Borrows the bundle, which must outlive the rowset. NULL on error. */
struct csv_rowset *csv_rowset_new(
	struct bundle *b, const struct csv_options *options, struct error *err);
void csv_rowset_free(struct csv_rowset *s);

struct rowset *csv_rowset_interface(struct csv_rowset *s);

/* Computes the input's digest: SHA-256 over one line "NAME LENGTH DIGEST\n" per table, sorted by
 * name, where DIGEST is the file's SHA-256 in hex. Reads every file once. */
bool csv_rowset_digest(struct csv_rowset *s, uint8_t out[SHA256_BYTES], struct error *err);

/* For a progress meter: the size of all table files, and the number of bytes that the readers have
 * read since the last reset. */
int64_t csv_rowset_size(const struct csv_rowset *s);
int64_t csv_rowset_consumed(const struct csv_rowset *s);
void csv_rowset_reset_consumed(struct csv_rowset *s);

/* The size in bytes of the file of a table; `table` is its index in the rowset. */
int64_t csv_rowset_table_size(const struct csv_rowset *s, size_t table);

#endif
