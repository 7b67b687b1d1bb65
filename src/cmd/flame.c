/* profdepot flame: writes flame graphs. */
#include "render/flame.h"
#include "analysis/trees.h"
#include "app/trees.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "db/connection.h"
#include "output_file.h"
#include "store/set_names.h"

#include <stddef.h>

enum {
	TIMEOUT_SECONDS = 600,
	HOT_FRAMES = 20
};

struct flame_command_options {
	const char *metric;
	bool inverted;
	const char *base;
	bool normalized;
	int64_t width, max_nodes;
	struct option_list focus, ignore;
	const char *min_share;
	const char *title;
	const char *layout;
	const char *out;
	const char *format;
	int64_t timeout;
};

static void
flame_defaults(void *target)
{
	struct flame_command_options *o = target;

	o->width = FLAME_WIDTH;
	o->max_nodes = TREES_MAX_NODES;
	o->timeout = TIMEOUT_SECONDS;
}

#define MEMBER(m) offsetof(struct flame_command_options, m)
static const struct option_spec specs[] = {
	{ "metric", 'm', OPTION_TEXT, "NAME",
		"the metric to show; default: the result set's first metric", MEMBER(metric), NULL,
		0, 0 },
	{ "base", 0, OPTION_TEXT, "SET",
		"show the change since this result set: an INST_ID, latest~1, label:KEY=VALUE",
		MEMBER(base), NULL, 0, 0 },
	{ "normalize", 0, OPTION_FLAG, NULL, "with --base: compare shares instead of values",
		MEMBER(normalized), NULL, 0, 0 },
	{ "invert", 0, OPTION_FLAG, NULL,
		"start with the innermost frames and show their callers below", MEMBER(inverted),
		NULL, 0, 0 },
	{ "focus", 0, OPTION_LIST, "GLOB", "only calls below such a frame", MEMBER(focus), NULL, 0,
		0 },
	{ "ignore", 0, OPTION_LIST, "GLOB", "no calls below such a frame", MEMBER(ignore), NULL, 0,
		0 },
	{ "min-share", 0, OPTION_TEXT, "PERCENT",
		"leave out calls with a smaller share of the total", MEMBER(min_share), NULL, 0,
		0 },
	{ "max-nodes", 0, OPTION_INT, "N", "only the N widest calls; default 8192, 0 means all",
		MEMBER(max_nodes), NULL, 0, INT64_C(16) * 1024 * 1024 },
	{ "width", 0, OPTION_INT, "PIXELS", "width of the picture; default 1200", MEMBER(width),
		NULL, FLAME_MIN_WIDTH, FLAME_MAX_WIDTH },
	{ "layout", 0, OPTION_CHOICE, "LAYOUT", "root at the bottom (flame) or at the top (icicle)",
		MEMBER(layout), "flame|icicle", 0, 0 },
	{ "title", 0, OPTION_TEXT, "TEXT", "title of the picture", MEMBER(title), NULL, 0, 0 },
	{ "out", 'o', OPTION_TEXT, "FILE", "write to this file, completely or not at all",
		MEMBER(out), NULL, 0, 0 },
	{ "output", 0, OPTION_CHOICE, "FORMAT",
		"output format; default: from the file name's extension, else svg", MEMBER(format),
		FLAME_CHOICES, 0, 0 },
	{ "timeout", 0, OPTION_INT, "SECONDS", "cancel a query after this time; 0 means never",
		MEMBER(timeout), NULL, 0, 1000000 },
	{ .name = NULL },
};
#undef MEMBER

/* The format from --output, or else from the file name's extension. NULL on error. */
static const struct flame_writer *
choose_writer(const struct flame_command_options *o, struct error *err)
{
	const char *dot = o->out ? strrchr(o->out, '.') : NULL;
	const struct flame_writer *w;

	if (o->format)
		return flame_writer_find(o->format);
	if (!o->out || strcmp(o->out, "-") == 0)
		return flame_writer_find("svg");
	w = dot ? flame_writer_find(dot + 1) : NULL;
	if (w)
		return w;
	error_set(err, ERROR_USAGE, "cannot choose a format by the name %s", o->out);
	error_hint(err, "end it with .svg, .html, .json or .folded, or use --output");
	return NULL;
}

