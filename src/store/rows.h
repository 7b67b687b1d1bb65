/* Writes the columns of a row to COPY, and reads them from a query's result. The functions for
 * relations whose rows are structs are generated from schema/ (store/columns.h). */
#ifndef PROFDEPOT_SRC_STORE_ROWS_H
#define PROFDEPOT_SRC_STORE_ROWS_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "db/connection.h"
#include "db/copy.h"
#include "model/measures.h"
#include "model/run.h"

/* Makes a text column's value from a struct text, a string or an enum. */
#define TEXT_OF(v) \
	_Generic((v), struct text: row_text_of, const char *: text_from, \
		enum stack_owner: row_owner_text)(v)

static inline struct text
row_text_of(struct text t)
{
	return t;
}

struct text row_owner_text(enum stack_owner owner);

/* These functions write the columns after inst_id. */
void sample_put(struct copier *c, int64_t id, const struct sample_row *row);
/* A metric's columns; the title may be NULL. */
void metric_put(struct copier *c, int32_t number, const struct metric_row *row);
/* Parses "objects", "errors", "samples" or "spans". */
enum metric_family metric_family_find(struct text name);
/* `names`, `lines` and `own` are identities with IDENTITY_BYTES bytes each, or NULL. `names` identifies the
 * routines, `lines` identifies the routines with their lines, and `own` identifies the own frames. own_place is the
 * position of the own frame, from 1; 0 if no frame is own code. */
void stack_put(struct copier *c, int32_t number, const uint8_t *names, const uint8_t *lines,
	const struct stack_row *row, int32_t own_place, const uint8_t *own);

/* A result set's digest is the sum of a 128-bit hash per row, so the order of the rows does not
 * matter. */
struct row_digest {
	struct strbuf *scratch;
	struct hash128 *sum;
};

/* Adds a row to the digest. The row's hash covers the tag of the relation, the numbers, and the texts with their
 * lengths. NULL and "" have the same hash. */
void digest_row(struct row_digest *d, int tag, const int64_t *words, size_t word_count,
	const struct text *texts, size_t text_count);
/* Computes the two words that represent a decimal in a digested row. */
void digest_decimal(struct decimal d, int64_t out[2]);
/* A number as two words: the sign (2 for NULL) and the magnitude. */
#define NUMBER_WORDS(n) (n).null ? 2 : (int64_t)(n).negative, (n).null ? 0 : (int64_t)(n).magnitude

/* Reads the values of one row from left to right. Texts are borrowed from the result. */
struct row_values {
	const struct db_result *result;
	size_t row;
	size_t column;            /* the next column */
	struct decimal *decimals; /* items of row_decimals; the caller frees them */
	size_t decimal_room;
};

struct text row_text(struct row_values *v);
int64_t row_int64(struct row_values *v); /* MODEL_NULL for NULL */
int32_t row_int32(struct row_values *v); /* 0 for NULL */
struct number row_number(struct row_values *v);
struct decimal row_decimal(struct row_values *v);
int row_flag(struct row_values *v); /* 1: true, 0: false, -1: NULL */
/* The items are valid until the next call. */
bool row_decimals(
	struct row_values *v, const struct decimal **items, size_t *count, struct error *err);

#define READ_TEXT(values, member) \
	_Generic(&(member), struct text *: row_read_text, const char **: row_read_string, \
		enum stack_owner *: row_read_owner)(values, &(member))

void row_read_text(struct row_values *v, struct text *out);
void row_read_string(struct row_values *v, const char **out);
void row_read_owner(struct row_values *v, enum stack_owner *out);

/* Counts the items of a number array in text form, such as "{1,NULL,3}"; 0 for NULL. */
size_t array_text_count(struct text array);
/* Returns the beginning of the next item, or the closing brace. `at` must be the beginning of an item. */
const char *array_text_next(const char *at);

#endif
