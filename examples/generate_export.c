#include "generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct class_sums {
	uint64_t count;
	uint64_t size;
};

/* Writes the four columns that end every table: ID, INST_ID, PARENT_ID, REC_ID. */
static void
end_row(struct csv *c, uint64_t id, uint32_t inst_id, int64_t parent_id, uint64_t rec_id)
{
	csv_uint(c, id);
	csv_uint(c, inst_id);
	csv_int(c, parent_id);
	csv_uint(c, rec_id);
	csv_row(c);
}

/* --- tables -------------------------------------------------------------- */

static void
write_instance(const struct world *w, const struct result_set *s, struct csv *c)
{
	static const char *const captions[] = { "Orders 5.2.1 (build 4711)",
		"Orders 5.2.2 (build 4738)", "Orders 5.3.0, nightly", "11/14/2025 9:41:07 AM" };

	csv_text(c, captions[(s->inst_id - 1 + (w->settings->profile == PROFILE_AFTER)) % 4]);
	csv_text(c, NULL);
	csv_text(c, NULL);
	csv_text(c, NULL);
	csv_uint(c, s->inst_id);
	csv_row(c);
}

static void
write_relations(const struct world *w, const struct result_set *s, struct csv *c)
{
	static const char *const pairs[][2] = {
		{ "RESOURCE_PROFILER_CALL_STACK", "RESOURCE_PROFILER_ERRORS" },
		{ "RESOURCE_PROFILER_ERRORS", "RESOURCE_PROFILER_THREADS" },
		{ "RESOURCE_PROFILER_CREATION_CALL_STACK", "RESOURCE_PROFILER_OBJECTS" },
		{ "RESOURCE_PROFILER_META_LINES", "RESOURCE_PROFILER_META_ROUTINES" },
		{ "RESOURCE_PROFILER_OBJECTS", NULL },
		{ "RESOURCE_PROFILER_CLASSES_DATA", NULL },
		{ "RESOURCE_PROFILER_META_CLASSES_DATA", NULL },
		{ "RESOURCE_PROFILER_META_ROUTINES", NULL },
		{ "RESOURCE_PROFILER_THREADS", NULL },
	};

	(void)w;
	for (size_t k = 0; k < sizeof(pairs) / sizeof(pairs[0]); k++) {
		csv_text(c, pairs[k][0]);
		csv_text(c, pairs[k][1]);
		csv_uint(c, k);
		csv_uint(c, s->inst_id);
		csv_row(c);
	}
}

uint32_t
export_thread_id(const struct result_set *s, uint32_t thread)
{
	static const uint32_t ids[THREADS] = { 5128, 7316, 7320, 10944, 2204, 13572 };

	return ids[thread] + 4 * (s->inst_id - 1);
}

static void
write_threads(const struct world *w, const struct result_set *s, struct csv *c)
{
	static const char *const sizes[THREADS] = { "1048576", "262144", "262144", NULL, "65536",
		NULL };

	(void)w;
	for (uint32_t k = 0; k < THREADS; k++) {
		csv_text(c, sizes[k]);
		csv_uint(c, export_thread_id(s, k));
		end_row(c, k, s->inst_id, -1, set_thread_rec(s, k));
	}
}

/* The unit with the fixed leak was edited between the two exports. */
uint32_t
export_line_shift(const struct result_set *s, const struct routine *r)
{
	return s->after && r->unit && strcmp(r->unit, changed_unit) == 0 ? CHANGED_LINES : 0;
}

/* Returns the routine that has this ID in this result set. */
static uint32_t
routine_of(const struct world *w, const struct result_set *s, uint32_t id)
{
	return (id + s->rotation) % w->routine_count;
}

static void
write_routine(const struct world *w, const struct result_set *s, struct csv *c, uint32_t id)
{
	uint32_t k = routine_of(w, s, id);
	const struct routine *r = &w->routines[k];
	uint64_t bits = prng_mix(w->settings->seed + k);
	char moniker[32];

	snprintf(moniker, sizeof(moniker), "fn:%08x", (unsigned)(bits >> 32));
	csv_uint(c, 1 + (bits & 0xffff) % 50000);
	csv_uint(c, r->compiler);
	csv_uint(c, 0x00401000 + 0x40 * (uint64_t)id + (r->line ? 0 : 0x74000000));
	csv_text(c, r->line ? "" : "No line info");
	csv_text(c, r->class_name ? r->class_name : "");
	csv_text(c, r->code_type);
	csv_text(c, r->module);
	csv_text(c, "");
	csv_int(c, r->lines ? -1 : 0);
	csv_text(c, r->name);
	csv_text(c, r->file ? r->file : "");
	if (r->line)
		csv_uint(c, r->line + export_line_shift(s, r));
	else
		csv_text(c, NULL);
	csv_text(c, moniker);
	csv_uint(c, 0);
	csv_text(c, r->unit ? r->unit : "");
	end_row(c, id, s->inst_id, -1, set_routine_rec(s, k));
}

