#include "app/catalogue.h"

#include "base/json_writer.h"
#include "format/format.h"

/* --- reports ------------------------------------------------------------------------------------
 */

static const char *
kind_name(enum table_kind kind)
{
	static const char *const names[] = { "text", "integer", "decimal", "bool", "time", "frames",
		"stacks" };

	return kind < TABLE_KINDS ? names[kind] : "";
}

static const char *
unit_name(enum table_unit unit)
{
	static const char *const names[] = { "none", "count", "bytes", "percent", "hex", "seconds",
		"milliseconds", "microseconds", "nanoseconds" };

	return unit < TABLE_UNITS ? names[unit] : "";
}

static void
print_columns(struct json_writer *w, const struct report *r)
{
	json_key(w, "columns");
	json_begin_array(w);
	for (size_t i = 0; i < r->column_count; i++) {
		json_begin_object(w);
		json_key(w, "key");
		json_string(w, r->columns[i].key);
		json_key(w, "title");
		json_string(w, r->columns[i].title);
		json_key(w, "kind");
		json_string(w, kind_name(r->columns[i].kind));
		json_key(w, "unit");
		json_string(w, unit_name(r->columns[i].unit));
		json_key(w, "summed");
		json_bool(w, r->columns[i].summed);
		json_end_object(w);
	}
	json_end_array(w);
}

void
report_describe_json(struct json_writer *w, const struct report *r)
{
	json_begin_object(w);
	json_key(w, "name");
	json_string(w, r->name);
	json_key(w, "by");
	json_text(w, text_from(r->by));
	json_key(w, "title");
	json_string(w, r->title);
	json_key(w, "note");
	json_string(w, r->note);
	json_key(w, "sortable");
	json_bool(w, r->order_count != 0);
	json_key(w, "parameters");
	json_begin_array(w);
	for (size_t i = 0; i < r->param_count; i++) {
		json_begin_object(w);
		json_key(w, "name");
		json_string(w, report_param_name(r->params[i]));
		json_key(w, "type");
		json_string(w, report_param_type(r->params[i]));
		json_end_object(w);
	}
	json_end_array(w);
	print_columns(w, r);
	json_end_object(w);
}

/* --- formats ------------------------------------------------------------------------------------
 */

void
formats_json(FILE *out)
{
	struct json_writer w;

	json_writer_init(&w, out, true);
	json_begin_array(&w);
	for (size_t i = 0; formats[i]; i++) {
		json_begin_object(&w);
		json_key(&w, "name");
		json_string(&w, formats[i]->name);
		json_key(&w, "title");
		json_string(&w, formats[i]->title);
		json_key(&w, "load");
		json_bool(&w, formats[i]->reads);
		json_key(&w, "export");
		json_bool(&w, formats[i]->writes);
		json_key(&w, "extension");
		formats[i]->extension ? json_string(&w, formats[i]->extension) : json_null(&w);
		json_key(&w, "known_by");
		formats[i]->known_by ? json_string(&w, formats[i]->known_by) : json_null(&w);
		json_end_object(&w);
	}
	json_end_array(&w);
	putc('\n', out);
}
