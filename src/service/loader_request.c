/* Converts a load request to bytes and back, for another process of this program. */
#define _GNU_SOURCE /* memfd_create */
#include "loader_private.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	MAX_TEXT_BYTES = 16 * 1024 * 1024 /* a request line is much shorter */
};

static const size_t texts[] = {
	offsetof(struct import_request, path),
	offsetof(struct import_request, job),
	offsetof(struct import_request, format),
	offsetof(struct import_request, encoding),
	offsetof(struct import_request, caption),
	offsetof(struct import_request, application),
	offsetof(struct import_request, app_version),
	offsetof(struct import_request, host),
	offsetof(struct import_request, run.key),
	offsetof(struct import_request, run.commit),
	offsetof(struct import_request, run.parent_commit),
	offsetof(struct import_request, run.environment),
};

/* The members that are not pointers. */
struct plain {
	struct limits limits;
	struct format_options options;
	bool looked_for[COVERAGE_WHATS], has_looked_for;
	bool strict, again, dry_run;
	int64_t max_issues, max_memory_bytes;
	size_t label_count;
};

static void
put_text(FILE *out, const char *s)
{
	size_t size = s ? strlen(s) + 1 : 0;

	fwrite(&size, sizeof(size), 1, out);
	fwrite(s ? s : "", 1, size, out);
}

static bool
get_text(FILE *in, struct arena *a, const char **out)
{
	size_t size;
	char *s;

	*out = NULL;
	if (fread(&size, sizeof(size), 1, in) != 1 || size > MAX_TEXT_BYTES)
		return false;
	if (!size)
		return true;
	s = arena_alloc(a, size);
	*out = s;
	return fread(s, 1, size, in) == size && s[size - 1] == '\0';
}

static void
put_request(FILE *out, const struct import_request *r)
{
	struct plain p;

	memset(&p, 0, sizeof(p));
	p.limits = *r->limits;
	p.options = r->options;
	p.options.encoding = NULL; /* the same text as r->encoding, which is passed separately */
	p.has_looked_for = r->run.looked_for != NULL;
	if (p.has_looked_for)
		memcpy(p.looked_for, r->run.looked_for, sizeof(p.looked_for));
	p.strict = r->strict;
	p.again = r->again;
	p.dry_run = r->dry_run;
	p.max_issues = r->max_issues;
	p.max_memory_bytes = r->max_memory_bytes;
	p.label_count = r->label_count;
	fwrite(&p, sizeof(p), 1, out);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		put_text(out, *(const char *const *)((const char *)r + texts[i]));
	for (size_t i = 0; i < r->label_count; i++) {
		put_text(out, r->labels[i].key);
		put_text(out, r->labels[i].value);
	}
}

int
loader_request_write(const struct import_request *r, struct error *err)
{
	int fd = memfd_create("profdepot-request", MFD_CLOEXEC);
	int copy = fd >= 0 ? dup(fd) : -1;
	FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
	bool ok = out != NULL;

	if (ok) {
		put_request(out, r);
		ok = !ferror(out);
		ok = fclose(out) == 0 && ok && lseek(fd, 0, SEEK_SET) == 0;
	} else if (copy >= 0) {
		close(copy);
	}
	if (ok)
		return fd;
	error_set_errno(err, ERROR_INTERNAL, "cannot pass the upload to the process that loads it");
	if (fd >= 0)
		close(fd);
	return -1;
}

static bool
get_request(FILE *in, struct arena *a, struct import_request *r)
{
	struct plain *p = arena_alloc(a, sizeof(*p));
	struct load_label *labels;

	if (fread(p, sizeof(*p), 1, in) != 1)
		return false;
	*r = (struct import_request){ .limits = &p->limits,
		.options = p->options,
		.strict = p->strict,
		.again = p->again,
		.dry_run = p->dry_run,
		.max_issues = p->max_issues,
		.max_memory_bytes = p->max_memory_bytes,
		.label_count = p->label_count,
		.run = { .looked_for = p->has_looked_for ? p->looked_for : NULL } };
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (!get_text(in, a, (const char **)((char *)r + texts[i])))
			return false;
	labels = arena_alloc_array(a, p->label_count, sizeof(*labels));
	for (size_t i = 0; i < p->label_count; i++)
		if (!get_text(in, a, &labels[i].key) || !get_text(in, a, &labels[i].value))
			return false;
	r->labels = labels;
	r->options.encoding = r->encoding;
	return true;
}

bool
loader_request_read(int fd, struct arena *a, struct import_request *r, struct error *err)
{
	FILE *in = fdopen(fd, "r");
	bool ok = in && get_request(in, a, r);

	if (in)
		fclose(in);
	return ok || error_set(err, ERROR_INTERNAL, "the load's request is incomplete");
}
