/* Declarations that the handlers share. */
#ifndef PROFDEPOT_SERVICE_HANDLERS_HANDLE_H
#define PROFDEPOT_SERVICE_HANDLERS_HANDLE_H

#include "base/json_writer.h"
#include "handlers.h"
#include "input/json/json_tree.h"
#include "model/category.h"
#include "render/render.h"
#include "report/report.h"
#include "service/service_private.h"

/* Each returns one of the worker's connections. The caller borrows it for this HTTP call. No transaction is open. */
struct db *handle_reader(struct http_call *c, struct error *err);
struct db *handle_loader(struct http_call *c, struct error *err);
/* The time that is left for the request, at least 1 ms. */
int64_t handle_timeout_ms(struct http_call *c);
/* Begins a snapshot with the query timeout and returns the reader's connection. */
struct db *handle_snapshot(struct http_call *c, struct error *err);
/* Does the same as handle_snapshot and also applies the report settings. */
struct db *handle_report_snapshot(struct http_call *c, struct error *err);

/* Finds the renderer that the query parameter or the Accept header names, and sets the answer's type.
 * Returns NULL and sets status 406 if no renderer matches. */
const struct renderer *handle_renderer(
	struct http_call *c, const char *parameter, struct error *err);

/* Begin and end an answer that is a JSON object in a format of the depot's own. */
void handle_json_begin(struct http_call *c, struct json_writer *w);
void handle_json_end(struct http_call *c, struct json_writer *w);

/* Sets a policy that sandboxes the answer. Call it for pages and pictures that contain a script. */
void handle_active(struct http_call *c);

/* In words.c. Rewrites a message that was written for the command line: "option --min-share" becomes
 * "min_share". Returns false. */
bool handle_parameter_words(struct error *err);

/* If the database rejected a value, sets status 400 and names the parameters in the message.
 * Returns false. */
bool handle_bad_value(struct http_call *c, const char *parameters, struct error *err);

/* Reads the path's {inst_id}: a number, or a name such as "latest" or "label:branch=main", which is
 * looked up in a snapshot of the reader. Fails with ERROR_USAGE or ERROR_NOT_FOUND. */
bool handle_inst_id(struct http_call *c, int64_t *inst_id, struct error *err);

/* Fails with ERROR_NOT_FOUND if the result set does not exist. */
bool handle_check_set(struct db *db, int64_t inst_id, struct error *err);

/* Reads the query parameters of REPORT_PARAM_TABLE, and the parameters top, skip and sort. */
void handle_report_request(struct http_call *c, struct report_request *q);

/* --- handle_body.c: request bodies that are JSON documents --- */

/* Returns the body as a document; repeated keys are allowed. An invalid body gets status 400. */
bool handle_document(struct http_call *c, const struct json_node **out, struct error *err);
/* Returns the body, which must be an object with only these keys, each once. `keys` ends with NULL. */
const struct json_node *body_read(struct http_call *c, const char *const keys[], struct error *err);
/* The functions below fail with ERROR_USAGE. The message contains the name of the invalid value. */
bool body_expect(
	const struct json_node *n, const char *name, enum json_type type, struct error *err);
/* Checks that a nested object has only these keys, each once. */
bool body_keys(
	const struct json_node *n, const char *name, const char *const keys[], struct error *err);
/* Returns a string member; NULL if it is absent or null. */
bool body_string(
	const struct json_node *object, const char *key, const char **out, struct error *err);

/* --- handle_session.c --- */

/* Writes the member "scopes": an array of names. */
void handle_put_scopes(struct json_writer *w, unsigned scopes);

/* --- handle_events.c --- */

/* Starts a snapshot for the reader and returns the categories in it. NULL on error. */
const struct category_list *events_begin(struct http_call *c, struct db **db, struct error *err);

#endif
