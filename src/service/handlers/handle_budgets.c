/* Handlers of the depot's budgets. */
#include "handle.h"

#include "app/check/kept_budgets.h"
#include "base/number.h"
#include "store/budgets.h"

static const char *
asked_application(struct http_call *c)
{
	const char *name = http_query_text(c, "application");

	return name ? name : "";
}

static void
put_budgets(struct json_writer *w, const struct db_result *rows, size_t row)
{
	json_begin_object(w);
	json_key_text(w, "application", db_result_value(rows, row, BUDGETS_APPLICATION));
	json_key_int(w, "version", db_result_int64(rows, row, BUDGETS_VERSION, 0));
	json_key_text(w, "author", db_result_value(rows, row, BUDGETS_AUTHOR));
	json_key_text(w, "changed", db_result_value(rows, row, BUDGETS_CHANGED));
	json_key_raw(w, "budgets", db_result_value(rows, row, BUDGETS_DOCUMENT));
	json_end_object(w);
}

bool
handle_budgets(struct http_call *c, struct error *err)
{
	struct db *db = handle_report_snapshot(c, err);
	struct db_result *rows =
		db ? budgets_list(db, http_query_text(c, "application"), err) : NULL;
	struct json_writer w;

	if (!rows)
		return false;
	json_writer_init(&w, c->answer->out, false);
	json_begin_array(&w);
	for (size_t i = 0; i < db_result_rows(rows); i++)
		put_budgets(&w, rows, i);
	json_end_array(&w);
	fputc('\n', c->answer->out);
	db_result_free(rows);
	return true;
}

bool
handle_budgets_store(struct http_call *c, struct error *err)
{
	struct kept_budgets b = { .application = asked_application(c),
		.author = http_query_text(c, "author"),
		.source = "the body",
		.replaced = http_query_int(c, "version", BUDGETS_ANY_VERSION) };
	int64_t version = BUDGETS_ANY_VERSION;
	struct json_writer w;
	struct db *db;

	if (!http_body_text(c, KEPT_BUDGETS_MAX_BYTES, &b.document, err))
		return false;
	db = handle_loader(c, err);
	if (!db)
		return false;
	if (!kept_budgets_store(db, c->arena, &b, &version, err)) {
		if (version == BUDGETS_NO_VERSION)
			c->answer->status = 409;
		return false;
	}
	handle_json_begin(c, &w);
	json_key_string(&w, "application", b.application);
	json_key_int(&w, "version", version);
	handle_json_end(c, &w);
	return true;
}

bool
handle_budgets_remove(struct http_call *c, struct error *err)
{
	struct db *db = handle_loader(c, err);

	if (!db || !budgets_remove(db, asked_application(c), err))
		return false;
	c->answer->status = 204;
	return true;
}
