/*
 * Reads sanitizer reports (ASan, LSan, TSan, UBSan, MSan, HWASan) in logs of any kind. A report may
 * begin anywhere in a log. All lines of a report must have the prefix of its first line. Text outside
 * reports is ignored. sanitizer_private.h names the sources of the format.
 *
 * If the names of files in a folder differ only in a final number (log_path.123, log_path.124), the
 * files come from processes of the same run. They become one result set.
 */
#include "format/formats.h"
#include "input/bundle/bundle.h"
#include "input/json/json_shape.h"
#include "input/line_reader.h"
#include "sanitizer_state.h"

#include <stdlib.h>
#include <unistd.h>

enum {
	HEAD_MIN_BYTES = 8,      /* no head is shorter than this */
	LOOK_BYTES = 256 * 1024, /* how many bytes a probe searches */
	TEXT_MAX_BYTES = 4 * 1024 * 1024
};

/* --- a result set ------------------------------------------------------------------ */

static void
set_init(struct sanitizer *s)
{
	struct strbuf *buffers[] = { &s->plain, &s->scratch, &s->table_prefix, &s->pid_list,
		&s->tools };

	s->arena = ARENA_INIT;
	s->ub_arena = ARENA_INIT;
	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
		strbuf_init(buffers[i], TEXT_MAX_BYTES);
	strbuf_init(&s->attributes, ATTRIBUTES_MAX_BYTES);
}

static void
set_release(struct sanitizer *s)
{
	struct strbuf *buffers[] = { &s->plain, &s->scratch, &s->table_prefix, &s->pid_list,
		&s->tools, &s->attributes };

	reader_release(&s->in);
	for (size_t i = 0; i < s->open_count; i++)
		report_free(s->open[i]);
	for (size_t i = 0; i < s->waiting_count; i++)
		free(s->waiting[i].line);
	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
		strbuf_release(buffers[i]);
	pair_map_release(&s->threads);
	pair_map_release(&s->created);
	pair_map_release(&s->tid_pids);
	free(s->tsan);
	pair_map_release(&s->pids);
	pair_map_release(&s->ub_keys);
	pair_map_release(&s->suppressed_keys);
	frame_dictionary_free(s->frames);
	free(s->ub);
	free(s->suppressed);
	arena_release(&s->ub_arena);
	arena_release(&s->arena);
}

/* The length of a name such as "asan.log.123" without its process number. */
static size_t
stem_size(const char *name)
{
	size_t size = strlen(name);
	size_t at = size;

	while (at && char_is_digit(name[at - 1]))
		at--;
	return at > 1 && at < size && name[at - 1] == '.' ? at - 1 : size;
}

static bool
same_run(const struct bundle *b, size_t i, size_t j)
{
	const char *a = bundle_member(b, i)->name;
	const char *c = bundle_member(b, j)->name;
	size_t size = stem_size(a);

	return a[size] && c[stem_size(c)] && stem_size(c) == size && memcmp(a, c, size) == 0 &&
	       strcmp(bundle_member(b, i)->folder, bundle_member(b, j)->folder) == 0;
}

static bool
check_found(struct sanitizer *s)
{
	struct error *err = s->in.err;

	if (!s->in.wanted || s->reports || s->tables || s->in.source->options.may_be_clean)
		return true;
	error_set(err, ERROR_INPUT, "%s contains no sanitizer report", s->in.source->path);
	return error_hint(err,
		"looked for lines such as \"==1==ERROR: AddressSanitizer: ...\", \"WARNING: "
		"ThreadSanitizer: ... (pid=1)\" and \"x.c:1:2: runtime error: ...\"; a run "
		"without findings writes no such line");
}

static void
begin_member(struct sanitizer *s, const struct reader *set, size_t member, int64_t before)
{
	reader_release(&s->in);
	reader_init(&s->in, set->source, set->sink, member, set->err);
	s->in.set = set->set;
	s->in.before = before;
}

