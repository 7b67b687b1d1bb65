/*
 * Answers light and heavy requests and deletions in processes of their own, so that none of them can stop
 * the service: if a client disconnects, a deadline passes or memory runs out, the process ends, and PostgreSQL
 * cancels its query within a second. Each worker thread has one process, which keeps its connection for the next
 * request.
 *
 * Before the service has threads, it starts a process that forks the others.
 */
#ifndef PROFDEPOT_SERVICE_READERS_H
#define PROFDEPOT_SERVICE_READERS_H

#include "http/remote.h"

struct readers;
struct reader;
struct service;

/* The maximum number of readers, which have the first shares of service.memory. */
size_t readers_most(const struct service *s);
/* Call it after the service's options and routes are set, but before the process has threads. NULL on error. */
struct readers *readers_start(struct service *s, struct error *err);
/* Call it after all readers have been freed. NULL does nothing. */
void readers_free(struct readers *all);

/* Makes the reader of one worker thread, but starts no process yet. Each worker for light requests, heavy requests or loads can have one reader.
 * The processes for heavy requests have a lower priority. */
struct reader *reader_new(struct readers *all, bool heavy);
void reader_free(struct reader *r); /* NULL does nothing */

/* Makes the reader's process call the route's handler. */
bool reader_answer(
	struct reader *r, struct http_call *c, const struct http_route *route, struct error *err);

#endif
