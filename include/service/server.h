/*
 * The service: listeners, workers, and their end.
 */
#ifndef PROFDEPOT_SERVICE_SERVER_H
#define PROFDEPOT_SERVICE_SERVER_H

#include "base/error.h"
#include "base/option.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct server_options {
	const char *db;            /* as db_target.uri */
	const char *listen;        /* "ADDRESS:PORT", "[ADDRESS]:PORT", "unix:PATH"; port 0: any */
	const char *legacy_listen; /* likewise; NULL: none */
	bool legacy;               /* `listen` plays kernelscope's two roles too */
	const char *token_file;    /* NULL: whoever reaches it may do all */
	const char *tls_certificate, *tls_key; /* PEM files, both or none */
	const char *web;                       /* folder of the pages; NULL: as installed */
	const char *access_log;                /* a file, "-": standard error; NULL: none */
	int64_t workers;
	int64_t connections;      /* at most */
	int64_t connections_each; /* of one address; 0: no limit */
	int64_t queue;            /* requests that wait for a worker; more: 503 */
	int64_t idle_seconds;     /* nothing came or went: closed */
	int64_t request_seconds;  /* for headers and a body that is no upload */
	int64_t query_seconds;    /* statement timeout */
	int64_t max_request_bytes, max_batch_bytes, max_upload_bytes;
	int64_t max_header_bytes;        /* request line and headers */
	int64_t min_rate;                /* bytes a second of a body, or an answer */
	int64_t rate;                    /* requests a second of one address; 0: no limit */
	int64_t stop_seconds;            /* for what is under way at the end */
	struct option_list public_names; /* hosts that it goes by, besides loopback ones */
	bool behind_proxy;               /* X-Forwarded-For tells who asks */
};

/* Serves until SIGTERM or SIGINT; tells the addresses on `out` once they answer. */
bool server_run(const struct server_options *options, FILE *out, struct error *err);

#endif
