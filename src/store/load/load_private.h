/* Declarations that the files of the load share. */
#ifndef PROFDEPOT_STORE_LOAD_LOAD_PRIVATE_H
#define PROFDEPOT_STORE_LOAD_LOAD_PRIVATE_H

#include "base/strbuf.h"
#include "db/connection.h"
#include "db/copy.h"
#include "load_contents.h"
#include "load_names.h"
#include "load_numbers.h"
#include "load_parts.h"
#include "load_sightings.h"
#include "model/run.h"
#include "store/load/load.h"
#include "store/relations.h"
#include "store/rows.h"

struct load_set {
	struct load_issue_text **issue_end; /* where to link the next issue text, or NULL */
	uint32_t number;
	bool wanted, paths_missing; /* paths_missing: some spans have the path PATH_OF_PARENT */
	bool live_unsummed;         /* totals of live objects are not written */
	bool live_distinct, classes_repeated; /* repeated: a class has several names or rows */
	bool several_gets, complete;          /* complete: load_complete was called */
	int32_t issue_no;
	uint32_t last_block; /* index of the most recently used block */
	struct load_outcome outcome;
	struct row_digest digest; /* computes the outcome's digest */
	int64_t drawn; /* the INST_ID assigned to this set; 0 if it has not been assigned yet */
	struct set_row row; /* texts in the load's arena */
	struct text application, app_version, host, tool, attributes, format;
	struct run_row run;
	struct load_label *labels;
	size_t label_count;
	struct load_count counts[RELATIONS_COUNTED];
	struct hash128 checksums[RELATIONS_WRITTEN]; /* computed from the rows that were sent */
	int64_t issue_counts[ISSUE_CODES];
	struct pair_map routine_by_id, routine_by_rec, line_by_key;
	struct pair_map class_by_rec, thread_by_rec, thread_by_id;
	struct pair_map total_by_key[CALL_TREE_MAX_METRICS], dangling_by_key, block_by_track;
	struct load_routine *routines;
	size_t routine_count, routine_room;
	struct load_line *lines;
	size_t line_count, line_room;
	struct load_stack *stacks;
	size_t stack_count, stack_room;
	struct stack_index stack_index; /* released before the call trees are written */
	struct load_stack_sum_list stack_sums;
	struct load_sums sums[CALL_TREE_MAX_METRICS];
	struct load_total *totals;
	size_t total_count, total_room;
	struct load_class *classes;
	size_t class_count, class_room;
	struct load_findings findings;
	struct load_dangling *dangling;
	size_t dangling_count, dangling_room;

	struct metric_row metrics[METRICS_TOLD_MAX]; /* texts in the load's arena */
	size_t metric_count;
	struct load_track *tracks; /* indexed by track id */
	size_t track_room;
	struct call_tree *tree; /* NULL if nothing is written */
	struct frame_block *blocks;
	size_t block_count, block_room, open_blocks, short_blocks;
	uint32_t *routine_at; /* by REC_ID: the routine's index + 1; 0 before its first look-up */
	size_t routine_at_room;
	struct sample_block *samples; /* NULL before the first sample */
	int64_t last_span_id;

	int64_t thread_rec_hits, thread_id_hits, thread_rows; /* rows of objects with a thread */
	int64_t get_number;
};

struct load {
	struct sink sink; /* must be first: callbacks cast the sink to the load */
	struct arena *arena;
	struct db *db; /* NULL if rows are only counted and digested */
	struct load_config config;
	struct copier *copier;
	struct load_set **sets;
	size_t set_count, set_room;
	const struct load_known *known; /* set by load_skip_known */
	size_t known_count;
	struct load_equals equals;
	struct strbuf scratch;
	struct sha256 *sha;
	struct load_names names;
	const struct finding_frame **frames_of_stack; /* the frames of the stack being written */
	size_t frames_room;
	uint64_t seed;
	int64_t frames; /* number of frames of all distinct stacks */
	struct load_spares spares;
	bool in_transaction;
	struct error warning; /* error of a step after the commit */
};

struct load_set *load_set_at(struct sink *s, uint32_t set);
void load_counted(struct load_set *set, enum relation r, int64_t id, wide_int value);
/* Begins a COPY row with the inst_id. Returns false if nothing is written. */
bool load_row(struct load *l, struct load_set *set, enum relation r);
bool load_row_end(struct load *l, struct error *err);
bool load_within_limits(const struct load *l, const struct load_set *set, struct error *err);
bool load_is_wanted(const struct load *l, struct error *err); /* calls config.may_continue */
/* If the server refused a repeated key, sets an error that names the input as the cause. Returns false. */
bool load_repeated_id(struct error *err);
wide_int wide_from_number(struct number n);

/* load_digest.c */
static inline struct hash128
load_stack_content(const struct load_set *set, stack_number n)
{
	return n ? set->stack_index.keys[n - 1].content : (struct hash128){ 0, 0 };
}

/* load_dictionaries.c */
uint32_t load_routine_index(struct load_set *set, int64_t rec_id); /* PAIR_MAP_NONE if unknown */
bool load_routine(struct sink *s, uint32_t set, const struct routine_row *row, struct error *err);
bool load_line(struct sink *s, uint32_t set, const struct line_row *row, struct error *err);
bool load_thread(struct sink *s, uint32_t set, const struct thread_row *row, struct error *err);
bool load_class_meta(struct sink *s, uint32_t set, const struct class_row *row, struct error *err);
bool load_class_data(
	struct sink *s, uint32_t set, const struct class_data_row *row, struct error *err);
bool load_relation(struct sink *s, uint32_t set, const struct relation_row *row, struct error *err);

/* load_facts.c, load_further.c, load_stacks.c */
bool load_stack(struct sink *s, uint32_t number, const struct stack_row *row, stack_number *out,
	struct error *err);
bool load_object(struct sink *s, uint32_t set, const struct object_row *row, struct error *err);
bool load_error(struct sink *s, uint32_t set, const struct error_row *row, struct error *err);
bool load_graph(struct sink *s, uint32_t set, const struct graph_row *row, struct error *err);
bool load_further_stack(
	struct sink *s, uint32_t set, const struct further_stack_row *row, struct error *err);
bool load_suppression(
	struct sink *s, uint32_t set, const struct suppression_row *row, struct error *err);
void load_dangles(struct load_set *set, int kind, int64_t id, int64_t second);

/* load_runs.c */
void load_run_begin(const struct load *l, struct load_set *set);
/* Stores a property of the run. Returns false if the key is not a property of runs. */
bool load_run_metadata(struct load *l, struct load_set *set, const char *key, struct text value);
/* Completes the run after the last row. Fails with ERROR_INPUT if config.run.looked_for contradicts the input. */
bool load_run_end(struct load *l, struct load_set *set, struct error *err);
bool load_run_write(struct load *l, struct load_set *set, struct error *err);

bool load_issue(struct sink *s, uint32_t set, const struct issue *issue, struct error *err);
bool load_check(struct load *l, struct load_set *set, struct error *err);
bool load_complete(struct sink *s, uint32_t set, struct error *err);
bool load_end(struct sink *s, struct error *err);

#endif
