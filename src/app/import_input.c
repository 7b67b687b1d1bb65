/* The input of an import: opens it, and finds its format. */
#include "import_input.h"

#include "db/foreign_rowset.h"
#include "input/bundle/bundle.h"
#include "input/csv/csv_rowset.h"
#include "input/json/json_shape.h"
#include "input/odbc/odbc_rowset.h"

#include <string.h>

/* Returns the last part of the path, without slashes at its end. A file name may contain any bytes.
 * Bytes that are not UTF-8 become question marks. */
static const char *
source_name(struct arena *a, const char *path)
{
	size_t end = strlen(path);
	size_t start;
	char *name;

	if (strcmp(path, "-") == 0)
		return "stdin";
	while (end > 1 && path[end - 1] == '/')
		end--;
	start = end;
	while (start > 0 && path[start - 1] != '/')
		start--;
	name = arena_strndup(a, path + start, end - start);
	for (size_t bad, size = end - start; (bad = text_utf8_prefix(name, size)) < size;)
		name[bad] = '?';
	return name;
}

/* Returns the format that the user named; NULL on error. */
static const struct format *
named_format(const char *name, struct error *err)
{
	const struct format *f = format_find(name);

	if (f && f->reads)
		return f;
	error_set(err, ERROR_USAGE, "profdepot does not read a format \"%s\"", name);
	error_hint(err, "\"profdepot formats\" lists them");
	return NULL;
}

/* The format found so far among an input's files. */
struct finding {
	const struct format *format;
	size_t member; /* the first file of this format */
};

static const char *
member_name(const struct input *in, size_t i)
{
	return bundle_member(in->bundle, i)->name;
}

/* Rejects an input with two formats, because only one of them would be loaded. */
static bool
add_finding(struct input *in, struct finding *f, const struct format *format, size_t member,
	struct error *err)
{
	if (!format || format == f->format)
		return true;
	if (!f->format) {
		*f = (struct finding){ format, member };
		return true;
	}
	error_set(err, ERROR_INPUT, "%s contains files of several formats: %s is %s, %s is %s",
		in->source.path, member_name(in, f->member), f->format->name,
		member_name(in, member), format->name);
	return error_hint(err, "load them one by one, or choose one with --format");
}

/* Looks at the beginning of each JSON file to find its format. If the user named a format, looks only for that
 * format. The shape of the input becomes that of the first file whose format was found. If there is no such file,
 * it becomes that of the first JSON file. A single file is examined even if it is not JSON. */
static bool
look_at_json(struct input *in, const struct format *named, struct finding *f, struct error *err)
{
	struct format_source view = in->source;
	struct error ignored = ERROR_INIT;

	/* Look at the JSON files only, not at the tables. */
	view.rowset = NULL;
	for (size_t i = 0; i < bundle_count(in->bundle); i++) {
		const struct format *found;

		view.shape = json_shape_of(in->bundle, i);
		view.shape_member = i;
		if (view.shape->top != JSON_TOP_OBJECT && view.shape->top != JSON_TOP_ARRAY &&
			!bundle_is_file(in->bundle))
			continue;
		found = !named                       ? format_detect(&view, &ignored)
			: format_probe(named, &view) ? named
						     : NULL;
		if (!in->source.shape || (found && !f->format)) {
			in->source.shape = view.shape;
			in->source.shape_member = i;
		}
		if (!add_finding(in, f, found, i, err))
			return false;
	}
	return true;
}

/* Finds a file that is not JSON, for the message about several formats. */
static size_t
member_without_json(const struct input *in)
{
	const size_t count = bundle_count(in->bundle);

	for (size_t i = 0; i < count; i++)
		if (!text_glob(text_from(member_name(in, i)), "*.json"))
			return i;
	return 0;
}

static bool
find_format(struct input *in, const struct format *named, struct finding *f, struct error *err)
{
	struct error ignored = ERROR_INIT;

	/* If the user named the format, it need not be detected. */
	if (!named && !bundle_is_file(in->bundle) &&
		!add_finding(
			in, f, format_detect(&in->source, &ignored), member_without_json(in), err))
		return false;
	return look_at_json(in, named, f, err);
}

/* Chooses the format of an input that is not a set of tables. no_tables says why it is not
 * a set of tables; this error is reported if no format matches. */
static bool
choose_format(struct input *in, const struct import_request *r, const struct error *no_tables,
	struct error *err)
{
	const struct format *named = r->format ? named_format(r->format, err) : NULL;
	struct finding found = { NULL, 0 };
	bool file = bundle_is_file(in->bundle);
	bool json;

	if ((r->format && !named) || !find_format(in, named, &found, err))
		return false;
	json = in->source.shape && in->source.shape->top != JSON_TOP_NONE;
	in->format = named ? named : found.format;
	if (!in->format)
		in->format = format_detect(&in->source, err);
	if (in->format && (!in->format->tables || in->csv))
		return true;
	if (!in->csv && (in->format || (!json && !file && !r->format)))
		*err = *no_tables;
	in->format = NULL;
	return false;
}