/* Emits what is known only at the end of the result set. */
static bool
end_set(struct sanitizer *s, struct text caption)
{
	return check_found(s) && sanitizer_begin(s) &&
	       (!s->in.wanted || (sanitizer_emit_undefined(s) && sanitizer_emit_suppressions(s) &&
					 sanitizer_emit_metadata(s, caption)));
}

/* Reads the members whose run number is `run` as one result set. In a single file, the set begins only at the first
 * report, because the log may have result sets of other formats before that report. */
static enum format_result
read_run(const struct reader *set, const size_t *runs, size_t run, int64_t *before)
{
	struct bundle *b = set->source->bundle;
	struct sanitizer s = { .in = *set, .begun = bundle_count(b) > 1 };
	struct text caption = TEXT_NULL;
	bool ok = true;
	bool again;

	set_init(&s);
	if (s.begun)
		s.frames = frame_dictionary_new(set->sink, set->set);
	for (size_t i = 0; ok && i < bundle_count(b); i++) {
		if (runs[i] != run)
			continue;
		begin_member(&s, set, i, *before);
		if (!caption.data)
			caption = text_up_to(text_from(s.in.name), stem_size(s.in.name));
		ok = sanitizer_read_member(&s);
		*before += s.in.size;
	}
	ok = ok && end_set(&s, caption);
	again = s.in.again;
	set_release(&s);
	if (again)
		return FORMAT_AGAIN;
	return ok ? FORMAT_DONE : FORMAT_FAILED;
}

/* --- input files ------------------------------------------------------------------- */

/* The kind of report that begins on the line, or HEAD_NONE. */
static enum head_kind
look_at_line(struct strbuf *plain, struct text line)
{
	struct head h;

	if (line.size < HEAD_MIN_BYTES || !sanitizer_may_be_head(line))
		return HEAD_NONE;
	sanitizer_head(sanitizer_plain(plain, line), &h);
	if (h.kind == HEAD_SUMMARY || h.kind == HEAD_COUNT || h.kind == HEAD_FAILED)
		return HEAD_NONE;
	return h.kind;
}

/* The kind of the first report that begins in the first `most` bytes of the file, or HEAD_NONE. */
static enum head_kind
look_into(struct bundle *b, size_t member, uint64_t most)
{
	const struct line_options options = { .log = true, .max_line_bytes = SANITIZER_LINE_BYTES };
	struct error ignored = ERROR_INIT;
	int fd = bundle_open_member(b, member, &ignored);
	struct line_reader *reader = line_reader_new_fd(fd, &options);
	enum head_kind found = HEAD_NONE;
	struct line line;
	struct strbuf plain;
	bool more = fd >= 0;

	strbuf_init(&plain, SANITIZER_LINE_BYTES);
	while (found == HEAD_NONE && more && line_next(reader, &line, &more, &ignored) && more &&
		line.offset < most)
		found = look_at_line(&plain, line.text);
	line_reader_free(reader);
	if (fd >= 0)
		close(fd);
	strbuf_release(&plain);
	return found;
}

static int
bits_of(enum head_kind kind)
{
	if (kind == HEAD_REPORT || kind == HEAD_LEAKS)
		return 8 * (int)strlen("==1==ERROR: LeakSanitizer: ");
	if (kind == HEAD_UNDEFINED)
		return 8 * (int)strlen(":1: runtime error: ");
	return kind == HEAD_NONE ? 0 : 8 * (int)strlen("Suppressions used:");
}

/* Looks for a report in the input. Does not search JSON, because it may contain the text of a log, but is
 * not a log. */
static int
probe(const struct format_source *source)
{
	const bool json = source->shape && source->shape->key_count;
	int bits = 0;

	for (size_t i = 0; source->bundle && !json && !bits && i < bundle_count(source->bundle);
		i++)
		bits = bits_of(look_into(source->bundle, i, LOOK_BYTES));
	return bits;
}

