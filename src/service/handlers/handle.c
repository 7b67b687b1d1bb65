/* Functions that the handlers share: connections, renderers, messages, report requests. */
#include "handle.h"

#include "app/report_answer.h"
#include "base/clock.h"
#include "store/set_names.h"

#include <string.h>

enum {
	MS_PER_SECOND = 1000
};

struct db *
handle_reader(struct http_call *c, struct error *err)
{
	struct connections *own = c->worker;

	return pool_connect(own->pool, &own->reader, DB_ROLE_READER, err);
}

struct db *
handle_loader(struct http_call *c, struct error *err)
{
	struct connections *own = c->worker;

	return pool_connect(own->pool, &own->loader, DB_ROLE_LOADER, err);
}

int64_t
handle_timeout_ms(struct http_call *c)
{
	int64_t ms = (int64_t)((c->deadline - clock_seconds()) * MS_PER_SECOND);

	return ms > 0 ? ms : 1;
}

struct db *
handle_snapshot(struct http_call *c, struct error *err)
{
	struct db *db = handle_reader(c, err);

	return db && db_begin_snapshot(db, err) && db_set_timeout(db, handle_timeout_ms(c), err)
		       ? db
		       : NULL;
}

struct db *
handle_report_snapshot(struct http_call *c, struct error *err)
{
	struct db *db = handle_reader(c, err);

	return db && report_answer_begin(db, handle_timeout_ms(c), err) ? db : NULL;
}

/* JSON is the default, because programs often send no Accept header or accept any type. */
const struct renderer *
handle_renderer(struct http_call *c, const char *parameter, struct error *err)
{
#define RENDERER_TYPE(id, name, type) { name, type },
	static const struct http_type types[] = { { "json", "application/json" },
		RENDERER_TABLE(RENDERER_TYPE) };
#undef RENDERER_TYPE
	const struct http_type *t =
		http_choose_type(c, parameter, types, sizeof(types) / sizeof(types[0]), err);

	if (t && strcmp(t->name, "html") == 0)
		handle_active(c);
	return t ? renderer_find(t->name) : NULL;
}

/* The page itself also contains a policy, which lists its scripts by digest. Both policies apply. */
void
handle_active(struct http_call *c)
{
	http_answer_field(c->answer, "Content-Security-Policy",
		"default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
		"img-src data:; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; "
		"sandbox allow-scripts");
}

bool
handle_bad_value(struct http_call *c, const char *parameters, struct error *err)
{
	/* SQLSTATE class 22: data exception. */
	if (strncmp(err->sqlstate, "22", 2) != 0)
		return false;
	c->answer->status = 400;
	return error_prefix(err, "%s", parameters);
}

bool
handle_inst_id(struct http_call *c, int64_t *inst_id, struct error *err)
{
	const char *name = http_field_find(&c->request->parts, "inst_id").data;
	struct db *db;
	bool ok;

	if (!name[strspn(name, "0123456789")])
		return http_part_int(c, "inst_id", inst_id, err);
	db = handle_report_snapshot(c, err);
	ok = db &&
	     (set_name_find(db, name, 0, inst_id, err) || error_prefix(err, "inst_id in the path"));
	if (db)
		db_rollback(db); /* the handler begins a snapshot of its own */
	return ok;
}

bool
handle_check_set(struct db *db, int64_t inst_id, struct error *err)
{
	bool open;

	return result_set_is_open(db, inst_id, &open, err);
}

void
handle_json_begin(struct http_call *c, struct json_writer *w)
{
	json_writer_init_answer(w, c->answer->out, false);
	json_begin_object(w);
}

void
handle_json_end(struct http_call *c, struct json_writer *w)
{
	json_end_object(w);
	fputc('\n', c->answer->out);
}

void
handle_report_request(struct http_call *c, struct report_request *q)
{
	*q = (struct report_request){
		.top = http_query_int(c, "top", 0),
		.skip = http_query_int(c, "skip", 0),
		.sort = http_query_text(c, "sort"),
	};
	for (int i = 0; i < REPORT_PARAMS; i++) {
		enum report_param p = (enum report_param)i;
		const char *name = report_param_infos[p].name;

		if (!*report_param_infos[p].option || p == REPORT_BY)
			continue;
		if (report_param_infos[p].value == REPORT_GLOBS)
			http_query_list(c, name, &q->lists[p]);
		else if (report_param_infos[p].value != REPORT_FLAG)
			q->values[p] = http_query_text(c, name);
		else if (http_query_flag(c, name))
			q->values[p] = "true";
	}
}
