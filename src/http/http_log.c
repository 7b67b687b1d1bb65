#include "base/clock.h"
#include "input/spool.h"
#include "service/service_private.h"

#include <string.h>
#include <time.h>

/* A path may hold a token, or what somebody wants the reader of the log to see. */
static const char *
shown_path(const struct exchange *x)
{
	if (x->request.legacy)
		return x->route ? x->route->path : NULL;
	return x->request.path;
}

/* Who put a token there by mistake does not find it here. */
static const char *
skip_token(FILE *out, const char *p)
{
	while (strncmp(p, "/pd_", 4) == 0) {
		fputs("/pd_", out);
		p += 1 + strcspn(p + 1, "/");
	}
	return p;
}

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
http_log(const struct exchange *x, bool whole)
{
	FILE *out = x->listener->server->log;
	char when[32];
	time_t now = time(NULL);
	struct tm tm;

	if (!out)
		return;
	gmtime_r(&now, &tm);
	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &tm);
	flockfile(out);
	fprintf(out, "%s %s %s ", when, x->request.peer ? x->request.peer : "-",
		http_method_name(x->request.method));
	print_path(out, shown_path(x));
	fprintf(out, " %d %llu %llu %.3f%s\n", x->answer.status,
		(unsigned long long)x->request.body_bytes,
		(unsigned long long)(x->sent ? spool_size(x->sent) : 0),
		clock_seconds() - x->started, whole ? "" : " cut");
	funlockfile(out);
}