static void *
lines_begin(const void *kind)
{
	struct strbuf *plain = xmalloc(sizeof(*plain));

	(void)kind;
	strbuf_init(plain, SANITIZER_LINE_BYTES);
	return plain;
}

static bool
lines_line(void *state, struct text line)
{
	return look_at_line(state, line) != HEAD_NONE;
}

static void
lines_end(void *state)
{
	strbuf_release(state);
	free(state);
}

static const struct format_lines lines = { NULL, lines_begin, lines_line, lines_end };

/* Gives each member its run number, and begins the result sets if there are several members. */
static bool
begin_runs(struct format_source *source, struct sink *sink, size_t *runs, uint32_t *sets,
	bool *wanted, size_t *count, struct error *err)
{
	struct bundle *b = source->bundle;

	*count = bundle_count(b) == 1;
	if (*count) {
		runs[0] = 0;
		sets[0] = ISSUE_EVERY_SET;
		wanted[0] = true;
		return true;
	}
	for (size_t i = 0; i < bundle_count(b); i++) {
		struct set_row row = { .source_inst_id = MODEL_NULL };

		runs[i] = SIZE_MAX;
		if (look_into(b, i, UINT64_MAX) == HEAD_NONE)
			continue;
		for (size_t j = 0; j < i && runs[i] == SIZE_MAX; j++)
			if (runs[j] != SIZE_MAX && same_run(b, i, j))
				runs[i] = runs[j];
		if (runs[i] != SIZE_MAX)
			continue;
		runs[i] = *count;
		if (!bundle_is_file(b))
			row.file = text_from(bundle_member(b, i)->name);
		if (!sink->set(sink, &row, &sets[*count], &wanted[*count], err))
			return false;
		(*count)++;
	}
	if (*count)
		return true;
	return error_set(err, ERROR_INPUT, "%s contains no sanitizer report", source->path);
}

static enum format_result
read_sanitizer(struct format_source *source, struct sink *sink, struct error *err)
{
	size_t members = bundle_count(source->bundle);
	size_t *runs = arena_alloc_array(source->arena, members, sizeof(*runs));
	uint32_t *sets = arena_alloc_array(source->arena, members, sizeof(*sets));
	bool *wanted = arena_alloc_array(source->arena, members, sizeof(*wanted));
	int64_t before = 0;
	size_t next = 0;
	size_t count;
	enum format_result result = begin_runs(source, sink, runs, sets, wanted, &count, err)
					    ? FORMAT_DONE
					    : FORMAT_FAILED;

	for (size_t i = 0; result == FORMAT_DONE && i < members; i++) {
		struct reader r;

		reader_init(&r, source, sink, i, err);
		if (runs[i] == SIZE_MAX) {
			if (!member_left_out(&r, "sanitizer report"))
				result = FORMAT_FAILED;
		} else if (runs[i] == next) {
			r.set = sets[next];
			if (wanted[next])
				result = read_run(&r, runs, next, &before);
			next++;
		}
		reader_release(&r);
	}
	if (result == FORMAT_DONE && !sink->end(sink, err))
		result = FORMAT_FAILED;
	return result;
}

const struct format format_sanitizer = {
	.name = "sanitizer",
	.title = "logs with reports of AddressSanitizer and the other sanitizers, as text",
	.profiler = "sanitizer",
	.known_by = "a line with \"==PID==ERROR: AddressSanitizer: \" (or another tool), or "
		    "\": runtime error: \"",
	.covers = { [COVERAGE_LEAKS] = COVERAGE_UNKNOWN,
		[COVERAGE_ERRORS] = COVERAGE_UNKNOWN,
		[COVERAGE_RACES] = COVERAGE_UNKNOWN },
	.reads = true,
	.several = true,
	.silent_if_clean = true,
	.probe = probe,
	.lines = &lines,
	.read = read_sanitizer,
};
