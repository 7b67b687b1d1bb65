/* The messages between http_remote.c (the server) and http_remote_serve.c (the process that answers). Both
 * run the same program, so the structs have the same layout, and a route has the same address. Each message
 * is a struct, texts that end with NUL, and a body. */
#ifndef PROFDEPOT_HTTP_HTTP_REMOTE_H
#define PROFDEPOT_HTTP_HTTP_REMOTE_H

#include "http/remote.h"

enum {
	REMOTE_INLINE_BYTES = 256 * 1024, /* a larger body is sent as a file */
	REMOTE_PIECE_BYTES = 32 * 1024,
};

/* The texts after this struct are the path, the peer, and the names and values of the fields. */
struct remote_request {
	const struct http_route *route;
	enum http_method method;
	unsigned scopes;
	double deadline;
	int64_t max_answer;
	uint64_t body_bytes;
	size_t query_count, part_count, header_count, text_bytes;
};

/* The texts after this struct are the content type, and the names and values of the fields. */
struct remote_answer {
	bool ok, last, has_type, has_file;
	int status;
	uint64_t body_bytes;
	size_t field_count, text_bytes;
	struct error error; /* unless ok */
};

#endif
