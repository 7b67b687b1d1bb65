/*
 * One load into the depot at PROFDEPOT_DB: functions that emit rows to its sink, and functions that check what the
 * depot stored. All of them end the test if something fails, unless their comments say otherwise.
 */
#ifndef PROFDEPOT_TESTS_UNIT_STORE_LOAD_TRIAL_H
#define PROFDEPOT_TESTS_UNIT_STORE_LOAD_TRIAL_H

#include "base/arena.h"
#include "db/connection.h"
#include "store/load/load.h"

/* The current load, and the result set that it created. */
struct trial {
	struct db *db;
	struct arena arena;
	struct load *load;
	struct sink *sink;
	struct error err;
	int64_t inst_id;
};

/* Called before and after each test: *state is a struct trial. */
int setup(void **state);
int teardown(void **state);

/* Ends the test with the trial's error unless `done`. */
void ok(struct trial *t, bool done);

/* Begins a load with one result set; frees the load before it. */
void begin(struct trial *t);
/* Ends and commits the load, and sets inst_id. */
void commit(struct trial *t);

/* The number that `s` contains; NULL gives the number NULL. */
struct decimal number(const char *s);

metric_number metric(
	struct trial *t, enum metric_family family, const char *name, const char *unit);
void track(struct trial *t, int32_t id, metric_number m);
/* Emits the routines 1, 2, ... with the names a, b, ... */
void routines(struct trial *t, int64_t count);
/* Emits a stack; in "abc", a is the innermost frame, and in "?b" the innermost frame has no routine. */
stack_number stack(struct trial *t, const char *names);
/* Emits a sample of metric 1; a time of NULL is no time. */
void sample(struct trial *t, int32_t track_id, stack_number st, const char *at, const char *value);
path_number path(struct trial *t, path_number parent, int64_t routine);
/* Emits a call of metric 1 on track 1; a start or stop of NULL is no time. */
void frame(struct trial *t, int64_t id, int64_t parent, path_number p, int64_t routine,
	const char *start, const char *stop);
/* A span on track 1, which is not emitted. */
struct span_row step(metric_number m);

/* Queries for what the store computed; $1 is the inst_id. */
extern const char tree_sql[];
extern const char routines_sql[];
extern const char totals_sql[];
extern const char metrics_sql[];
extern const char counts_sql[];

/* Runs a query in which $1 is the inst_id, and returns all rows and columns as one text in the trial's arena. */
char *answer(struct trial *t, const char *sql);
void assert_answer(struct trial *t, const char *sql, const char *expected);
/* Checks that verify finds no difference. */
void assert_verified(struct trial *t);
/* Checks that the depot is consistent, and that reindex writes the same rows again. */
void assert_kept(struct trial *t);

#endif