static void
write_routines(const struct world *w, const struct result_set *s, struct csv *c)
{
	for (uint32_t id = 0; id < w->routine_count; id++)
		write_routine(w, s, c, id);
}

static void
write_lines(const struct world *w, const struct result_set *s, struct csv *c)
{
	uint64_t line_id = 0;

	for (uint32_t id = 0; id < w->routine_count; id++) {
		const struct routine *r = &w->routines[routine_of(w, s, id)];
		uint32_t line = r->line + export_line_shift(s, r);

		for (uint32_t k = 0; k < r->lines; k++) {
			csv_uint(c, line + 2 + 3 * k + (line + k) % 2);
			end_row(c, line_id++, s->inst_id, id, k);
		}
	}
}

uint64_t
export_number_step(const struct world *w, uint32_t object)
{
	return 1 + object_bits(w, object) % 3;
}

static void
write_objects(const struct world *w, const struct result_set *s, struct csv *c)
{
	uint64_t number = 0;

	for (uint32_t i = 0; i < s->object_count; i++) {
		const struct stack *stack = &w->stacks[s->objects[i] & ~(uint32_t)NO_STACK];

		number += export_number_step(w, i);
		csv_uint(c, number);
		csv_uint(c, object_address(stack, i));
		csv_uint(c, set_class_rec(s, stack->class_index));
		csv_uint(c, s->inst_id);
		csv_uint(c, object_size(w, stack, i));
		csv_uint(c, set_thread_rec(s, object_thread(w, stack, i)));
		end_row(c, i, s->inst_id, -1, 40 + i + i / 16);
	}
}

/* Live counts match the objects. Every class had more objects earlier, and some classes have no
 * live objects.
 */
static void
write_class(struct csv *c, const struct class_row *row, struct class_sums live, uint64_t bits)
{
	uint64_t peak = live.count + bits % 5 + (live.count ? 0 : 1);
	uint64_t total = peak * (1 + (bits >> 8) % 40) + (bits >> 16) % 7;
	uint64_t bytes = live.count ? live.size / live.count : 0;

	csv_text(c, row->type);
	csv_uint(c, live.count);
	csv_uint(c, live.size);
	csv_text(c, row->module);
	csv_uint(c, peak);
	csv_uint(c, live.size + (peak - live.count) * bytes);
	csv_uint(c, total);
	csv_uint(c, live.size + (total - live.count) * bytes);
}

static void
write_classes(const struct world *w, const struct result_set *s, struct csv *c)
{
	struct class_sums *sums = generate_alloc(w->class_count, sizeof(*sums));

	for (uint32_t i = 0; i < s->object_count; i++) {
		const struct stack *stack = &w->stacks[s->objects[i] & ~(uint32_t)NO_STACK];

		sums[stack->class_index].count++;
		sums[stack->class_index].size += object_size(w, stack, i);
	}
	for (uint32_t k = 0; k < w->class_count; k++) {
		write_class(c, &w->classes[k], sums[k], prng_mix(w->settings->seed + s->after + k));
		end_row(c, k, s->inst_id, -1, set_class_rec(s, k));
	}
	free(sums);
}

static void
write_meta_classes(const struct world *w, const struct result_set *s, struct csv *c)
{
	for (uint32_t k = 0; k < w->class_count; k++) {
		char moniker[128];

		snprintf(moniker, sizeof(moniker), "type:%s@%s", w->classes[k].type,
			w->classes[k].module);
		csv_text(c, w->classes[k].type);
		csv_text(c, w->classes[k].module);
		csv_text(c, moniker);
		end_row(c, k, s->inst_id, -1, set_class_rec(s, k));
	}
}

/* --- call stacks --------------------------------------------------------- */

