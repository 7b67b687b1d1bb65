/* profdepot label: sets and removes labels. */
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "store/result_sets.h"

struct label_options {
	struct option_list remove;
	const char *caption;
};

static const struct option_spec label_specs[] = {
	{ "remove", 'r', OPTION_LIST, "KEY", "remove this label; may be repeated",
		offsetof(struct label_options, remove), NULL, 0, 0 },
	{ "caption", 0, OPTION_TEXT, "TEXT", "set the caption of the result sets",
		offsetof(struct label_options, caption), NULL, 0, 0 },
	{ .name = NULL },
};

struct operands {
	int64_t *inst_ids;
	size_t inst_id_count;
	struct label *labels;
	size_t label_count;
};

/* An operand that contains '=' is a label; every other one is a result set. */
static bool
sort_operands(const struct command_call *call, struct operands *o, struct error *err)
{
	size_t count = call->operands.count;

	o->inst_ids = arena_alloc_array(call->arena, count, sizeof(*o->inst_ids));
	o->labels = arena_alloc_array(call->arena, count, sizeof(*o->labels));
	for (size_t i = 0; i < count; i++) {
		const char *item = call->operands.items[i];

		if (strchr(item, '=')) {
			if (!label_parse(item, &o->labels[o->label_count++], err))
				return false;
		} else if (!inst_id_parse(item, &o->inst_ids[o->inst_id_count++], err)) {
			return false;
		}
	}
	if (o->inst_id_count == 0)
		return error_set(err, ERROR_USAGE, "no INST_ID was given");
	return true;
}

static int
label_run(struct command_call *call, struct error *err)
{
	const struct label_options *o = call->target;
	struct operands operands = { NULL };
	struct result_set_change change = { .caption = o->caption, .removed_keys = o->remove };
	struct db *db;
	bool ok;

	if (!sort_operands(call, &operands, err))
		return -1;
	change.labels = operands.labels;
	change.label_count = operands.label_count;
	if (!change.caption && !change.label_count && !change.removed_keys.count) {
		error_set(err, ERROR_USAGE, "there is nothing to change");
		error_hint(err, "name a label as KEY=VALUE, or use --remove or --caption");
		return -1;
	}
	db = depot_open(call, DB_ROLE_LOADER, err);
	if (!db)
		return -1;
	ok = result_sets_change(db, operands.inst_ids, operands.inst_id_count, &change, err);
	db_close(db);
	return ok ? 0 : -1;
}

const struct command command_label = {
	.name = "label",
	.operands = "INST_ID... [KEY=VALUE...]",
	.summary = "change the labels or caption of result sets",
	.description =
		"Sets labels, removes labels, or changes the caption of result sets. If a result set "
		"already has a label with this key, its value is replaced. The change applies to all "
		"result sets, or fails for all.",
	.options = label_specs,
	.target_size = sizeof(struct label_options),
	.run = label_run,
};
