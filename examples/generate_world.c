#include "generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NAME_BYTES_MAX = 400, /* total length of an invented routine's names */
	LAYERS = 5,
	BRANCHES = 4,    /* number of callees from which the walk chooses */
	WALKS_MAX = 1000 /* maximum attempts to find a new stack */
};

uint64_t
prng_mix(uint64_t v)
{
	v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9u;
	v = (v ^ (v >> 27)) * 0x94d049bb133111ebu;
	return v ^ (v >> 31);
}

uint64_t
prng_next(struct prng *p)
{
	p->state += 0x9e3779b97f4a7c15u;
	return prng_mix(p->state);
}

uint32_t
prng_below(struct prng *p, uint32_t limit)
{
	return (uint32_t)(((prng_next(p) >> 32) * limit) >> 32);
}

/* --- routines ------------------------------------------------------------ */

uint32_t
world_find_api(const struct world *w, const char *name)
{
	for (uint32_t i = 0; i < w->routine_count; i++)
		if (strcmp(w->routines[i].name, name) == 0)
			return i;
	return w->routine_count;
}

static void
add_api(struct world *w, const char *dll, const char *name)
{
	if (world_find_api(w, name) == w->routine_count)
		w->routines[w->routine_count++] =
			(struct routine){ .module = dll, .name = name, .code_type = "x86" };
}

/* Adds the functions of api_table, so that routine i is api_table[i]. Then adds the functions that
 * occur only in errors. */
static void
add_apis(struct world *w)
{
	for (size_t i = 0; i < api_count; i++)
		add_api(w, api_table[i].dll, api_table[i].name);
	for (size_t i = 0; i < error_count; i++)
		add_api(w, error_table[i].dll, error_table[i].function);
}

static void
add_known(struct world *w, const struct known_routine *known, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bool cpp = known[i].file && strstr(known[i].file, ".cpp");

		w->routines[w->routine_count++] = (struct routine){
			.module = known[i].module,
			.class_name = known[i].class_name,
			.name = known[i].name,
			.unit = known[i].unit,
			.file = known[i].file,
			.code_type = "x86",
			.line = known[i].line,
			.lines = known[i].line ? 4 + known[i].line % 5 : 0,
			.compiler = !known[i].line ? 0
				    : cpp          ? 7
						   : 2,
		};
	}
}

static const char *
join_name(struct world *w, const char *a, const char *b, const char *c, const char *d)
{
	char *out = w->names + w->names_size;

	w->names_size += (size_t)snprintf(out, NAME_BYTES_MAX / 4, "%s%s%s%s", a, b, c, d) + 1;
	return out;
}

/* Eight routines form a class, and each class has its own unit. No two routines share all their names.
 */
static void
add_invented(struct world *w, uint32_t k, uint32_t count)
{
	static const char *const prefixes[2][8] = { { "", "", "", "", "", "", "Do", "Begin" },
		{ "", "", "", "", "", "", "do_", "try_" } };
	uint32_t layer = (uint32_t)((uint64_t)k * LAYERS / count);
	uint32_t unit = k / 8;
	const uint32_t cycle = NOUNS * 4;
	const struct application_module *module = &module_table[unit * 7 / 3 % MODULES];
	const char *suffix = name_suffix(layer, unit / NOUNS);
	char number[12] = "";
	char folder[32];
	const char *stem;

	if (unit >= cycle)
		snprintf(number, sizeof(number), "%u", unit / cycle + 1);
	snprintf(folder, sizeof(folder), "src\\%s\\", module->folder);
	stem = join_name(w, noun_table[unit % NOUNS], suffix, number, "");
	w->routines[w->routine_count++] = (struct routine){
		.module = module->file,
		.class_name = join_name(w, module->cpp ? "orders::" : "T", stem, "", ""),
		.name = join_name(w, prefixes[module->cpp][k % 8],
			name_method(layer, k, module->cpp), "", ""),
		.unit = stem,
		.file = join_name(w, folder, stem, module->cpp ? ".cpp" : ".pas", ""),
		.code_type = "x86",
		.line = 40 + k % 8 * 37 + unit % 29,
		.lines = 4 + (uint32_t)(prng_mix(k) % 9),
		.compiler = module->compiler,
	};
}

