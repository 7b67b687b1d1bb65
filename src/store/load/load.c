/* The sink of a load: begins result sets, and keeps their metadata. */
#include "load_measures.h"

#include "base/array.h"

#include <stdlib.h>

enum {
	SCRATCH_MAX_BYTES = 256 * 1024 * 1024,
	MANY_SETS = 16,
};

static void
set_free(struct load_set *set)
{
	struct pair_map *maps[] = { &set->routine_by_id, &set->routine_by_rec, &set->line_by_key,
		&set->class_by_rec, &set->thread_by_rec, &set->thread_by_id, &set->dangling_by_key,
		&set->block_by_track, &set->findings.name_map, &set->findings.sum_map };

	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		pair_map_release(maps[i]);
	for (size_t i = 0; i < CALL_TREE_MAX_METRICS; i++)
		pair_map_release(&set->total_by_key[i]);
	free(set->routines);
	free(set->lines);
	stack_index_release(&set->stack_index);
	free(set->stack_sums.items);
	free(set->stacks);
	free(set->totals);
	free(set->classes);
	free(set->findings.names);
	free(set->findings.sums);
	free(set->dangling);
	free(set->labels);
	free(set->tracks);
	free(set->routine_at);
	blocks_free(set);
	call_tree_free(set->tree);
	free(set);
}

static struct load_set *
set_new(struct load *l)
{
	struct load_set *set = xcalloc(1, sizeof(*set));

	set->number = (uint32_t)l->set_count;
	set->wanted = true;
	set->digest = (struct row_digest){ &l->scratch, &set->outcome.digest };
	set->get_number = MODEL_NULL;
	set->last_span_id = MODEL_NULL;
	*ARRAY_ADD(l->sets, l->set_count, l->set_room) = set;
	return set;
}

/* Called after the first MANY_SETS result sets. If they are new, all result sets are probably new, because a log grows
 * at its end. */
static bool
check_many(struct load *l, struct error *err)
{
	bool fresh;

	if (!load_is_new(l, &fresh, err))
		return false;
	if (fresh)
		return true;
	*l->config.many = true;
	return error_set(
		err, ERROR_INTERNAL, "the input has many result sets, and some may be known");
}

static bool
load_new_set(struct sink *s, const struct set_row *row, uint32_t *number, bool *wanted,
	struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = set_new(l);
	int64_t known = set->number < l->known_count ? l->known[set->number].inst_id : 0;
	const struct text texts[] = { row->caption, row->counter_description,
		row->counter_frequency, row->counter_name };

	if (!load_is_wanted(l, err))
		return false;
	if (l->db && l->config.many && l->set_count == MANY_SETS + 1 && !check_many(l, err))
		return false;
	set->row = *row;
	set->row.caption = arena_text(l->arena, row->caption);
	set->row.counter_description = arena_text(l->arena, row->counter_description);
	set->row.counter_frequency = arena_text(l->arena, row->counter_frequency);
	set->row.counter_name = arena_text(l->arena, row->counter_name);
	set->row.file = arena_text(l->arena, row->file);
	set->outcome.source_inst_id = row->source_inst_id;
	set->outcome.caption = set->row.caption;
	if (l->config.caption)
		set->outcome.caption = text_from(l->config.caption);
	set->application = text_from(l->config.application);
	set->app_version = text_from(l->config.app_version);
	set->host = text_from(l->config.host);
	set->tool = text_from(l->config.tool);
	load_run_begin(l, set);
	/* Two runs without leaks may differ only in the caption, so the digest covers the
	 * caption. */
	digest_row(&set->digest, DIGEST_SET, NULL, 0, texts, sizeof(texts) / sizeof(texts[0]));
	if (known == LOAD_NOT_OURS) {
		set->wanted = false;
		set->outcome.state = LOAD_DROPPED;
	} else if (known != 0) {
		set->wanted = false;
		set->outcome.state = LOAD_KNOWN;
		set->outcome.inst_id = known;
	} else if (l->db) {
		if (!load_draw_number(l, &set->drawn, err))
			return false;
		set->outcome.inst_id = set->drawn;
		set->tree = call_tree_new();
	}
	*number = set->number;
	*wanted = set->wanted;
	return true;
}

