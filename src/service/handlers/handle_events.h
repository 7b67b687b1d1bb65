/* What the handlers of questions about events share. */
#ifndef PROFDEPOT_SERVICE_HANDLERS_HANDLE_EVENTS_H
#define PROFDEPOT_SERVICE_HANDLERS_HANDLE_EVENTS_H

#include "http/http.h"
#include "input/json/json_tree.h"
#include "model/category.h"

/* A snapshot for the reader with its timeout, and the catalogue. NULL on error. */
const struct category_list *events_begin(struct http_call *c, struct db **db, struct error *err);

/* The body's document; the answer's status is 400 when it is none. */
bool events_read_body(struct http_call *c, const struct json_node **out, struct error *err);

#endif
