/* profdepot label: changes labels, captions and applications. */
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "store/result_sets.h"

struct label_options {
	struct result_set_change change;
	int64_t *inst_ids;
	size_t inst_id_count;
};

static const struct option_spec label_specs[] = {
	{ "remove", 'r', OPTION_LIST, "KEY", "remove this label; may be repeated",
		offsetof(struct label_options, change.removed_keys) },
	{ "caption", 0, OPTION_TEXT, "TEXT", "set the caption of the result sets",
		offsetof(struct label_options, change.caption) },
	{ "application", 0, OPTION_TEXT, "NAME",
		"set the application of the result sets; an empty name removes it",
		offsetof(struct label_options, change.application) },
	{ .name = NULL },
};

/* An operand that contains '=' is a label; any other operand is an INST_ID. */
static bool
sort_operands(const struct command_call *call, struct error *err)
{
	struct label_options *o = call->target;
	size_t count = call->operands.count;
	struct label *labels = arena_alloc_array(call->arena, count, sizeof(*labels));

	o->inst_ids = arena_alloc_array(call->arena, count, sizeof(*o->inst_ids));
	o->change.labels = labels;
	for (size_t i = 0; i < count; i++) {
		const char *item = call->operands.items[i];

		if (strchr(item, '=')) {
			if (!label_parse_new(item, &labels[o->change.label_count++], err))
				return false;
		} else if (!inst_id_parse(item, &o->inst_ids[o->inst_id_count++], err)) {
			return false;
		}
	}
	if (o->inst_id_count == 0)
		return error_set(err, ERROR_USAGE, "no INST_ID was given");
	return true;
}

static bool
change_sets(struct command_call *call, struct db *db, struct error *err)
{
	const struct label_options *o = call->target;

	return result_sets_change(db, o->inst_ids, o->inst_id_count, &o->change, err);
}

static int
label_run(struct command_call *call, struct error *err)
{
	const struct label_options *o = call->target;
	const struct result_set_change *c = &o->change;

	if (!sort_operands(call, err))
		return -1;
	if (!c->caption && !c->application && !c->label_count && !c->removed_keys.count) {
		error_set(err, ERROR_USAGE, "there is nothing to change");
		error_hint(err,
			"write a label as KEY=VALUE, or use --remove, --caption or --application");
		return -1;
	}
	return depot_run(call, DB_ROLE_LOADER, change_sets, err);
}

const struct command command_label = {
	.name = "label",
	.operands = "INST_ID... [KEY=VALUE...]",
	.summary = "change the labels, caption or application of result sets",
	.description =
		"Sets labels, removes labels, or changes the caption or the application of result sets. If a "
		"result set already has a label with the same key, the new value replaces the old one. The "
		"change applies to all result sets, or fails for all.\n\n"
		"If the application or a label that identifies a stream changes, the runs move to another stream. "
		"The ledger records the change, so \"profdepot history --as-of\" still gives the same answers "
		"for earlier ledger numbers.",
	.options = label_specs,
	.target_size = sizeof(struct label_options),
	.run = label_run,
};
