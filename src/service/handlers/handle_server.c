/* The server itself: health, metrics, API description and pages. */
#include "handle.h"

#include "service/probe.h"

#include <string.h>

/* Queries the database, so that "ok" means that reports will work. */
bool
handle_health(struct http_call *c, struct error *err)
{
	(void)err;
	probe_ask(service_of(c)->probe, http_defer(c));
	return true;
}

bool
handle_live(struct http_call *c, struct error *err)
{
	struct json_writer w;

	(void)err;
	handle_json_begin(c, &w);
	json_key_string(&w, "status", "ok");
	handle_json_end(c, &w);
	return true;
}

bool
handle_metrics(struct http_call *c, struct error *err)
{
	(void)err;
	c->answer->content_type = "text/plain; version=0.0.4; charset=utf-8";
	metrics_write(service_of(c), c->server, c->answer->out);
	return true;
}

bool
handle_openapi(struct http_call *c, struct error *err)
{
	return openapi_write(service_of(c)->routes, service_of(c)->types, c->answer->out, err);
}

static bool
answer_page(struct http_call *c, struct text path, struct error *err)
{
	const struct web_files *pages = &service_of(c)->pages;
	const struct web_file *f = web_file_find(pages, path);

	if (!f) {
		error_set(err, ERROR_NOT_FOUND, "there is no such page");
		return error_hint(err, pages->count ? "the start page is /"
						    : "this server has no pages: see --web in "
						      "profdepot-serve(1)");
	}
	c->answer->content_type = f->content_type;
	http_answer_field(c->answer, "ETag", f->etag);
	http_answer_field(c->answer, "Last-Modified", f->modified);
	/* Browsers must revalidate: a newer server has different pages under the same names. */
	http_answer_field(c->answer, "Cache-Control", "no-cache");
	if (f->policy)
		http_answer_field(c->answer, "Content-Security-Policy", f->policy);
	c->answer->constant = f->content;
	c->answer->packed = f->packed;
	return true;
}

bool
handle_index(struct http_call *c, struct error *err)
{
	return answer_page(c, TEXT_LITERAL("index.html"), err);
}

bool
handle_web(struct http_call *c, struct error *err)
{
	return answer_page(c, http_field_find(&c->request->parts, "file"), err);
}