static void
build_routines(struct world *w)
{
	size_t known =
		api_count + error_count + known_main_count + known_worker_count + known_story_count;
	uint32_t invented;

	w->routines = generate_alloc(known + LAYERS + w->settings->routines, sizeof(*w->routines));
	add_apis(w);
	w->first_main = w->routine_count;
	add_known(w, known_main, known_main_count);
	w->first_worker = w->routine_count;
	add_known(w, known_worker, known_worker_count);
	w->first_story = w->routine_count;
	add_known(w, known_story, known_story_count);
	w->first_invented = w->routine_count;
	invented = w->settings->routines > w->routine_count + LAYERS
			   ? w->settings->routines - w->routine_count
			   : LAYERS;
	w->names = generate_alloc(invented, NAME_BYTES_MAX);
	for (uint32_t k = 0; k < invented; k++)
		add_invented(w, k, invented);
}

/* --- stacks -------------------------------------------------------------- */

static uint32_t
class_of(struct world *w, const char *type, const char *module)
{
	uint32_t i;

	for (i = 0; i < w->class_count; i++)
		if (strcmp(w->classes[i].type, type) == 0 &&
			strcmp(w->classes[i].module, module) == 0)
			return i;
	w->classes[w->class_count++] = (struct class_row){ .type = type, .module = module };
	return i;
}

/* `edge` is the call's number within the routine. It determines the line and the hit count. */
static void
push_frame(struct world *w, struct stack *s, uint32_t routine, uint64_t edge)
{
	uint32_t lines = w->routines[routine].lines;
	uint64_t bits = prng_mix(edge);

	w->frames[s->first + s->depth++] = (struct frame){
		.routine = routine,
		.line = lines ? (int32_t)(bits % lines) : -1,
		.hits = bits >> 60 < 12 ? 1 : (uint32_t)(bits >> 56 & 3),
	};
}

static uint32_t
root_depth(bool worker)
{
	return (uint32_t)(worker ? known_worker_count + 1 : known_main_count);
}

/* Pushes a thread's start frames, without the outermost frames if there is no room for them. */
static void
push_root(struct world *w, struct stack *s, uint32_t room)
{
	uint32_t last = w->first_main + (uint32_t)known_main_count - 1;
	uint32_t depth = root_depth(s->worker);

	for (uint32_t i = 0; i < depth && i < room; i++)
		push_frame(w, s,
			i + 1 == depth ? last : (s->worker ? w->first_worker : w->first_main) + i,
			i);
}

static void
stack_finish(struct world *w, struct stack *s)
{
	const struct frame *caller = &w->frames[s->first + (s->depth > 1 ? 1 : 0)];

	s->class_index = class_of(w, api_table[s->api].type, w->routines[caller->routine].module);
	w->frame_count += s->depth;
	w->stack_count++;
}

static void
build_story(struct world *w)
{
	for (size_t k = 0; k < leak_count; k++) {
		struct stack *s = &w->stacks[w->stack_count];

		*s = (struct stack){
			.first = w->frame_count,
			.api = world_find_api(w, leak_table[k].api),
			.worker = leak_table[k].worker,
		};
		push_frame(w, s, s->api, 0);
		for (size_t i = 0; leak_table[k].frames[i] != STORY_END; i++) {
			uint32_t callee = w->frames[w->frame_count + s->depth - 1].routine;

			push_frame(w, s, w->first_story + leak_table[k].frames[i], callee);
		}
		push_root(w, s, DEPTH_MAX);
		stack_finish(w, s);
	}
}

static uint32_t
choose_api(struct prng *p)
{
	unsigned sum = 0;
	uint32_t chosen;
	uint32_t i = 0;

	for (size_t k = 0; k < api_count; k++)
		sum += api_table[k].weight;
	for (chosen = prng_below(p, sum); chosen >= api_table[i].weight; i++)
		chosen -= api_table[i].weight;
	return i;
}

