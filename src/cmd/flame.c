/* profdepot flame: writes flame graphs. */
#include "render/flame.h"
#include "analysis/trees.h"
#include "app/trees.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "cmd/output_file.h"
#include "db/connection.h"
#include "store/set_names.h"

#include <stddef.h>

enum {
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
	const struct flame_writer *writer;
};

#define MEMBER(m) offsetof(struct flame_command_options, m)
static const struct option_spec specs[] = {
	{ "metric", 'm', OPTION_TEXT, "NAME",
		"the metric to show; default: the first that \"profdepot show\" lists",
		MEMBER(metric) },
	{ "base", 0, OPTION_TEXT, "SET",
		"show the change since this result set: an INST_ID, latest~1, label:KEY=VALUE",
		MEMBER(base) },
	{ "normalize", 0, OPTION_FLAG, NULL, "with --base: compare shares instead of values",
		MEMBER(normalized) },
	{ "invert", 0, OPTION_FLAG, NULL,
		"start with the innermost frames and show their callers below", MEMBER(inverted) },
	{ "focus", 0, OPTION_LIST, "GLOB", "only calls below frames that match", MEMBER(focus) },
	{ "ignore", 0, OPTION_LIST, "GLOB", "omit calls below frames that match", MEMBER(ignore) },
	{ "min-share", 0, OPTION_TEXT, "PERCENT", "omit calls with a smaller share of the total",
		MEMBER(min_share) },
	{ "max-nodes", 0, OPTION_INT, "N", "only the N widest calls; default 8192, 0 means all",
		MEMBER(max_nodes), NULL, 0, INT64_C(16) * 1024 * 1024 },
	{ "width", 0, OPTION_INT, "PIXELS", "width of the picture; default 1200", MEMBER(width),
		NULL, FLAME_MIN_WIDTH, FLAME_MAX_WIDTH },
	{ "layout", 0, OPTION_CHOICE, "LAYOUT", "root at the bottom (flame) or at the top (icicle)",
		MEMBER(layout), "flame|icicle" },
	{ "title", 0, OPTION_TEXT, "TEXT", "title of the picture", MEMBER(title) },
	{ "out", 'o', OPTION_TEXT, "FILE", "write to this file, completely or not at all",
		MEMBER(out) },
	{ "output", 0, OPTION_CHOICE, "FORMAT",
		"output format; default: from the file name's extension, else svg", MEMBER(format),
		FLAME_CHOICES },
	{ "timeout", 0, OPTION_INT, "SECONDS", "cancel a query after this time; 0 means never",
		MEMBER(timeout), NULL, 0, 1000000 },
	{ .name = NULL },
};
#undef MEMBER

/* Returns the format that --output names or, without --output, the format of the file name's
 * extension. NULL on error. */
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
	error_set(err, ERROR_USAGE, "cannot choose a format from the name %s", o->out);
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
	fprintf(stderr, "folded values are scaled to whole numbers, in units of %.*s times 10^%d\n",
		text_precision(t->unit, 50), t->unit.data, scale);
}

static bool
write_flame(struct command_call *call, const struct tree *t, struct error *err)
{
	const struct flame_command_options *o = call->target;
	const struct flame_writer *w = o->writer;
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

static bool
draw(struct command_call *call, struct db *db, struct error *err)
{
	const struct flame_command_options *o = call->target;
	const struct tree *t;
	struct tree_request q;

	if (!db_begin_snapshot(db, err) || !db_set_timeout(db, o->timeout * 1000, err) ||
		!db_exec(db, "SET LOCAL jit = off; SET LOCAL work_mem = '64MB'", err) ||
		!make_request(call, db, &q, err))
		return false;
	t = trees_make(db, call->arena, &q, err);
	if (t && text_is_null(t->metric)) {
		error_set(err, ERROR_NOT_FOUND, "result set %lld has no call tree",
			(long long)q.inst_id);
		return error_hint(
			err, "\"profdepot show %lld\" describes it", (long long)q.inst_id);
	}
	return t && write_flame(call, t, err);
}

static int
flame_run(struct command_call *call, struct error *err)
{
	struct flame_command_options *o = call->target;

	o->writer = choose_writer(o, err);
	if (!o->writer)
		return -1;
	if (call->operands.count > 1) {
		error_set(err, ERROR_USAGE, "flame shows one result set");
		error_hint(err, "--base SET compares it with another");
		return -1;
	}
	return depot_run(call, DB_ROLE_READER, draw, err);
}

const struct command command_flame = {
	.name = "flame",
	.operands = "[SET]",
	.summary = "draw a flame graph of a result set, or of the change between two result sets",
	.description =
		"Draws where objects, errors, samples or time come from. Without SET it shows the result "
		"set that was loaded last.\n\n"
		"SET is an INST_ID, " COMMAND_SET_NAMES
		". With --base, \"latest\" and \"label:KEY=VALUE\" find the newest result set that "
		"was loaded before SET.\n\n"
		"The width of a frame is its share of the metric. The frames that it called are above "
		"it, widest first. Colours distinguish modules. With --base, orange frames "
		"have grown and blue frames have shrunk; a frame is as wide as the larger of its "
		"two values, so frames that are gone remain visible. --normalize scales the older "
		"values so that both totals are equal, to compare runs of different lengths.\n\n"
		"svg and html are self-contained and work in any browser: hover over a frame for "
		"its values, click it or press Enter to zoom, use the arrow keys to move and "
		"Escape to return, and search with regular expressions. d3-flame-graph reads "
		"json; most other tools read folded.\n\n"
		"In a GLOB, * matches any characters and ? matches a single one; case is ignored. "
		"A GLOB is matched against the routine, Class.routine and module of a frame.",
	.options = specs,
	.target_size = sizeof(struct flame_command_options),
	.defaults = &(const struct flame_command_options){ .width = FLAME_WIDTH,
		.max_nodes = TREES_MAX_NODES,
		.timeout = REPORT_TIMEOUT_SECONDS },
	.run = flame_run,
};
