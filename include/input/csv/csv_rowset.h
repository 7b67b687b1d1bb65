/*
 * A rowset over the delimited text files of a bundle: one file a table.
 *
 * Files end in .csv, .tsv or .txt (any case); a table's name is the file's
 * without ending, without schema prefix, brackets and quotes, in upper case.
 * Two files for one table are refused, and tables in several folders of an
 * archive. Source names in messages are the files' names.
 */
#ifndef PROFDEPOT_INPUT_CSV_CSV_ROWSET_H
#define PROFDEPOT_INPUT_CSV_CSV_ROWSET_H

#include "base/hash.h"
#include "input/bundle/bundle.h"
#include "input/csv/csv.h"
#include "model/rowset.h"

struct csv_rowset;

/* Borrows the bundle, which must outlive it. NULL on error. */
struct csv_rowset *csv_rowset_new(
	struct bundle *b, const struct csv_options *options, struct error *err);
void csv_rowset_free(struct csv_rowset *s);

struct rowset *csv_rowset_interface(struct csv_rowset *s);

/*
 * The input's digest: SHA-256 over each table's line "NAME LENGTH DIGEST\n"
 * (SHA-256 of the file as hex), sorted by name. Reads every file once.
 */
bool csv_rowset_digest(struct csv_rowset *s, uint8_t out[SHA256_BYTES], struct error *err);

/* Bytes of all table files, and how many the readers have consumed since the
 * last reset: what a progress meter shows. */
int64_t csv_rowset_size(const struct csv_rowset *s);
int64_t csv_rowset_consumed(const struct csv_rowset *s);
void csv_rowset_reset_consumed(struct csv_rowset *s);

/* Size in bytes of one table's file, by index of the interface. */
int64_t csv_rowset_table_size(const struct csv_rowset *s, size_t table);

#endif