static bool
open_database(struct input *in, struct arena *a, const struct import_request *r, struct error *err)
{
	const struct odbc_options odbc = {
		.inst_ids = r->inst_ids, .inst_id_count = r->inst_id_count, .encoding = r->encoding
	};

	*in = (struct input){ .name = odbc_display_name(a, r->odbc) };
	in->format = r->format ? named_format(r->format, err) : format_find("aqtime");
	if (in->format && !in->format->tables) {
		in->format = NULL;
		return error_set(
			err, ERROR_USAGE, "the format %s does not consist of tables", r->format);
	}
	in->odbc = in->format ? odbc_rowset_new(r->odbc, &odbc, err) : NULL;
	if (!in->odbc) {
		in->format = NULL;
		return false;
	}
	in->source = (struct format_source){ .path = r->path,
		.rowset = odbc_rowset_interface(in->odbc),
		.options = r->options,
		.arena = a };
	if (format_probe(in->format, &in->source))
		return true;
	in->format = NULL;
	if (format_explain(&in->source, err))
		return false;
	error_set(err, ERROR_INPUT, "%s: no tables of %s", r->path, "the AQTime Resource profiler");
	return error_hint(err, "looked for INSTANCES and RESOURCE_PROFILER_OBJECTS among the "
			       "tables that the login can read");
}

/* The only supported database is MiniProfiler's storage. */
static bool
open_foreign(struct input *in, struct arena *a, const struct import_request *r, struct error *err)
{
	struct foreign_table tables[] = {
		{ "MINIPROFILERCLIENTTIMINGS", "db/miniprofiler_clients", NULL },
		{ "MINIPROFILERS", "db/miniprofiler_profiles", NULL },
		{ "MINIPROFILERTIMINGS", "db/miniprofiler_timings", NULL },
	};

	*in = (struct input){ .name = r->path };
	if (r->from_tables) {
		tables[1].table = r->from_tables[0];
		tables[2].table = r->from_tables[1];
		tables[0].table = r->from_tables[2];
	}
	in->foreign = foreign_rowset_new(r->from_db, "--from-db", tables, 3, err);
	if (!in->foreign)
		return false;
	in->name = arena_strdup(a, foreign_rowset_place(in->foreign));
	in->source = (struct format_source){ .path = in->name,
		.rowset = foreign_rowset_interface(in->foreign),
		.options = r->options,
		.arena = a };
	in->format = format_find("miniprofiler-storage");
	return true;
}

/* Returns whether the input may be empty. A clean run leaves an empty log, so the user must name its format. */
static bool
may_be_empty(const struct import_request *r)
{
	const struct format *named = r->format ? format_find(r->format) : NULL;

	return named && named->silent_if_clean;
}

/* The values that judge_stream needs from input_open. */
struct stream_judge {
	const struct import_request *request;
	const struct category_list *categories;
	const struct bundle_options *options;
};

/* Returns whether the stream can be a pprof profile. The beginning of a profile cannot be parsed, because the whole
 * profile is one message. A profile is binary. Its first byte is a tag, which combines a member's number from 1 to 6
 * with the wire type of members that have a length. */
static bool
may_be_pprof(struct bundle *b)
{
	const struct text head = bundle_head(b, 0);
	const unsigned first = head.size ? (unsigned char)head.data[0] : 0;
	bool binary = false;

	for (size_t i = 0; i < head.size && !binary; i++)
		binary = char_is_control(head.data[i]) && !char_is_space(head.data[i]);
	return binary && (first & 7) == 2 && first >> 3 >= 1 && first >> 3 <= 6;
}

static bool
begins_known(struct input *in, const struct import_request *r, struct error *err)
{
	const struct error no_tables = ERROR_INIT;

	/* A compressed stream is judged by its unpacked content. Archives and JSON are accepted, because
	 * their beginning may not show their format. */
	if (!bundle_is_file(in->bundle) || bundle_size(in->bundle) < BUNDLE_STREAM_HEAD_BYTES)
		return true;
	return may_be_pprof(in->bundle) || choose_format(in, r, &no_tables, err) ||
	       (in->source.shape && in->source.shape->top != JSON_TOP_NONE);
}

/* Rejects a stream whose beginning matches no format, because the stream may never end. */
static bool
judge_stream(void *self, int fd, struct error *err)
{
	const struct stream_judge *j = self;
	struct bundle_options o = *j->options;
	struct error ignored = ERROR_INIT;
	struct arena a = ARENA_INIT;
	struct input in = { .name = j->request->path };
	bool ok = true;

	o.head_only = true;
	in.bundle = bundle_open_fd(j->request->path, fd, &o, &ignored);
	in.source = (struct format_source){ .path = j->request->path,
		.bundle = in.bundle,
		.options = j->request->options,
		.categories = j->categories,
		.arena = &a };
	if (in.bundle && !j->request->format)
		ok = begins_known(&in, j->request, err);
	input_close(&in);
	arena_release(&a);
	if (ok)
		return true;
	error_set(err, ERROR_INPUT, "%s: the first %d MiB match no format that profdepot reads",
		j->request->path, BUNDLE_STREAM_HEAD_BYTES >> 20);
	return error_hint(err, "if a report begins later, write the stream to a file and load "
			       "the file, or name its format with --format");
}

