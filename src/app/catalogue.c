/* Reports and formats as JSON. */
#include "app/catalogue.h"

#include "base/json_writer.h"
#include "format/format.h"
#include "render/render.h"

void
report_describe_json(struct json_writer *w, const struct report *r)
{
	json_begin_object(w);
	json_key_string(w, "name", r->name);
	json_key_text(w, "by", text_from(r->by));
	json_key_string(w, "title", r->title);
	json_key_string(w, "note", r->note);
	json_key_bool(w, "sortable", r->order_count != 0);
	json_key_array(w, "parameters");
	for (size_t i = 0; i < r->param_count; i++) {
		json_begin_object(w);
		json_key_string(w, "name", report_param_infos[r->params[i]].name);
		json_key_string(
			w, "type", report_value_types[report_param_infos[r->params[i]].value]);
		json_end_object(w);
	}
	json_end_array(w);
	render_columns_json(w, r->columns, r->column_count, true);
	json_end_object(w);
}

void
formats_json(FILE *out)
{
	struct json_writer w;

	json_writer_init(&w, out, true);
	json_begin_array(&w);
	for (size_t i = 0; formats[i]; i++) {
		json_begin_object(&w);
		json_key_string(&w, "name", formats[i]->name);
		json_key_string(&w, "title", formats[i]->title);
		json_key_bool(&w, "load", formats[i]->reads);
		json_key_bool(&w, "export", formats[i]->writes);
		json_key_string(&w, "extension", formats[i]->extension);
		json_key_string(&w, "known_by", formats[i]->known_by);
		json_key_array(&w, "lost");
		for (unsigned c = 0; formats[i]->writes && c < CONTENTS; c++)
			if (!(formats[i]->carries & CONTENT_BIT(c)))
				json_string(&w, content_title((enum content)c));
		json_end_array(&w);
		json_end_object(&w);
	}
	json_end_array(&w);
	putc('\n', out);
}
