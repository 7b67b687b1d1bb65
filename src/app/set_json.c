/* Result sets as JSON. */
#include "app/set_json.h"

#include "base/json_writer.h"
#include "store/result_sets.h"

static bool
is_number(uint32_t type)
{
	return type == 20 || type == 23 || type == 1700; /* int8, int4, numeric */
}

static void
json_cell(struct json_writer *w, const struct db_result *r, size_t row, size_t column)
{
	uint32_t type = db_result_column_type(r, column);
	struct text t = db_result_value(r, row, column);

	if (is_number(type) && !text_is_null(t))
		json_raw(w, t);
	else if (type == DB_TYPE_BOOL && !text_is_null(t))
		json_bool(w, db_result_bool(r, row, column));
	else
		json_text(w, t);
}

/* Writes an object with one member per row. Each row has a key and a value. */
static void
json_pairs(struct json_writer *w, const char *key, struct arena *a, const struct db_result *r)
{
	json_key_object(w, key);
	for (size_t i = 0; i < db_result_rows(r); i++) {
		json_key(w, arena_text(a, db_result_value(r, i, 0)).data);
		json_cell(w, r, i, 1);
	}
	json_end_object(w);
}

static void
json_members(struct json_writer *w, const struct db_result *r, size_t row)
{
	for (size_t i = 0; i < db_result_columns(r); i++) {
		json_key(w, db_result_column_name(r, i));
		json_cell(w, r, row, i);
	}
}

static void
json_rows(struct json_writer *w, const char *key, const struct db_result *r)
{
	json_key_array(w, key);
	for (size_t i = 0; i < db_result_rows(r); i++) {
		json_begin_object(w);
		json_members(w, r, i);
		json_end_object(w);
	}
	json_end_array(w);
}

void
set_details_json(FILE *out, struct arena *a, const struct result_set_details *d)
{
	struct json_writer w;

	json_writer_init_answer(&w, out, true);
	json_begin_object(&w);
	json_members(&w, d->row, 0);
	json_pairs(&w, "labels", a, d->labels);
	json_rows(&w, "looked_for", d->coverage);
	json_pairs(&w, "rows", a, d->counts);
	json_rows(&w, "metrics", d->metrics);
	json_rows(&w, "budgets", d->verdicts);
	json_rows(&w, "issues", d->issues);
	json_end_object(&w);
	putc('\n', out);
}

void
import_set_json(struct json_writer *w, const char *source, const struct import_result *result,
	const struct import_set *set)
{
	json_begin_object(w);
	json_key(w, "inst_id");
	set->inst_id ? json_int(w, set->inst_id) : json_null(w);
	json_key_text(w, "caption", set->caption);
	json_key(w, "format");
	result->format ? json_string(w, result->format) : json_null(w);
	json_key_string(w, "source", source);
	json_key(w, "source_inst_id");
	set->source_inst_id == MODEL_NULL ? json_null(w) : json_int(w, set->source_inst_id);
	json_key_string(w, "digest", set->digest[0] ? set->digest : NULL);
	json_key_string(w, "state", import_state_name(set->state));
	json_key_object(w, "rows");
	for (size_t r = 0; set->rows && r < relation_count(); r++)
		if (set->rows[r])
			json_key_int(w, relation_name(r), set->rows[r]);
	json_end_object(w);
	json_key_object(w, "issues");
	for (int i = 0; i < ISSUE_SEVERITIES; i++)
		json_key_int(w, issue_severity_name((enum issue_severity)i), set->issues[i]);
	json_end_object(w);
	if (set->issue_texts) {
		json_key_array(w, "issue_texts");
		for (const struct load_issue_text *t = set->issue_texts; t; t = t->next)
			json_string(w, t->text);
		json_end_array(w);
	}
	json_key_fixed3(w, "seconds", result->seconds);
	json_end_object(w);
}
