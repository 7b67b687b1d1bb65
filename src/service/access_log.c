/* Writes the access log. */
#include "service_private.h"

#include <string.h>
#include <time.h>

/* Returns the path that the log shows. For an old sender this is the route, because the path may contain a token. */
static const char *
shown_path(const struct http_ended *e)
{
	if (e->request->legacy)
		return e->route ? e->route->path : NULL;
	return e->request->path;
}

/* A client may put a token into the path by mistake; the log must not contain it. */
static const char *
skip_token(FILE *out, const char *p)
{
	while (strncmp(p, "/pd_", 4) == 0) {
		fputs("/pd_", out);
		p += 1 + strcspn(p + 1, "/");
	}
	return p;
}

/* Escapes bytes that could forge a log line. */
static void
print_path(FILE *out, const char *path)
{
	for (const char *p = path ? path : "-"; *(p = skip_token(out, p)); p++) {
		unsigned char c = (unsigned char)*p;

		if (c > ' ' && c < 0x7F && c != '"' && c != '\\')
			putc(c, out);
		else
			fprintf(out, "%%%02X", c);
	}
}

void
access_log_write(FILE *out, const struct http_ended *e)
{
	const struct http_request *q = e->request;
	char when[32];
	time_t now = time(NULL);
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &tm);
	flockfile(out);
	fprintf(out, "%s %s %s ", when, q->peer ? q->peer : "-", http_method_name(q->method));
	print_path(out, shown_path(e));
	fprintf(out, " %d %llu %llu %.3f%s\n", e->status, (unsigned long long)q->body_bytes,
		(unsigned long long)e->sent_bytes, e->seconds, e->complete ? "" : " cut");
	funlockfile(out);
}
