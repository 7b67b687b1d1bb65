/* What the handlers of /v1 share. */
#ifndef PROFDEPOT_SERVICE_HANDLERS_HANDLE_H
#define PROFDEPOT_SERVICE_HANDLERS_HANDLE_H

#include "base/json_writer.h"
#include "db/connection.h"
#include "handlers.h"
#include "render/render.h"
#include "report/report.h"
#include "service/service_private.h"

/* The reader's connection in a snapshot with the query timeout. */
struct db *handle_snapshot(struct http_call *c, struct error *err);

/* The renderer that the parameter or Accept names; sets the answer's type. NULL: 406. */
const struct renderer *handle_renderer(
	struct http_call *c, const char *parameter, struct error *err);

/* An answer that is a page or picture with a script of its own: it runs, and may do nothing
 * else. */
void handle_active(struct http_call *c);

/* Messages are written for the command line: "option --min-share" becomes "min_share".
 * Returns false. */
bool handle_parameter_words(struct error *err);

/* A mistake in a value that only the database finds out is the parameter's: names it. Returns
 * false. */
bool handle_bad_value(struct http_call *c, const char *parameters, struct error *err);

/* {inst_id} of the path; ERROR_NOT_FOUND comes from whoever looks for it. */
bool handle_inst_id(struct http_call *c, int64_t *inst_id, struct error *err);

/* The result set's row, for those that do not ask for anything of it otherwise.
 * ERROR_NOT_FOUND. */
bool handle_check_set(struct db *db, int64_t inst_id, struct error *err);

/* Of the query, by names of REPORT_PARAM_TABLE, and top, skip, sort. */
void handle_report_request(struct http_call *c, struct report_request *q);

/* handle_body.c: a document of a request, JSON, an object with known keys. */
struct json_reader;

struct body {
	struct http_call *call;
	struct json_reader *json;
	const char *key; /* whose value is read */
};

struct body_key {
	const char *name;
	/* Reads the value. */
	bool (*read)(struct body *b, void *target, struct error *err);
};

/* keys ends with .name == NULL. ERROR_USAGE, which names the key. */
bool body_read(struct http_call *c, const struct body_key *keys, void *target, struct error *err);
/* A member of the document that is an object itself, likewise. */
bool body_read_object(struct body *b, const struct body_key *keys, void *target, struct error *err);
/* A string of the arena; may_be_null: NULL for null. */
bool body_string(struct body *b, bool may_be_null, const char **out, struct error *err);
/* Calls each for the members of an array; for those of an object, with the key's name as
 * b->key. */
bool body_each(struct body *b, bool (*each)(struct body *b, void *target, struct error *err),
	void *target, struct error *err);
bool body_each_member(struct body *b, bool (*each)(struct body *b, void *target, struct error *err),
	void *target, struct error *err);

#endif