/*
 * Walks through the call graph, starting with the outermost frame of the thread. A routine calls
 * BRANCHES other routines of its own or the next layer, so that stacks share their outer frames as
 * in real programs. Sometimes a routine calls itself.
 */
static void
walk(struct world *w, struct stack *s, struct prng *p, uint32_t depth)
{
	uint32_t root = root_depth(s->worker);
	uint32_t invented = w->routine_count - w->first_invented;
	uint32_t frames = depth > root + 2 ? depth - 1 - root : depth > 2 ? 1 : depth - 1;
	uint32_t path[DEPTH_MAX];
	uint64_t edges[DEPTH_MAX];
	uint64_t edge = s->worker;

	for (uint32_t i = 0; i < frames; i++) {
		uint32_t layer = (uint32_t)((uint64_t)i * LAYERS / frames);
		uint32_t low = (uint32_t)((uint64_t)invented * layer / LAYERS);
		uint32_t high = (uint32_t)((uint64_t)invented * (layer + 1) / LAYERS);
		uint32_t span = high > low ? high - low : 1;
		bool again = i > 0 && prng_below(p, 24) == 0;

		edge = prng_mix(edge * BRANCHES + prng_below(p, BRANCHES) + 1);
		edges[i] = edge;
		path[i] = again ? path[i - 1] : w->first_invented + low + (uint32_t)(edge % span);
		edge = path[i] ^ edge >> 56;
	}
	push_frame(w, s, s->api, 0);
	for (uint32_t i = frames; i > 0; i--)
		push_frame(w, s, path[i - 1], edges[i - 1]);
	push_root(w, s, depth - 1 - frames);
}

static uint64_t
stack_hash(const struct world *w, const struct stack *s)
{
	uint64_t h = s->depth;

	for (uint32_t i = 0; i < s->depth; i++) {
		const struct frame *f = &w->frames[s->first + i];

		h = prng_mix(h ^ ((uint64_t)f->routine << 32 | (uint32_t)(f->line + 1)));
	}
	return h | 1;
}

/* Returns false if the hash is already in the table. The table's size is a power of two. */
static bool
add_hash(uint64_t *table, size_t size, uint64_t hash)
{
	size_t i = hash & (size - 1);

	for (; table[i]; i = (i + 1) & (size - 1))
		if (table[i] == hash)
			return false;
	table[i] = hash;
	return true;
}

static void
build_stacks(struct world *w)
{
	const struct settings *set = w->settings;
	struct prng p = { .state = set->seed };
	size_t size = 1024;
	uint64_t *seen;

	while (size < (size_t)set->stacks * 2)
		size *= 2;
	seen = generate_alloc(size, sizeof(*seen));
	for (uint32_t k = 0; k < set->stacks; k++) {
		struct stack *s = &w->stacks[w->stack_count];
		unsigned tries = 0;

		do {
			if (tries++ == WALKS_MAX)
				generate_fail(
					"that many stacks need more depth or routines", "--stacks");
			*s = (struct stack){
				.first = w->frame_count,
				.api = choose_api(&p),
				.worker = prng_below(&p, 3) == 0,
			};
			walk(w, s, &p,
				set->depth_min +
					prng_below(&p, set->depth_max - set->depth_min + 1));
		} while (!add_hash(seen, size, stack_hash(w, s)));
		stack_finish(w, s);
	}
	free(seen);
}

void
world_build(struct world *w, const struct settings *settings)
{
	size_t stacks = leak_count + settings->stacks;

	*w = (struct world){ .settings = settings };
	build_routines(w);
	w->classes = generate_alloc(api_count * w->routine_count, sizeof(*w->classes));
	w->stacks = generate_alloc(stacks, sizeof(*w->stacks));
	w->frames = generate_alloc(leak_count * 16 + (size_t)settings->stacks * settings->depth_max,
		sizeof(*w->frames));
	build_story(w);
	build_stacks(w);
}

void
world_release(struct world *w)
{
	free(w->routines);
	free(w->names);
	free(w->classes);
	free(w->stacks);
	free(w->frames);
}
