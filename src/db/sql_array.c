/* Array texts in PostgreSQL's syntax. */
#include "db/sql_array.h"

void
sql_array_int(struct strbuf *b, int64_t v)
{
	strbuf_append_char(b, b->size ? ',' : '{');
	strbuf_append_int(b, v);
}

void
sql_array_text(struct strbuf *b, struct text t)
{
	strbuf_append_str(b, b->size ? ",\"" : "{\"");
	for (size_t i = 0; i < t.size; i++) {
		if (t.data[i] == '"' || t.data[i] == '\\')
			strbuf_append_char(b, '\\');
		strbuf_append_char(b, t.data[i]);
	}
	strbuf_append_char(b, '"');
}

const char *
sql_array_end(struct strbuf *b)
{
	strbuf_append_str(b, b->size ? "}" : "{}");
	return strbuf_str(b);
}