bool
input_open(struct input *in, struct arena *a, const struct import_request *request,
	const struct category_list *categories, const struct bundle_options *options,
	struct error *err)
{
	const struct csv_options csv = { .encoding = request->encoding };
	struct stream_judge judge = { request, categories, options };
	struct bundle_options o = *options;
	struct error no_tables = ERROR_INIT;

	if (request->odbc)
		return open_database(in, a, request, err);
	if (request->from_db)
		return open_foreign(in, a, request, err);
	*in = (struct input){ .name = source_name(a, request->path) };
	o.allow_empty = may_be_empty(request);
	o.judge_stream = judge_stream;
	o.judge_self = &judge;
	in->bundle = request->fd ? bundle_open_fd(request->path, *request->fd, &o, err)
				 : bundle_open(request->path, &o, err);
	if (!in->bundle)
		return false;
	in->csv = csv_rowset_new(in->bundle, &csv, &no_tables);
	in->source = (struct format_source){ .path = request->path,
		.rowset = in->csv ? csv_rowset_interface(in->csv) : NULL,
		.bundle = in->bundle,
		.options = request->options,
		.categories = categories,
		.arena = a };
	return choose_format(in, request, &no_tables, err);
}

/* Returns the text after "PLACE: ", or the whole message if it does not begin with "PLACE: ". */
static const char *
behind_place(const char *message, const char *place)
{
	size_t size = place ? strlen(place) : 0;

	if (size && strncmp(message, place, size) == 0 && strncmp(message + size, ": ", 2) == 0)
		return message + size + 2;
	return message;
}

/* If the message begins with the name of a file of the input, returns this name; otherwise returns NULL. */
static const char *
leading_member(const struct input *in, const char *message)
{
	for (size_t i = 0; in->bundle && i < bundle_count(in->bundle); i++)
		if (behind_place(message, member_name(in, i)) != message)
			return member_name(in, i);
	return NULL;
}

/* First removes every file and member name at the start of the message, because each function that
 * passed the error on may have added one. */
void
input_name_place(const struct input *in, const char *path, struct error *err)
{
	const char *shown = strcmp(path, "-") == 0 ? "standard input" : path;
	const char *rest = err->message;
	const char *member = NULL;
	const char *before;

	do {
		const char *found = leading_member(in, rest);

		before = rest;
		member = found ? found : member;
		rest = behind_place(behind_place(behind_place(rest, found), path), shown);
	} while (rest != before);
	/* The message already contains the path, as in "cannot open PATH: ...". */
	if (rest == err->message && strstr(rest, shown))
		return;
	memmove(err->message, rest, strlen(rest) + 1);
	if (member && !bundle_is_file(in->bundle))
		error_prefix(err, "%s", member);
	error_prefix(err, "%s", shown);
}

void
input_close(struct input *in)
{
	odbc_rowset_free(in->odbc);
	foreign_rowset_free(in->foreign);
	csv_rowset_free(in->csv);
	bundle_close(in->bundle);
}

int64_t
input_bytes(const struct input *in)
{
	if (in->odbc || in->foreign)
		return 0;
	return in->format->tables ? csv_rowset_size(in->csv) : bundle_size(in->bundle);
}

int64_t
input_consumed(const struct input *in)
{
	return in->csv && in->format->tables ? csv_rowset_consumed(in->csv) : in->source.consumed;
}

void
input_rewind(struct input *in)
{
	in->source.consumed = 0;
	if (in->csv)
		csv_rowset_reset_consumed(in->csv);
}

bool
input_has_digest(const struct input *in)
{
	return !in->odbc && !in->foreign;
}

bool
input_digest(struct input *in, uint8_t out[SHA256_BYTES], struct error *err)
{
	return in->format->tables ? csv_rowset_digest(in->csv, out, err)
				  : bundle_digest(in->bundle, out, err);
}

bool
input_check_unchanged(const struct input *in, struct error *err)
{
	return !in->bundle || bundle_check_unchanged(in->bundle, err);
}

/* Returns whether INSTANCES has more than one row. It has one row per result set. */
static bool
has_several_instances(struct rowset *rowset, bool *several, struct error *err)
{
	int table = rowset_find(rowset, "INSTANCES");
	struct row_reader *r;
	struct row row;
	enum row_status status = ROW_END;
	int rows = 0;

	if (table < 0)
		return true;
	r = rowset->open(rowset, (size_t)table, err);
	if (!r)
		return false;
	while (rows < 2 && (status = r->next(r, &row, err)) == ROW_READ)
		rows++;
	r->close(r);
	*several = rows > 1;
	return status != ROW_ERROR;
}

bool
input_has_several_sets(struct input *in, bool *several, struct error *err)
{
	*several = !in->format->tables && in->format->several && bundle_count(in->bundle) > 1;
	return !in->format->tables || in->foreign ||
	       has_several_instances(in->source.rowset, several, err);
}
