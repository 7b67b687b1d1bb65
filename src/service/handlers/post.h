/* Requests whose data goes through the queue in ingest/ingest.h. The answer is sent when the data
 * is durable. */
#ifndef PROFDEPOT_SERVICE_HANDLERS_POST_H
#define PROFDEPOT_SERVICE_HANDLERS_POST_H

#include "http/http.h"
#include "service/ingest/ingest.h"

struct post {
	struct ingest_job job; /* must be first */
	const char *what;      /* JSON key of `count` in the answer; if NULL, the answer is empty */
	size_t count;
	size_t events;               /* number of events, for the metrics */
	void (*release)(void *self); /* frees job.self; may be NULL */
	/* Private. */
	struct exchange *exchange;
	struct service *service;
	struct memory_lease *lease; /* NULL before post_submit */
};

struct post *post_new(const struct ingest_kind *kind, void *self);
/* Frees a post that was not submitted. The caller must free job.self. */
void post_free(struct post *p);
/* After this call, the handler must immediately return true. The post sends its answer and frees itself. */
void post_submit(struct http_call *c, struct post *p);

/* Reads the body and fails if it is empty. On failure, sets status 411, 413, 415 or 400. From now on, what the handler
 * allocates counts as the request's memory, until the post is stored. */
bool post_body(struct http_call *c, struct text *body, struct error *err);
/* Fails with ERROR_MEMORY if the server has less than `bytes` left for this request. Call it while the memory for the
 * body grows. */
bool post_has_memory(int64_t bytes, struct error *err);
/* Sets status 415 if the Content-Type is not JSON. */
bool post_check_type(struct http_call *c, struct error *err);

#endif
