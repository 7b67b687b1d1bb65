/* What the server tells of itself. */
#include "handle.h"

/* The process answers; nobody asks the database. */
bool
handle_live(struct http_call *c, struct error *err)
{
	(void)err;
	fputs("{\"status\":\"ok\"}\n", c->answer->out);
	return true;
}

bool
handle_metrics(struct http_call *c, struct error *err)
{
	struct server *s = c->worker->server;
	int64_t waiting;

	(void)err;
	pthread_mutex_lock(&s->mutex);
	waiting = s->waiting;
	pthread_mutex_unlock(&s->mutex);
	c->answer->content_type = "text/plain; version=0.0.4; charset=utf-8";
	fprintf(c->answer->out,
		"# HELP profdepot_http_queue Requests that wait for a worker.\n"
		"# TYPE profdepot_http_queue gauge\nprofdepot_http_queue %lld\n",
		(long long)waiting);
	metrics_write(c->service->metrics, s, c->answer->out);
	return true;
}

bool
handle_openapi(struct http_call *c, struct error *err)
{
	(void)err;
	openapi_write(http_routes, c->answer->out);
	return true;
}
