#include "base/json_writer.h"
#include "handlers.h"
#include "service/tokens.h"

#include <string.h>

/* What the client may, so that a page can ask for a token before it needs one. */
bool
handle_whoami(struct http_call *c, struct error *err)
{
	struct json_writer w;
	char names[32];

	(void)err;
	token_scopes_text(c->request->scopes, names);
	json_writer_init(&w, c->answer->out, false);
	json_begin_object(&w);
	json_key(&w, "scopes");
	json_begin_array(&w);
	for (const char *p = names; *p; p += strspn(p, ",")) {
		size_t n = strcspn(p, ",");

		json_text(&w, (struct text){ p, n });
		p += n;
	}
	json_end_array(&w);
	json_end_object(&w);
	fputc('\n', c->answer->out);
	return true;
}