/* An export table with one result set's stack rows. */
struct stack_table {
	const struct world *w;
	const struct result_set *s;
	struct csv *c;
	uint64_t id; /* the next row's ID */
};

static void
write_frame(struct stack_table *t, uint32_t object, uint32_t position)
{
	const struct stack *stack = &t->w->stacks[t->s->objects[object]];
	const struct frame *f = &t->w->frames[stack->first + position];

	csv_uint(t->c, f->hits);
	csv_int(t->c, f->line);
	csv_uint(t->c, set_routine_rec(t->s, f->routine));
	end_row(t->c, t->id, t->s->inst_id, object, position);
}

static uint32_t
object_depth(const struct world *w, const struct result_set *s, uint32_t object)
{
	return s->objects[object] & NO_STACK ? 0 : w->stacks[s->objects[object]].depth;
}

static void
write_grouped(struct stack_table *t)
{
	for (uint32_t i = 0; i < t->s->object_count; i++)
		for (uint32_t k = 0, depth = object_depth(t->w, t->s, i); k < depth; k++, t->id++)
			write_frame(t, i, k);
}

/* A step of about 0.618 times the row count, coprime to that count, visits each row once, in a
 * scattered order. */
static uint64_t
stride(uint64_t rows)
{
	uint64_t step = rows / 1000 * 618 + 1;

	for (;; step++) {
		uint64_t a = step;
		uint64_t b = rows;

		while (b) {
			uint64_t rest = a % b;

			a = b;
			b = rest;
		}
		if (a == 1)
			return step;
	}
}

