/* What the handlers share. */
#ifndef PROFDEPOT_SERVICE_HANDLERS_HANDLE_H
#define PROFDEPOT_SERVICE_HANDLERS_HANDLE_H

#include "base/json_writer.h"
#include "handlers.h"
#include "input/json/json_tree.h"
#include "model/category.h"
#include "render/render.h"
#include "report/report.h"
#include "service/service_private.h"

/* The worker's connections. Borrowed for the call, outside of a transaction. */
struct db *handle_reader(struct http_call *c, struct error *err);
struct db *handle_loader(struct http_call *c, struct error *err);
/* The reader's connection in a snapshot with the query timeout. */
struct db *handle_snapshot(struct http_call *c, struct error *err);

/* The renderer that the parameter or Accept names; sets the answer's type. NULL with 406. */
const struct renderer *handle_renderer(
	struct http_call *c, const char *parameter, struct error *err);

/* For a page or picture with a script: sandboxes it. */
void handle_active(struct http_call *c);

/* Rewrites a message for the command line: "option --min-share" becomes "min_share". Returns
 * false. */
bool handle_parameter_words(struct error *err);

/* If the database found an invalid value: status 400, and the message names the parameters.
 * Returns false. */
bool handle_bad_value(struct http_call *c, const char *parameters, struct error *err);

/* {inst_id} of the path, which may not exist. */
bool handle_inst_id(struct http_call *c, int64_t *inst_id, struct error *err);

/* Does the result set exist? ERROR_NOT_FOUND. */
bool handle_check_set(struct db *db, int64_t inst_id, struct error *err);

/* Reads the parameters of REPORT_PARAM_TABLE, and top, skip, sort. */
void handle_report_request(struct http_call *c, struct report_request *q);

/* --- handle_body.c: request bodies that are JSON objects with known keys --- */
struct json_reader;

struct body {
	struct http_call *call;
	struct json_reader *json;
	const char *key; /* of the current value */
};

struct body_key {
	const char *name;
	/* Reads the value. */
	bool (*read)(struct body *b, void *target, struct error *err);
};

/* keys ends with .name == NULL. ERROR_USAGE names a wrong key. */
bool body_read(struct http_call *c, const struct body_key *keys, void *target, struct error *err);
/* The same for a nested object. */
bool body_read_object(struct body *b, const struct body_key *keys, void *target, struct error *err);
/* A string in the arena; if may_be_null, null gives NULL. */
bool body_string(struct body *b, bool may_be_null, const char **out, struct error *err);
/* Calls each for the items of an array, or for the members of an object with b->key. */
bool body_each(struct body *b, bool (*each)(struct body *b, void *target, struct error *err),
	void *target, struct error *err);
bool body_each_member(struct body *b, bool (*each)(struct body *b, void *target, struct error *err),
	void *target, struct error *err);

/* --- handle_events.c --- */

/* A snapshot for the reader, and the categories in it. NULL on error. */
const struct category_list *events_begin(struct http_call *c, struct db **db, struct error *err);
/* The body as a document. Status 400 if it is invalid. */
bool events_read_body(struct http_call *c, const struct json_node **out, struct error *err);

#endif
