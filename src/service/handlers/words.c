/* Words of messages that clients of the API read. */
#include "base/strbuf.h"
#include "handle.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Commands that hints name, and the requests that do the same. A command comes before its own prefixes. */
static const char *const requests[][2] = {
	{ "\"profdepot category add\"", "\"POST /v1/categories\"" },
	{ "\"profdepot category list\"", "\"GET /v1/categories\"" },
	{ "\"profdepot formats\"", "\"GET /v1/formats\"" },
	{ "\"profdepot history --state all\"", "\"GET /v1/history?state=all\"" },
	{ "\"profdepot history\"", "\"GET /v1/history\"" },
	{ "\"profdepot list --run ", "\"GET /v1/result-sets?run=" },
	{ "\"profdepot list\"", "\"GET /v1/result-sets\"" },
	{ "\"profdepot report gauges ", "\"report gauges of result set " },
	{ "\"profdepot reports\"", "\"GET /v1/reports\"" },
	{ "\"profdepot retain list\"", "\"GET /v1/retention-rules\"" },
	{ "\"profdepot show INST_ID\"", "\"GET /v1/result-sets/INST_ID\"" },
	{ "\"profdepot show\"", "\"GET /v1/result-sets/INST_ID\"" },
	{ "\"profdepot stream list\"", "\"GET /v1/streams\"" },
	{ "\"profdepot suppress list\"", "\"GET /v1/suppressions\"" },
	{ "lists the formats; --output json adds how each is recognised",
		"lists the formats and how each is recognised" },
	{ "load one: profdepot load PATH", "\"POST /v1/result-sets\" loads one" },
};

/* Replaces the command that s begins with, and moves s past it. Returns false if s begins with no command. */
static bool
put_request(struct strbuf *b, const char **s)
{
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		size_t n = strlen(requests[i][0]);

		if (strncmp(*s, requests[i][0], n) != 0)
			continue;
		strbuf_append_str(b, requests[i][1]);
		*s += n;
		return true;
	}
	return false;
}

void
service_request_words(struct error *err)
{
	struct strbuf b = STRBUF_INIT(sizeof(err->hint) - 1);
	const char *s = err->hint;

	if (strstr(s, "profdepot ")) {
		while (*s)
			if (!put_request(&b, &s))
				strbuf_append_char(&b, *s++);
		if (!b.failed)
			snprintf(err->hint, sizeof(err->hint), "%s", strbuf_str(&b));
	}
	strbuf_release(&b);
}

/* Returns whether the text before `end` says that an option of the server follows: "a server with a larger --memory". */
static bool
is_of_server(const char *begin, const char *end)
{
	static const char before[] = "larger ";
	const size_t n = sizeof(before) - 1;

	return (size_t)(end - begin) >= n && memcmp(end - n, before, n) == 0;
}

/* The text is edited in place, because it never gets longer. */
static void
plain_words(char *s)
{
	const char *begin = s;
	char *to = s;

	while (*s) {
		if (strncmp(s, "option --", 9) == 0)
			s += strlen("option ");
		if (s[0] != '-' || s[1] != '-' || !islower((unsigned char)s[2]) ||
			is_of_server(begin, to)) {
			*to++ = *s++;
			continue;
		}
		for (s += 2; islower((unsigned char)*s) || *s == '-'; s++)
			*to++ = (char)(*s == '-' ? '_' : *s);
	}
	*to = '\0';
}

bool
handle_parameter_words(struct error *err)
{
	plain_words(err->message);
	plain_words(err->hint);
	return false;
}