static bool
make_request(struct command_call *call, struct db *db, struct tree_request *q, struct error *err)
{
	const struct flame_command_options *o = call->target;
	const char *set;

	*q = (struct tree_request){ .metric = o->metric,
		.inverted = o->inverted,
		.normalized = o->normalized,
		.focus = o->focus,
		.ignore = o->ignore,
		.max_nodes = (size_t)o->max_nodes };
	if (o->min_share && !trees_parse_share(o->min_share, &q->min_share, err))
		return error_prefix(err, "option --min-share");
	if (o->normalized && !o->base) {
		error_set(err, ERROR_USAGE, "--normalize needs a result set to compare with");
		return error_hint(err, "use --base SET");
	}
	set = call->operands.count ? call->operands.items[0] : "latest";
	if (!set_name_find(db, set, 0, &q->inst_id, err))
		return false;
	if (o->base && !set_name_find(db, o->base, q->inst_id, &q->base_id, err))
		return error_prefix(err, "option --base");
	return true;
}

static void
print_scale(const struct tree *t)
{
	int scale = flame_folded_scale(t);

	if (scale == 0)
		return;
	fprintf(stderr, "folded values are whole numbers: %.*s times 10^%d\n",
		text_precision(t->unit, 50), t->unit.data, scale);
}

static bool
write_flame(struct command_call *call, const struct flame_writer *w, const struct tree *t,
	struct error *err)
{
	const struct flame_command_options *o = call->target;
	struct flame_options options = { .width = (unsigned)o->width, .title = o->title };
	struct output_file file;
	size_t frames;
	bool ok;

	if (o->layout)
		options.layout =
			strcmp(o->layout, "flame") == 0 ? FLAME_ROOT_BELOW : FLAME_ROOT_ABOVE;
	if (strcmp(w->name, "html") == 0) {
		options.frames = tree_frames(call->arena, t, &frames);
		options.frame_count = frames < HOT_FRAMES ? frames : HOT_FRAMES;
	}
	if (!output_file_open(&file, o->out, call->out, err))
		return false;
	ok = w->write(file.stream, t, &options, err);
	if (!output_file_close(&file, ok, err) || !ok)
		return false;
	if (strcmp(w->name, "folded") == 0)
		print_scale(t);
	return true;
}

static int
flame_run(struct command_call *call, struct error *err)
{
	const struct flame_command_options *o = call->target;
	const struct flame_writer *w = choose_writer(o, err);
	struct tree_request q;
	const struct tree *t = NULL;
	struct db *db;
	bool ok;

	if (!w)
		return -1;
	if (call->operands.count > 1) {
		error_set(err, ERROR_USAGE, "flame shows one result set");
		error_hint(err, "--base SET compares it with another");
		return -1;
	}
	db = depot_open(call, DB_ROLE_READER, err);
	if (!db)
		return -1;
	ok = db_begin_snapshot(db, err) && db_set_timeout(db, o->timeout * 1000, err) &&
	     db_exec(db, "SET LOCAL jit = off; SET LOCAL work_mem = '64MB'", err) &&
	     make_request(call, db, &q, err);
	if (ok)
		t = trees_make(db, call->arena, &q, err);
	if (t && text_is_null(t->metric)) {
		t = NULL;
		error_set(err, ERROR_NOT_FOUND, "result set %lld has no call tree",
			(long long)q.inst_id);
		error_hint(err, "\"profdepot show %lld\" describes it", (long long)q.inst_id);
	}
	db_close(db);
	return t && write_flame(call, w, t, err) ? 0 : -1;
}

const struct command command_flame = {
	.name = "flame",
	.operands = "[SET]",
	.summary = "draw a flame graph of a result set, or of the change between two",
	.description =
		"Draws where objects, errors, samples or time come from. Without SET it shows the result "
		"set that was loaded last.\n\n"
		"SET is an INST_ID, " COMMAND_SET_NAMES
		". With --base these words find the newest result set that was loaded before SET.\n\n"
		"The width of a frame is its share of the metric. The frames that it called are on top of "
		"it, widest first. Colours distinguish modules. With --base orange frames have grown and "
		"blue frames have shrunk; a frame is as wide as the larger of its two values, so frames "
		"that are gone remain visible. --normalize scales the older values so that both totals "
		"are equal, to compare runs of different length.\n\n"
		"svg and html are self-contained and work in any browser: hover over a frame for its "
		"values, click it or press Enter to zoom, use the arrow keys to move and Escape to "
		"return, and search with regular expressions. d3-flame-graph reads json; most other tools "
		"read folded.\n\n"
		"In a GLOB, * matches any run of characters and ? any character; case is ignored. It is "
		"matched against the routine, Class.routine and module of a frame.",
	.options = specs,
	.target_size = sizeof(struct flame_command_options),
	.defaults = flame_defaults,
	.run = flame_run,
};
