/* profdepot stream: the histories that result sets belong to. */
#include "base/strbuf.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "render/render.h"
#include "store/runs.h"

#include <string.h>

enum {
	LABELS_MAX_BYTES = 64 * 1024
};

struct stream_options {
	const char *output;
};

static const struct option_spec specs[] = {
	{ "output", 0, OPTION_CHOICE, "FORMAT", "list: output format",
		offsetof(struct stream_options, output), RENDERER_CHOICES },
	{ .name = NULL },
};

static bool
do_list(struct command_call *call, struct db *db, struct error *err)
{
	const struct stream_options *o = call->target;

	return depot_print_rows(call, o->output, &streams_head, streams_list(db, err), err);
}

/* Stores the label keys after the verb as one text, such as "branch,platform". */
static bool
do_set(struct command_call *call, struct db *db, struct error *err)
{
	struct strbuf keys;
	bool ok = true;

	strbuf_init(&keys, LABELS_MAX_BYTES);
	for (size_t i = 1; ok && i < call->operands.count; i++) {
		const char *key = call->operands.items[i];

		strbuf_append_str(&keys, i > 1 ? "," : "");
		strbuf_append_str(&keys, key);
		if (!*key || strpbrk(key, ",="))
			ok = error_set(err, ERROR_USAGE, "\"%s\" is not a valid label key", key);
		else if (strcmp(key, "run") == 0)
			ok = error_set(err, ERROR_USAGE, "no result set has a label named run");
	}
	ok = ok && stream_labels_set(db, strbuf_str(&keys), err);
	strbuf_release(&keys);
	return ok;
}

/* Stores the labels after the verb as one text, such as "branch=main,platform=linux". */
static bool
do_parent(struct command_call *call, struct db *db, struct error *err)
{
	struct strbuf labels;
	bool ok = true;

	strbuf_init(&labels, LABELS_MAX_BYTES);
	for (size_t i = 1; ok && i < call->operands.count; i++) {
		const char *item = call->operands.items[i];

		strbuf_append_str(&labels, i > 1 ? "," : "");
		strbuf_append_str(&labels, item);
		if (!strchr(item, '=') || *item == '=' || strchr(item, ','))
			ok = error_set(err, ERROR_USAGE, "\"%s\" is not a valid label", item);
	}
	ok = ok && stream_parent_set(db, strbuf_str(&labels), err);
	strbuf_release(&labels);
	return ok;
}

static int
stream_run(struct command_call *call, struct error *err)
{
	const char *verb = call->operands.count ? call->operands.items[0] : "";

	if (strcmp(verb, "list") == 0 && call->operands.count == 1)
		return depot_run(call, DB_ROLE_READER, do_list, err);
	if (strcmp(verb, "set") == 0)
		return depot_run(call, DB_ROLE_LOADER, do_set, err);
	if (strcmp(verb, "parent") == 0)
		return depot_run(call, DB_ROLE_LOADER, do_parent, err);
	error_set(err, ERROR_USAGE, "expected list, set or parent");
	error_hint(err, "profdepot stream list, profdepot stream set KEY..., or profdepot stream "
			"parent KEY=VALUE...");
	return -1;
}

const struct command command_stream = {
	.name = "stream",
	.operands = "list|set|parent [LABEL...]",
	.summary = "list the histories of result sets, and choose the labels that separate them",
	.description =
		"A stream is an ordered history of runs: the result sets of one application that have "
		"the same values of certain labels, by default of the label branch.\n\n"
		"list shows the streams, the one with the newest result set first. It counts at most 1000 "
		"result sets and 1000 runs of a stream.\n\n"
		"set chooses the labels whose values separate the streams. Without LABEL, each "
		"application has one stream.\n\n"
		"parent sets the labels of the parent stream, by default branch=main. The other streams "
		"of an application branch off from the parent stream. A finding that the parent had before the branch "
		"began is not new on the branch. Without LABEL no stream has a parent.",
	.options = specs,
	.target_size = sizeof(struct stream_options),
	.defaults = &(const struct stream_options){ .output = "text" },
	.run = stream_run,
};