/* Returns the object to which row `id` belongs. first[i] is the first row of object i. */
static uint32_t
object_of(const uint64_t *first, uint32_t count, uint64_t id)
{
	uint32_t low = 0;
	uint32_t high = count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (first[middle] <= id)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void
write_shuffled(struct stack_table *t)
{
	const struct result_set *s = t->s;
	uint64_t *first = generate_alloc(s->object_count, sizeof(*first));
	uint64_t rows = 0;

	for (uint32_t i = 0; i < s->object_count; i++) {
		first[i] = rows;
		rows += object_depth(t->w, s, i);
	}
	for (uint64_t n = 0, step = stride(rows); n < rows; n++, t->id = (t->id + step) % rows) {
		uint32_t object = object_of(first, s->object_count, t->id);

		write_frame(t, object, (uint32_t)(t->id - first[object]));
	}
	free(first);
}

static void
write_stacks(const struct world *w, const struct result_set *s, struct csv *c)
{
	struct stack_table t = { .w = w, .s = s, .c = c };

	if (w->settings->shuffled)
		write_shuffled(&t);
	else
		write_grouped(&t);
}

/* --- errors -------------------------------------------------------------- */

/* Each kind of error occurs once, then random kinds follow. */
static const struct api_error *
error_of(uint32_t i, uint64_t bits)
{
	return &error_table[i < error_count ? i : (bits & 0xffff) * error_count >> 16];
}

/* The outer part of an error's stack: the stack of a place that creates a resource. */
static const struct stack *
error_stack(const struct world *w, uint64_t bits)
{
	return &w->stacks[leak_count + (uint32_t)(bits >> 32) % w->settings->stacks];
}

static uint64_t
error_bits(const struct world *w, const struct result_set *s, uint32_t i)
{
	return prng_mix(w->settings->seed + prng_mix(i) + s->inst_id);
}

static void
write_errors(const struct world *w, const struct result_set *s, struct csv *c)
{
	uint32_t per_thread[THREADS] = { 0 };

	for (uint32_t i = 0; i < w->settings->errors; i++) {
		uint64_t bits = error_bits(w, s, i);
		const struct api_error *error = error_of(i, bits);
		uint32_t thread = object_thread(w, error_stack(w, bits), i);

		csv_uint(c, i + 1);
		csv_text(c, error->description);
		csv_int(c, error->code);
		csv_int(c, error->kind);
		csv_text(c, error->function);
		end_row(c, i, s->inst_id, thread, per_thread[thread]++);
	}
}

/* An error's stack consists of the function that failed and the stack of a place that creates a
 * resource. Every eighth error has no stack. */
static void
write_error_stacks(const struct world *w, const struct result_set *s, struct csv *c)
{
	uint64_t id = 0;

	for (uint32_t i = 0; i < w->settings->errors; i++) {
		uint64_t bits = error_bits(w, s, i);
		const struct stack *stack = error_stack(w, bits);

		for (uint32_t k = 0; i % 8 != 7 && k < stack->depth; k++) {
			uint32_t routine = k ? w->frames[stack->first + k].routine
					     : world_find_api(w, error_of(i, bits)->function);

			csv_uint(c, set_routine_rec(s, routine));
			end_row(c, id++, s->inst_id, i, k);
		}
	}
}

static const struct {
	const char *name, *columns;
	void (*write)(const struct world *w, const struct result_set *s, struct csv *c);
} tables[] = {
	{ "INSTANCES", "CAPTION,COUNTER_DESCRIPTION,COUNTER_FREQUENCY,COUNTER_NAME,INST_ID",
		write_instance },
	{ "RELATIONS", "COL_CHILD_TABLE,COL_PARENT_TABLE,ID,INST_ID", write_relations },
	{ "RESOURCE_PROFILER_THREADS", "COL_SIZE,COL_WIN32THREADID,ID,INST_ID,PARENT_ID,REC_ID",
		write_threads },
	{ "RESOURCE_PROFILER_META_ROUTINES",
		"COL_HIT_COUNT,COL_COMPILER,COL_ADDRESS,COL_ANALISYS_RESULT,COL_CLASS_NAME,"
		"COL_CODE_TYPE,COL_MODULE_NAME,COL_NAMESPACE,COL_PROFILELINES,COL_ROUTINE_NAME,"
		"COL_SOURCE_FILE,COL_SOURCE_LINE,COL_SYMBOL_MONIKER,COL_TOKEN,COL_UNIT_NAME,ID,"
		"INST_ID,PARENT_ID,REC_ID",
		write_routines },
	{ "RESOURCE_PROFILER_META_LINES", "COL_SOURCE_LINE,ID,INST_ID,PARENT_ID,REC_ID",
		write_lines },
	{ "RESOURCE_PROFILER_OBJECTS",
		"COL__,COL_ADDRESS,COL_CLASSRID,COL_GET_,COL_SIZE,COL_THREADID,ID,INST_ID,PARENT_ID,"
		"REC_ID",
		write_objects },
	{ "RESOURCE_PROFILER_CLASSES_DATA",
		"COL_CLASS_NAME,COL_LIVE_COUNT,COL_LIVE_SIZE,COL_MODULE_NAME,COL_PEAK_CREATED,"
		"COL_PEAK_SIZE,COL_TOTAL_CREATED,COL_TOTAL_SIZE,ID,INST_ID,PARENT_ID,REC_ID",
		write_classes },
	{ "RESOURCE_PROFILER_META_CLASSES_DATA",
		"COL_CLASS_NAME,COL_MODULE_NAME,COL_SYMBOL_MONIKER,ID,INST_ID,PARENT_ID,REC_ID",
		write_meta_classes },
	{ "RESOURCE_PROFILER_CREATION_CALL_STACK",
		"COL_HIT_COUNT,COL_LINERID,COL_ROUTINERID,ID,INST_ID,PARENT_ID,REC_ID",
		write_stacks },
	{ "RESOURCE_PROFILER_ERRORS",
		"COL__,COL_DESCRIPTION,COL_ERROR_CODE,COL_KIND,COL_NAME,ID,INST_ID,PARENT_ID,REC_ID",
		write_errors },
	{ "RESOURCE_PROFILER_CALL_STACK", "COL_ROUTINERID,ID,INST_ID,PARENT_ID,REC_ID",
		write_error_stacks },
};

void
export_write(const struct world *w)
{
	const uint32_t count = w->settings->sets;
	struct result_set *sets = generate_alloc(count, sizeof(*sets));

	for (uint32_t i = 0; i < count; i++)
		set_fill(w, &sets[i], i);
	for (size_t k = 0; k < sizeof(tables) / sizeof(tables[0]); k++) {
		struct csv *c = csv_open(
			w->settings->out, tables[k].name, tables[k].columns, w->settings->format);

		for (uint32_t i = 0; i < count; i++)
			tables[k].write(w, &sets[i], c);
		csv_close(c);
	}
	if (w->settings->fastmm)
		fastmm_write(w, &sets[0], w->settings->fastmm);
	if (w->settings->crt)
		crt_write(w, &sets[0], w->settings->crt);
	for (uint32_t i = 0; i < count; i++)
		free(sets[i].objects);
	free(sets);
}
