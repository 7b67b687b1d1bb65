/* Uploads: files that the server loads immediately or in the background. */
#include "handle_cursor.h"

#include "base/number.h"
#include "input/bundle/bundle.h"
#include "input/spool.h"
#include "service/jobs.h"
#include "service/tokens.h"
#include "store/result_sets.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	WAIT_BYTES = 8 * 1024 * 1024, /* a larger file becomes a job */
	MAX_JOBS_SHOWN = 100
};

static bool
read_labels(struct http_call *c, struct arena *a, struct import_request *r, struct error *err)
{
	struct option_list given;
	struct load_label *labels;
	struct label one;

	http_query_list(c, "label", &given);
	labels = arena_alloc_array(a, given.count, sizeof(*labels));
	for (size_t i = 0; i < given.count; i++) {
		if (!label_parse_new(given.items[i], &one, err))
			return error_prefix(err, "label");
		labels[i].key = arena_text(a, one.key).data;
		labels[i].value = arena_text(a, one.value).data;
	}
	r->labels = labels;
	r->label_count = given.count;
	return true;
}

static const char *
copied(struct http_call *c, struct arena *a, const char *name)
{
	const char *value = http_query_text(c, name);

	return value ? arena_strdup(a, value) : NULL;
}

static bool
read_name(struct http_call *c, struct arena *a, struct import_request *r, struct error *err)
{
	const char *name = copied(c, a, "name");
	size_t n = name ? strlen(name) : 0;

	r->path = name ? name : "upload";
	if (!name || (n && strcmp(name, "-") != 0 && name[n - 1] != '/'))
		return true;
	return error_set(err, ERROR_USAGE, "name: \"%.40s\" is not a file name", name);
}

static bool
read_looked_for(struct http_call *c, struct arena *a, struct import_request *r, struct error *err)
{
	const char *list = http_query_text(c, "looked_for");
	bool *looked_for = arena_alloc_array(a, COVERAGE_WHATS, sizeof(*looked_for));

	if (!list)
		return true;
	r->run.looked_for = looked_for;
	return coverage_list_parse(list, looked_for, err) || error_prefix(err, "looked_for");
}

/* A job_make function. Copies all values, because the request may end before the load does. */
static bool
make_request(void *self, struct arena *a, struct import_request *r, struct error *err)
{
	struct http_call *c = self;
	const char *events = http_query_text(c, "events");
	struct limits *limits = arena_alloc(a, sizeof(*limits));

	*limits = limits_upload;
	limits->bytes = service_of(c)->options->http.max_upload_bytes;
	limits->disk = service_of(c)->options->max_load_disk_bytes;
	limits->seconds = service_of(c)->options->max_load_seconds;
	*r = (struct import_request){
		.limits = limits,
		.max_memory_bytes = service_of(c)->options->max_load_memory_bytes,
		.format = copied(c, a, "format"),
		.encoding = copied(c, a, "encoding"),
		.caption = copied(c, a, "caption"),
		.application = copied(c, a, "application"),
		.app_version = copied(c, a, "app_version"),
		.host = copied(c, a, "host"),
		.run = { .key = copied(c, a, "run"),
			.commit = copied(c, a, "commit"),
			.parent_commit = copied(c, a, "parent_commit"),
			.environment = copied(c, a, "environment") },
		.options = { .lenient = http_query_flag(c, "lenient"),
			.all_events = events && strcmp(events, "all") == 0,
			.max_depth = (size_t)http_query_int(c, "max_depth", 0) },
		.strict = http_query_flag(c, "strict"),
		.again = http_query_flag(c, "again"),
		.dry_run = http_query_flag(c, "dry_run"),
		.max_issues = http_query_int(c, "max_issues", -1),
	};
	r->options.encoding = r->encoding;
	return read_name(c, a, r, err) && read_labels(c, a, r, err) &&
	       read_looked_for(c, a, r, err);
}

/* Checks Content-Encoding and Content-Type. libarchive unpacks the accepted codings itself. */
static bool
check_kind(struct http_call *c, struct error *err)
{
	static const char *const codings[] = { "gzip", "x-gzip", "zstd", "xz", "identity" };
	struct text coding = text_trim(http_header_find(&c->request->headers, "Content-Encoding"));
	struct text type = http_header_find(&c->request->headers, "Content-Type");
	bool known = text_is_empty(coding);

	for (size_t i = 0; i < sizeof(codings) / sizeof(codings[0]); i++)
		known = known || text_equal_nocase(coding, text_from(codings[i]));
	if (known && !(type.data && text_glob(type, "multipart/*")))
		return true;
	c->answer->status = 415;
	if (!known) {
		error_set(err, ERROR_USAGE, "the Content-Encoding \"%.40s\" is not supported",
			coding.data);
		return error_hint(err, "use gzip, zstd, xz or identity");
	}
	error_set(err, ERROR_USAGE, "the body is a form, not a file");
	return error_hint(
		err, "send the file itself as the body, for example with curl --data-binary @FILE");
}

