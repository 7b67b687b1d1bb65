/*
 * Answers a request in another process, which was forked from this one. The request and the answer go over a
 * socket. If the process ends, only its request fails, and the server goes on. The server can end the process
 * at any time.
 */
#ifndef PROFDEPOT_HTTP_REMOTE_H
#define PROFDEPOT_HTTP_REMOTE_H

#include "http/http.h"
#include "http/route.h"

enum http_remote_end {
	HTTP_REMOTE_ANSWERED, /* received the answer or an error; the process can answer another request */
	HTTP_REMOTE_LAST,    /* received the answer or an error, but the process ends */
	HTTP_REMOTE_LOST,    /* the process has ended without an answer */
	HTTP_REMOTE_STOPPED, /* the client is gone or the deadline has passed: end the process */
};

/* Sends the request to the process and receives the answer, or sets err. max_answer is the maximum size
 * of the answer's body in bytes. */
enum http_remote_end http_remote_call(int fd, struct http_call *c, const struct http_route *route,
	int64_t max_answer, struct error *err);

/* In the other process: receives one request, calls the route's handler and sends the answer. Returns false if
 * the server has closed the socket. `owner` and `worker` become the members of struct http_call. If the answer's
 * body exceeds max_answer, sends an error and ends the process. If the thread has used more than
 * trim_bytes (see base/memory_pool.h), this request is the last one, and the function returns false. */
bool http_remote_serve(int fd, void *owner, void *worker, int64_t trim_bytes);

/* Sends an error as the answer. Allocates no memory. */
void http_remote_fail(int fd, const struct error *err, int status);

#endif