static bool
load_metadata(
	struct sink *s, uint32_t number, const char *key, struct text value, struct error *err)
{
	struct load *l = (struct load *)s;
	struct load_set *set = l->sets[number];
	const struct {
		const char *key;
		struct text *member;
		const char *given; /* the command line overrides the export */
	} members[] = {
		{ "caption", &set->outcome.caption, l->config.caption },
		{ "application", &set->application, l->config.application },
		{ "app_version", &set->app_version, l->config.app_version },
		{ "host", &set->host, l->config.host },
		{ "tool", &set->tool, NULL },
		{ "format", &set->format, NULL },
		{ "attributes", &set->attributes, NULL },
	};

	(void)err;
	if (value.data && load_run_metadata(l, set, key, value))
		return true;
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (strcmp(members[i].key, key) == 0 && !members[i].given && value.data)
			*members[i].member = arena_text(l->arena, value);
	if (strcmp(key, "attributes") == 0)
		digest_row(&set->digest, DIGEST_ATTRIBUTES, NULL, 0, &value, 1);
	if (strncmp(key, "label:", 6) == 0 && value.data) {
		set->labels = xrealloc(set->labels, (set->label_count + 1) * sizeof(*set->labels));
		set->labels[set->label_count++] =
			(struct load_label){ arena_strdup(l->arena, key + 6),
				arena_text(l->arena, value).data };
	}
	return true;
}

static void
load_drop(struct sink *s, uint32_t number)
{
	struct load_set *set = load_set_at(s, number);

	set->wanted = false;
	set->outcome.state = LOAD_DROPPED;
}

struct load *
load_new(struct arena *a, struct db *db, const struct load_config *config, struct error *err)
{
	struct load *l = xcalloc(1, sizeof(*l));

	l->arena = a;
	l->db = db;
	l->config = *config;
	l->sha = sha256_new();
	l->seed = process_seed();
	strbuf_init(&l->scratch, SCRATCH_MAX_BYTES);
	l->sink = (struct sink){
		.set = load_new_set,
		.metadata = load_metadata,
		.routine = load_routine,
		.line = load_line,
		.thread = load_thread,
		.class_meta = load_class_meta,
		.class_data = load_class_data,
		.relation = load_relation,
		.stack = load_stack,
		.object = load_object,
		.error = load_error,
		.further_stack = load_further_stack,
		.graph = load_graph,
		.suppression = load_suppression,
		.metric = load_metric,
		.track = load_track,
		.sample = load_sample,
		.path = load_path,
		.span = load_span,
		.frame = load_frame,
		.issue = load_issue,
		.drop = load_drop,
		.complete = load_complete,
		.end = load_end,
	};
	if (db) {
		if (!db_exec(db, "SELECT profdepot.partition_ahead()", err) ||
			!db_begin_long(db, err)) {
			load_free(l);
			return NULL;
		}
		l->in_transaction = true;
		l->copier = copier_new(db, store_relations, RELATIONS_WRITTEN);
	}
	return l;
}

void
load_free(struct load *l)
{
	if (!l)
		return;
	load_abandon(l);
	load_give_back_spares(l);
	copier_free(l->copier);
	for (size_t i = 0; i < l->set_count; i++)
		set_free(l->sets[i]);
	free(l->sets);
	load_names_release(&l->names);
	load_equals_release(&l->equals);
	strbuf_release(&l->scratch);
	free(l->frames_of_stack);
	sha256_free(l->sha);
	free(l);
}

struct sink *
load_sink(struct load *l)
{
	return &l->sink;
}

void
load_skip_known(struct load *l, const struct load_known *known, size_t count)
{
	l->known = known;
	l->known_count = count;
}

size_t
load_set_count(const struct load *l)
{
	return l->set_count;
}

const struct load_outcome *
load_outcome(const struct load *l, size_t set)
{
	return &l->sets[set]->outcome;
}

int64_t
load_rows(const struct load *l, size_t set, size_t relation)
{
	return l->sets[set]->counts[relation].rows;
}