static bool
load_now(struct http_call *c, const struct job_upload *u, struct error *err)
{
	struct loader_reply reply;

	if (!jobs_run(service_of(c)->jobs, u, &reply, err))
		return handle_parameter_words(err);
	c->answer->status = reply.loaded ? 201 : 200;
	if (reply.inst_id)
		http_answer_field(c->answer, "Location",
			arena_printf(c->arena, "/v1/result-sets/%lld", (long long)reply.inst_id));
	fprintf(c->answer->out, "%s\n", reply.json);
	free(reply.json);
	return true;
}

/* The client sees its own jobs; an administrator sees all. */
static const char *
visible_owner(const struct http_call *c)
{
	return c->request->scopes & TOKEN_ADMIN ? NULL : c->request->user;
}

static bool
write_job(struct http_call *c, const char *id, struct error *err)
{
	struct json_writer w;

	json_writer_init_answer(&w, c->answer->out, false);
	if (!jobs_write(service_of(c)->jobs, visible_owner(c), id, &w, err))
		return false;
	fputc('\n', c->answer->out);
	return true;
}

static bool
load_later(struct http_call *c, const struct job_upload *u, struct error *err)
{
	char id[JOB_ID_BYTES];
	bool full;

	if (!jobs_add(service_of(c)->jobs, u, id, &full, err)) {
		if (full)
			c->answer->status = 503;
		return false;
	}
	c->answer->status = 202;
	http_answer_field(c->answer, "Location", arena_printf(c->arena, "/v1/jobs/%s", id));
	return write_job(c, id, err);
}

bool
handle_upload(struct http_call *c, struct error *err)
{
	struct job_upload u = { .owner = c->request->user, .make = make_request, .self = c };
	int fd;

	if (!check_kind(c, err))
		return false;
	fd = spool_file(c->request->body, err);
	if (fd < 0)
		return false;
	u.fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (u.fd < 0)
		return error_set_errno(err, ERROR_FILE, "cannot duplicate a file descriptor");
	if (http_query_flag(c, "async") || c->request->body_bytes > WAIT_BYTES)
		return load_later(c, &u, err);
	return load_now(c, &u, err);
}

/* Reads the place of the last job on the previous page. */
static bool
read_place(const struct cursor *cursor, struct job_place *place)
{
	const char *time = cursor->parts[0];
	const char *id = cursor->parts[1];
	struct number n;

	snprintf(place->id, sizeof(place->id), "%s", id ? id : "");
	return time && id && number_parse(text_from(time), &n) == NUMBER_OK &&
	       number_to_int64(n, &place->created_us);
}

bool
handle_jobs(struct http_call *c, struct error *err)
{
	struct jobs_page page = { .owner = visible_owner(c),
		.state = http_query_text(c, "state"),
		.most = (size_t)http_query_int(c, "limit", MAX_JOBS_SHOWN) };
	struct job_place before = { .created_us = 0 };
	struct job_place last;
	struct cursor cursor;
	struct json_writer w;

	if (!cursor_read(c, &cursor, err))
		return false;
	if (cursor.given && !read_place(&cursor, &before))
		return cursor_refuse(err);
	page.after = cursor.given ? &before : NULL;
	json_writer_init(&w, c->answer->out, true);
	if (jobs_write_page(service_of(c)->jobs, &page, &last, &w)) {
		struct cursor next = {
			.parts = { arena_printf(c->arena, "%" PRId64, last.created_us), last.id }
		};

		cursor_link(c, &cursor, &next, (int64_t)page.most);
	}
	fputc('\n', c->answer->out);
	return true;
}

bool
handle_job(struct http_call *c, struct error *err)
{
	return write_job(c, http_field_find(&c->request->parts, "id").data, err);
}

/* Answers 202 for a running job, because a cancelled job does not end until it reaches its next row. */
bool
handle_job_cancel(struct http_call *c, struct error *err)
{
	const char *id = http_field_find(&c->request->parts, "id").data;
	enum job_state was;

	if (!jobs_remove(service_of(c)->jobs, visible_owner(c), id, &was, err))
		return false;
	if (was > JOB_RUNNING) {
		c->answer->status = 204;
		return true;
	}
	c->answer->status = was == JOB_RUNNING ? 202 : 200;
	return write_job(c, id, err);
}
