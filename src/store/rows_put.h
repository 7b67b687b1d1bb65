/* Columns of a row behind its inst_id: what a load and the open result sets both write. */
#ifndef PROFDEPOT_SRC_STORE_ROWS_PUT_H
#define PROFDEPOT_SRC_STORE_ROWS_PUT_H

#include "db/copy.h"
#include "model/measures.h"

void routine_put(struct copier *c, const struct routine_row *row);
void track_put(struct copier *c, const struct track_row *row);
void sample_put(struct copier *c, int64_t id, const struct sample_row *row);
void span_put(struct copier *c, const struct span_row *row);
/* names, lines: IDENTITY_BYTES each. */
void stack_put(struct copier *c, int32_t number, const uint8_t *names, const uint8_t *lines,
	const struct stack_row *row);

#endif
