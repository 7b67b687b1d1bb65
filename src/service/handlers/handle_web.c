#include "handlers.h"
#include "service/service_private.h"

#include <string.h>

/* Does If-None-Match name it? A list of tags, weak ones too. */
static bool
is_known(const struct http_call *c, const struct web_file *f)
{
	struct text t = http_header_find(&c->request->headers, "If-None-Match");

	return t.data && (strcmp(t.data, "*") == 0 || strstr(t.data, f->etag));
}

static bool
answer(struct http_call *c, struct text path, struct error *err)
{
	const struct web_files *pages = &c->service->pages;
	const struct web_file *f = web_file_find(pages, path);

	if (!f) {
		error_set(err, ERROR_NOT_FOUND, "there is no such page");
		return error_hint(err, pages->count ? "the pages begin at /"
						    : "this server has no pages: see --web of "
						      "profdepot-serve(1)");
	}
	c->answer->content_type = f->content_type;
	http_answer_field(c->answer, "ETag", f->etag);
	http_answer_field(c->answer, "Last-Modified", f->modified);
	/* Kept, but asked for each time: a newer server has other pages under the same names. */
	http_answer_field(c->answer, "Cache-Control", "no-cache");
	if (f->policy)
		http_answer_field(c->answer, "Content-Security-Policy", f->policy);
	if (is_known(c, f))
		c->answer->status = 304;
	else
		fwrite(f->content.data, 1, f->content.size, c->answer->out);
	return true;
}

bool
handle_index(struct http_call *c, struct error *err)
{
	return answer(c, TEXT_LITERAL("index.html"), err);
}

bool
handle_web(struct http_call *c, struct error *err)
{
	return answer(c, http_field_find(&c->request->parts, "file"), err);
}
