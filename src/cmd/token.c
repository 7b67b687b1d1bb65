/* profdepot token: manages the service's tokens. */
#include "cmd/commands.h"
#include "render/render.h"
#include "service/tokens.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

struct token_options {
	const char *token_file, *scope, *expires, *output;
};

static const struct option_spec token_specs[] = {
	{ "token-file", 0, OPTION_TEXT, "FILE",
		"the file that holds the tokens; \"token add\" creates it if it does not exist",
		offsetof(struct token_options, token_file) },
	{ "scope", 0, OPTION_TEXT, "SCOPE[,SCOPE...]",
		"add: what the token permits: read, ingest, review, sql and admin; default read",
		offsetof(struct token_options, scope) },
	{ "expires", 0, OPTION_TEXT, "YYYY-MM-DD",
		"add: the last day (UTC) on which the token is valid; default: no end",
		offsetof(struct token_options, expires) },
	{ "output", 0, OPTION_CHOICE, "FORMAT", "list: output format",
		offsetof(struct token_options, output), RENDERER_CHOICES },
	{ .name = NULL },
};

static bool
do_add(struct command_call *call, struct error *err)
{
	const struct token_options *o = call->target;
	char token[TOKEN_BYTES];
	unsigned scopes;

	if (!token_scopes_parse(o->scope ? o->scope : "read", &scopes, err) ||
		!token_add(o->token_file, call->operands.items[1], scopes,
			o->expires ? o->expires : "never", token, err))
		return false;
	fprintf(call->out, "%s\n", token);
	if (fflush(call->out) == 0)
		return true;
	return error_set_errno(err, ERROR_FILE, "the token was created but cannot be printed");
}

static bool
do_revoke(struct command_call *call, struct error *err)
{
	const struct token_options *o = call->target;

	return token_revoke(o->token_file, call->operands.items[1], err);
}

static const struct table_column list_columns[] = {
	{ .key = "name", .title = "Name" },
	{ .key = "scopes", .title = "Scopes" },
	{ .key = "expires", .title = "Expires" },
	{ .key = "expired", .title = "Expired", .kind = TABLE_BOOL },
};

static bool
print_tokens(struct table_sink *sink, struct tokens *t, struct error *err)
{
	static const char *const no_notes[] = { NULL };
	const struct table_head head = { "token", "Tokens", TABLE_GRID, list_columns,
		sizeof(list_columns) / sizeof(list_columns[0]) };
	const struct table_set set = { .inst_id = TEXT_NULL };
	struct table_cell totals[4] = { { .text = TEXT_NULL } };
	const struct table_foot foot = { .rows = tokens_count(t),
		.all_rows = tokens_count(t),
		.totals = totals,
		.notes = no_notes };

	if (!sink->begin(sink, &head, err) || !sink->set_begin(sink, &set, err))
		return false;
	for (size_t i = 0; i < tokens_count(t); i++) {
		const struct token *k = tokens_at(t, i);
		char scopes[32];
		const struct table_cell cells[] = {
			{ .text = text_from(k->name) },
			{ .text = text_from(token_scopes_text(k->scopes, scopes)) },
			{ .text = text_from(k->expiry) },
			{ .text = text_from(token_is_past(k->expiry) ? "t" : "f") },
		};

		if (!sink->row(sink, cells, err))
			return false;
	}
	return sink->set_end(sink, &foot, err) && sink->end(sink, err);
}

/* Unlike the server, these verbs fail if the token file does not exist, because its name is
 * probably mistyped. */
static bool
is_there(const char *path, struct error *err)
{
	if (access(path, F_OK) == 0 || errno != ENOENT)
		return true;
	error_set(err, ERROR_NOT_FOUND, "there is no token file %s", path);
	return error_hint(err, "\"profdepot token add\" creates it");
}

static bool
do_list(struct command_call *call, struct error *err)
{
	const struct token_options *o = call->target;
	const struct renderer *renderer = renderer_find(o->output);
	const struct render_options options = screen_options(call, call->out);
	struct tokens *t = is_there(o->token_file, err) ? tokens_open(o->token_file, err) : NULL;
	struct table_sink *sink;
	bool ok;

	if (!t)
		return false;
	sink = renderer->sink_new(call->out, &options);
	ok = print_tokens(sink, t, err);
	renderer->sink_free(sink);
	tokens_free(t);
	return ok;
}

static const struct {
	const char *name;
	size_t operands; /* including the verb */
	bool (*run)(struct command_call *call, struct error *err);
} verbs[] = {
	{ "add", 2, do_add },
	{ "list", 1, do_list },
	{ "revoke", 2, do_revoke },
};

static int
token_run(struct command_call *call, struct error *err)
{
	const struct token_options *o = call->target;
	const char *name = call->operands.count ? call->operands.items[0] : "";

	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		if (strcmp(verbs[i].name, name) != 0)
			continue;
		if (call->operands.count != verbs[i].operands ||
			((o->scope || o->expires) && verbs[i].run != do_add))
			break;
		if (!o->token_file) {
			error_set(err, ERROR_USAGE, "token %s: no --token-file was given", name);
			return -1;
		}
		return verbs[i].run(call, err) ? 0 : -1;
	}
	error_set(err, ERROR_USAGE, "expected add, list or revoke");
	error_hint(err, "profdepot token add NAME, token revoke NAME or token list, each with "
			"--token-file FILE");
	return -1;
}

const struct command command_token = {
	.name = "token",
	.operands = "add|list|revoke [NAME]",
	.summary = "manage access to the service",
	.description =
		"Manages the token file that profdepot serve --token-file reads. A running server "
		"notices a change at the next request.\n\n"
		"add creates a token and prints it. The file stores only a digest, so the token "
		"cannot be shown again. The read scope permits queries, ingest permits sending "
		"data, sql permits SQL queries, and admin permits everything except SQL queries.\n\n"
		"revoke deletes a token.\n\n"
		"list shows names, scopes and last days, and fails if the file does not exist.",
	.options = token_specs,
	.target_size = sizeof(struct token_options),
	.defaults = &(const struct token_options){ .output = "text" },
	.run = token_run,
};
