/* Shared by the files that answer questions about history. */
#ifndef PROFDEPOT_APP_HISTORY_PRIVATE_H
#define PROFDEPOT_APP_HISTORY_PRIVATE_H

#include "app/depot_owners.h"
#include "app/history/history.h"
#include "base/pair_map.h"
#include "store/history/history.h"

struct json_writer;

enum {
	HISTORY_SHORT_DIGITS = 12 /* digits of an identity that are shown to people */
};

/* Like history_answer_read; also reads the owners. */
bool history_read_with_owners(struct db *db, struct arena *a, const struct history_request *q,
	struct history *h, struct depot_owners *owners, struct error *err);

/* Returns the sighting with the highest count in the newest run that saw the finding; NULL if no run saw
 * it. */
const struct history_sighting *history_newest(
	const struct history *h, const struct history_finding *f);

/* "TOrderForm.FormShow" */
struct text history_routine(struct arena *a, const struct history_finding *f);
struct text history_identity_text(struct arena *a, const struct history_finding *f);
/* Returns the NULL text if the size is unknown. */
struct text history_size(struct arena *a, const struct history_sighting *s);
struct text history_digits(struct arena *a, int64_t v);
/* "stream Orders branch=main, 12 runs, as of ledger number 40" */
const char *history_stream_note(struct arena *a, const struct history *h);

/* The stack of a finding in the newest run whose facts are still in the depot. */
struct history_stack {
	int64_t inst_id;
	const struct history_frame *frames; /* innermost first */
	size_t count;                       /* 0 if the facts of all runs were removed */
};

/* Members of the answer in JSON, besides the rows. */
struct history_members {
	const struct history *h;
	const struct history_finding *finding; /* NULL for the list of findings */
	const struct history_stack *stack;     /* the finding's stack */
	struct text owner;                     /* the finding's owners */
};

/* The function for table_set.members. */
void history_put_members(struct json_writer *w, const void *members);

/* There are `all` rows. Returns how many of them are selected by the request's `skip` and `top`. *first is
 * the index of the first selected row. */
size_t history_page(const struct history_request *q, size_t all, size_t *first);

/* Returns the run of the group's first result set, or NULL. */
const struct history_run *history_run_of_group(const struct history *h, uint32_t group);

/* Writes the runs of the finding in h, which must have exactly one finding. */
bool history_write_finding(struct db *db, struct table_sink *sink, struct arena *a,
	const struct history *h, const struct history_request *q, struct error *err);

#endif
