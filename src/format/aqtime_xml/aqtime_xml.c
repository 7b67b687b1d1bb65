#include "aqtime_xml_private.h"
#include "format/formats.h"

#include "base/hash.h"
#include "base/pair_map.h"
#include "format/formats.h"
#include "input/bundle/bundle.h"
#include "input/json/json_shape.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * A file is read twice: classes, routines, lines and threads first, which facts
 * name, then objects and errors with their stacks.
 */
enum {
	PROBE_BYTES = 4096,
	PROBE_BITS = 8 * 15, /* of the document element's name */
	KEY_MAX_BYTES = 64 * 1024 * 1024,
};

struct xml_file {
	struct format_source *source;
	struct sink *sink;
	uint32_t set;
	const char *name;
	bool facts; /* the second reading */
	struct pair_map classes, routines, lines, threads;
	struct pair_map counted;        /* classes that have counters */
	struct pair_map thread_of_rows; /* by the offset of a row that is a thread */
	struct strbuf key;
	int64_t objects, errors, object_frames, error_frames;
	int64_t consumed_before, size;
	/* Columns of the stack that is told. */
	int64_t *columns[3];
	size_t columns_room;
};

static bool tell_issue(struct xml_file *f, const struct xml_row *row, enum issue_code code,
	struct error *err, const char *format, ...) ERROR_PRINTF(5, 6);

static bool
tell_issue(struct xml_file *f, const struct xml_row *row, enum issue_code code, struct error *err,
	const char *format, ...)
{
	char message[256];
	struct issue issue = { .code = code,
		.source = f->name,
		.line = row ? row->line : 0,
		.offset = row ? row->offset : 0,
		.message = message };
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	aqtime_xml_mend(message);
	return f->sink->issue(f->sink, f->set, &issue, err);
}

/* --- names ---------------------------------------------------------------------------------- */

static bool
reject(struct xml_file *f, const struct xml_values *v, struct error *err)
{
	return tell_issue(f, v->row, v->code, err, "%s: field %s: \"%.*s\" is no number for it",
		v->row->table->name, v->bad, text_precision(v->text, 60), v->text.data);
}

/* The number of these texts together; *added: it is new. PAIR_MAP_NONE: too long. */
static uint32_t
intern(struct xml_file *f, struct pair_map *map, const struct text *texts, size_t count,
	bool *added)
{
	struct hash128 h;

	strbuf_reset(&f->key);
	for (size_t i = 0; i < count; i++) {
		strbuf_append_int(&f->key, (int64_t)texts[i].size);
		strbuf_append_char(&f->key, text_is_null(texts[i]) ? '-' : ':');
		strbuf_append_text(&f->key, texts[i]);
	}
	h = hash128(strbuf_str(&f->key), f->key.size);
	return pair_map_add(map, (int64_t)h.low, (int64_t)h.high, (uint32_t)map->count, added);
}

static bool
tell_class(struct xml_file *f, const struct xml_row *row, int64_t *id, struct error *err)
{
	struct text texts[] = { row->values[XML_CLASS], row->values[XML_MODULE] };
	struct class_row class = { .parent_id = -1 };
	bool added;

	if (text_is_empty(texts[0]) && row->table->kind == XML_OBJECTS)
		texts[0] = aqtime_xml_name_class(row->values[XML_OBJECT_NAME]);
	*id = intern(f, &f->classes, texts, 2, &added);
	class.id = *id;
	class.rec_id = *id;
	class.class_name = texts[0];
	class.module_name = texts[1];
	return !added || f->sink->class_meta(f->sink, f->set, &class, err);
}

/* The thread that the row names, MODEL_NULL: none. */
static bool
tell_thread(struct xml_file *f, const struct xml_row *row, int64_t *id, struct error *err)
{
	struct text name = row->values[XML_THREAD];
	struct thread_row thread = { .parent_id = -1, .size = MODEL_NULL };
	bool added;

	*id = MODEL_NULL;
	if (text_is_empty(name))
		return true;
	*id = intern(f, &f->threads, &name, 1, &added);
	thread.id = *id;
	thread.rec_id = *id;
	thread.os_thread_id = aqtime_xml_os_thread(name);
	return !added || f->sink->thread(f->sink, f->set, &thread, err);
}

/* What lies below the row may be the thread's. */
static bool
tell_thread_row(struct xml_file *f, const struct xml_row *row, struct error *err)
{
	int64_t id;

	if (!tell_thread(f, row, &id, err))
		return false;
	if (id != MODEL_NULL)
		pair_map_add(&f->thread_of_rows, (int64_t)row->offset, 0, (uint32_t)id, NULL);
	return true;
}

/* Of an error: its own, or that of the row that owns it. */
static bool
thread_of_error(struct xml_file *f, const struct xml_row *row, int64_t *id, struct error *err)
{
	uint32_t owner;

	if (!tell_thread(f, row, id, err))
		return false;
	if (*id != MODEL_NULL)
		return true;
	owner = row->parent ? pair_map_get(&f->thread_of_rows, (int64_t)row->parent->offset, 0)
			    : PAIR_MAP_NONE;
	*id = owner == PAIR_MAP_NONE ? MODEL_NULL : (int64_t)owner;
	return true;
}

static bool
tell_class_data(struct xml_file *f, const struct xml_row *row, struct error *err)
{
	struct xml_values v = { .row = row };
	struct class_data_row data = { .parent_id = -1,
		.class_name = row->values[XML_CLASS],
		.module_name = row->values[XML_MODULE] };
	bool added;

	data.live_count = aqtime_xml_number(&v, XML_LIVE_COUNT, "Live Count");
	data.live_size = aqtime_xml_number(&v, XML_LIVE_SIZE, "Live Size");
	data.peak_created = aqtime_xml_number(&v, XML_PEAK_CREATED, "Peak Created");
	data.peak_size = aqtime_xml_number(&v, XML_PEAK_SIZE, "Peak Size");
	data.total_created = aqtime_xml_number(&v, XML_TOTAL_CREATED, "Total Created");
	data.total_size = aqtime_xml_number(&v, XML_TOTAL_SIZE, "Total Size");
	if (v.bad)
		return reject(f, &v, err);
	if (!tell_class(f, row, &data.rec_id, err))
		return false;
	pair_map_add(&f->counted, data.rec_id, 0, 0, &added);
	if (!added)
		return tell_issue(f, row, ISSUE_DUPLICATE_ID, err,
			"%s: the class %.*s of this module is there already", row->table->name,
			text_precision(data.class_name, 60), data.class_name.data);
	data.id = data.rec_id;
	return f->sink->class_data(f->sink, f->set, &data, err);
}

/* Routine and line of a frame; told when they are new. */
static bool
tell_frame(struct xml_file *f, const struct xml_row *row, struct xml_frame *frame, bool *good,
	struct error *err)
{
	struct xml_values v = { .row = row };
	const struct text texts[] = { row->values[XML_MODULE], row->values[XML_CLASS],
		row->values[XML_ROUTINE], row->values[XML_UNIT], row->values[XML_FILE] };
	int64_t source_line = aqtime_xml_int64(&v, XML_LINE, "Source Line");
	struct routine_row routine = { .parent_id = -1,
		.hit_count = MODEL_NULL,
		.compiler = MODEL_NULL,
		.profile_lines = MODEL_NULL,
		.source_line = MODEL_NULL,
		.token = MODEL_NULL,
		.address = NUMBER_NULL,
		.module_name = texts[0],
		.class_name = texts[1],
		.routine_name = texts[2],
		.unit_name = texts[3],
		.source_file = texts[4] };
	struct line_row line = { .source_line = source_line };
	bool added;

	frame->hit_count = aqtime_xml_int64(&v, XML_HIT_COUNT, "Hit Count");
	*good = !v.bad;
	if (v.bad)
		return f->facts || reject(f, &v, err);
	frame->routine = intern(f, &f->routines, texts, 5, &added);
	routine.id = frame->routine;
	routine.rec_id = frame->routine;
	if (added && !f->sink->routine(f->sink, f->set, &routine, err))
		return false;
	frame->line = MODEL_NULL;
	if (source_line == MODEL_NULL || source_line == 0)
		return true;
	frame->line = pair_map_add(
		&f->lines, frame->routine, source_line, (uint32_t)f->lines.count, &added);
	line.id = frame->line;
	line.rec_id = frame->line;
	line.parent_id = frame->routine;
	return !added || f->sink->line(f->sink, f->set, &line, err);
}

/* A frame goes to the row that owns it. */
static bool
add_frame(struct xml_file *f, struct xml_row *row, struct error *err)
{
	struct xml_row *to = row->parent;
	struct xml_frame frame;
	bool good;

	if (!to || (to->table->kind != XML_OBJECTS && to->table->kind != XML_ERRORS))
		return f->facts ||
		       tell_issue(f, row, ISSUE_DANGLING_PARENT, err,
			       "%s: a frame that no object or error owns", row->table->name);
	if (!tell_frame(f, row, &frame, &good, err))
		return false;
	if (!f->facts || !good)
		return true;
	if (to->frame_count == STACK_MAX_FRAMES) {
		to->too_deep = true;
		return true;
	}
	if (to->frame_count == to->frame_room) {
		to->frame_room = to->frame_room ? 2 * to->frame_room : 64;
		to->frames = xrealloc(to->frames, to->frame_room * sizeof(*to->frames));
	}
	to->frames[to->frame_count++] = frame;
	return true;
}

/* --- facts ----------------------------------------------------------------------------------- */

static void
make_room(struct xml_file *f, size_t count)
{
	if (count <= f->columns_room)
		return;
	f->columns_room = count;
	for (size_t i = 0; i < 3; i++)
		f->columns[i] = xrealloc(f->columns[i], count * sizeof(*f->columns[i]));
}

static bool
tell_stack(struct xml_file *f, const struct xml_row *row, stack_number *stack, struct error *err)
{
	struct stack_row s = { .count = row->frame_count };
	bool lines = false;
	bool hits = false;

	*stack = 0;
	if (row->too_deep)
		return tell_issue(f, row, ISSUE_STACK_TOO_DEEP, err,
			"%s: a call stack with more than %d frames was left out", row->table->name,
			(int)STACK_MAX_FRAMES);
	if (!row->frame_count)
		return true;
	make_room(f, row->frame_count);
	for (size_t i = 0; i < row->frame_count; i++) {
		f->columns[0][i] = row->frames[i].routine;
		f->columns[1][i] = row->frames[i].line;
		f->columns[2][i] = row->frames[i].hit_count;
		lines |= row->frames[i].line != MODEL_NULL;
		hits |= row->frames[i].hit_count != MODEL_NULL;
	}
	s.routine_ids = f->columns[0];
	s.line_ids = lines ? f->columns[1] : NULL;
	s.hit_counts = hits ? f->columns[2] : NULL;
	return f->sink->stack(f->sink, f->set, &s, stack, err);
}

static bool
tell_object(struct xml_file *f, struct xml_row *row, struct error *err)
{
	struct xml_values v = { .row = row };
	struct object_row object = { .parent_id = -1,
		.thread_id = MODEL_NULL,
		.block_count = 1,
		.stack_first_id = MODEL_NULL };

	object.number = aqtime_xml_number(&v, XML_NUMBER, "#");
	if (object.number.null)
		object.number = aqtime_xml_name_number(row->values[XML_OBJECT_NAME]);
	object.address = aqtime_xml_number(&v, XML_ADDRESS, "Address");
	object.size = aqtime_xml_number(&v, XML_SIZE, "Size");
	object.get_number = aqtime_xml_int64(&v, XML_GET, "Get #");
	if (v.bad)
		return reject(f, &v, err);
	if (!tell_class(f, row, &object.class_id, err) ||
		!tell_thread(f, row, &object.thread_id, err) ||
		!tell_stack(f, row, &object.stack, err))
		return false;
	object.id = f->objects;
	object.rec_id = f->objects++;
	if (object.stack) {
		object.stack_first_id = f->object_frames;
		f->object_frames += (int64_t)row->frame_count;
	}
	return f->sink->object(f->sink, f->set, &object, err);
}

static bool
tell_error(struct xml_file *f, struct xml_row *row, struct error *err)
{
	struct xml_values v = { .row = row };
	struct error_row error = { .description = row->values[XML_DESCRIPTION],
		.name = row->values[XML_NAME],
		.stack_first_id = MODEL_NULL };

	error.number = aqtime_xml_int64(&v, XML_NUMBER, "#");
	error.error_code = aqtime_xml_code(&v, XML_CODE, "Error Code");
	error.kind = aqtime_xml_error_kind(row);
	if (v.bad)
		return reject(f, &v, err);
	if (error.kind == MODEL_NULL && !text_is_empty(row->values[XML_KIND]) &&
		!tell_issue(f, row, ISSUE_ODD_VALUE, err, "%s: Kind is neither Error nor Warning",
			row->table->name))
		return false;
	if (!thread_of_error(f, row, &error.parent_id, err) ||
		!tell_stack(f, row, &error.stack, err))
		return false;
	error.id = f->errors;
	error.rec_id = f->errors++;
	if (error.stack) {
		error.stack_first_id = f->error_frames;
		f->error_frames += (int64_t)row->frame_count;
	}
	return f->sink->error(f->sink, f->set, &error, err);
}

/* --- rows and tables ------------------------------------------------------------------------- */

static bool
on_row(void *self, struct xml_row *row, struct error *err)
{
	struct xml_file *f = self;
	int64_t id;

	switch (row->table->kind) {
	case XML_CLASSES:
		return f->facts || tell_class_data(f, row, err);
	case XML_OBJECTS:
		if (f->facts)
			return tell_object(f, row, err);
		return tell_class(f, row, &id, err) && tell_thread(f, row, &id, err);
	case XML_ERRORS:
		return f->facts ? tell_error(f, row, err) : tell_thread(f, row, &id, err);
	case XML_THREADS:
		return f->facts || tell_thread_row(f, row, err);
	case XML_STACKS:
		return add_frame(f, row, err);
	case XML_OTHER:
		break;
	}
	return true;
}

static bool
on_table(void *self, const struct xml_table *t, const char *const *left_out, size_t count,
	struct error *err)
{
	struct xml_file *f = self;

	if (f->facts)
		return true;
	if (t->kind == XML_OTHER)
		return tell_issue(
			f, NULL, ISSUE_UNKNOWN_TABLE, err, "table %.100s was left out", t->name);
	for (size_t i = 0; i < count; i++)
		if (!tell_issue(f, NULL, ISSUE_UNKNOWN_COLUMN, err,
			    "table %.60s: field %.100s was left out", t->name, left_out[i]))
			return false;
	return true;
}

static void
on_progress(void *self, int64_t bytes)
{
	struct xml_file *f = self;

	f->source->consumed = f->consumed_before + ((f->facts ? f->size : 0) + bytes) / 2;
	if (f->source->tick)
		f->source->tick(f->source->tick_self);
}

/* --- files ----------------------------------------------------------------------------------- */

static bool
parse_member(struct xml_file *f, size_t member, struct error *err)
{
	const struct xml_reader reader = { .name = f->name,
		.encoding = f->source->options.encoding,
		.table = on_table,
		.row = on_row,
		.progress = on_progress,
		.self = f };
	int fd = bundle_open_member(f->source->bundle, member, err);
	bool ok = fd >= 0 && aqtime_xml_parse(fd, &reader, err);

	if (fd >= 0)
		close(fd);
	return ok;
}

static bool
read_member(struct xml_file *f, size_t member, struct error *err)
{
	bool ok;

	strbuf_init(&f->key, KEY_MAX_BYTES);
	pair_map_init(&f->classes);
	pair_map_init(&f->routines);
	pair_map_init(&f->lines);
	pair_map_init(&f->threads);
	pair_map_init(&f->counted);
	pair_map_init(&f->thread_of_rows);
	ok = parse_member(f, member, err);
	f->facts = true;
	ok = ok && parse_member(f, member, err);
	pair_map_release(&f->classes);
	pair_map_release(&f->routines);
	pair_map_release(&f->lines);
	pair_map_release(&f->threads);
	pair_map_release(&f->counted);
	pair_map_release(&f->thread_of_rows);
	strbuf_release(&f->key);
	for (size_t i = 0; i < 3; i++)
		free(f->columns[i]);
	return ok;
}

static bool
is_ours(struct bundle *b, size_t member)
{
	char begin[PROBE_BYTES];
	int fd = bundle_open_member(b, member, &(struct error){ .code = ERROR_NONE });
	ssize_t n = fd >= 0 ? pread(fd, begin, sizeof(begin), 0) : 0;

	if (fd >= 0)
		close(fd);
	return n > 0 && aqtime_xml_looks_like(begin, (size_t)n);
}

static int
probe(const struct format_source *source)
{
	/* In a folder, JSON that is looked at is not ours, whatever lies beside it. */
	if (source->shape && source->shape->top != JSON_TOP_NONE)
		return 0;
	for (size_t i = 0; source->bundle && i < bundle_count(source->bundle); i++)
		if (is_ours(source->bundle, i))
			return PROBE_BITS;
	return 0;
}

static enum format_result
read_files(struct format_source *source, struct sink *sink, const uint32_t *sets,
	const bool *wanted, struct error *err)
{
	int64_t before = 0;

	for (size_t i = 0; i < bundle_count(source->bundle); i++) {
		const struct bundle_member *m = bundle_member(source->bundle, i);
		struct xml_file f = { .source = source,
			.sink = sink,
			.set = sets[i],
			.name = m->name,
			.consumed_before = before,
			.size = m->size };

		if (sets[i] == ISSUE_EVERY_SET) {
			/* The style sheet lies beside the results. */
			if (!tell_issue(&f, NULL, ISSUE_UNKNOWN_TABLE, err,
				    "no XML results of AQTime; it was left out"))
				return FORMAT_FAILED;
		} else if (wanted[i] && !read_member(&f, i, err)) {
			return FORMAT_FAILED;
		}
		before += m->size;
		source->consumed = before;
	}
	return sink->end(sink, err) ? FORMAT_DONE : FORMAT_FAILED;
}

static bool
tell_sets(struct format_source *source, struct sink *sink, uint32_t *sets, bool *wanted,
	struct error *err)
{
	size_t count = bundle_count(source->bundle);

	for (size_t i = 0; i < count; i++) {
		const struct set_row row = { .source_inst_id = MODEL_NULL,
			.caption = text_from(bundle_member(source->bundle, i)->name) };

		sets[i] = ISSUE_EVERY_SET;
		if (count > 1 && !is_ours(source->bundle, i))
			continue;
		if (!sink->set(sink, &row, &sets[i], &wanted[i], err))
			return false;
	}
	return true;
}

static enum format_result
read_xml(struct format_source *source, struct sink *sink, struct error *err)
{
	size_t count = bundle_count(source->bundle);
	uint32_t *sets = xcalloc(count, sizeof(*sets));
	bool *wanted = xcalloc(count, sizeof(*wanted));
	enum format_result result = FORMAT_FAILED;

	if (tell_sets(source, sink, sets, wanted, err))
		result = read_files(source, sink, sets, wanted, err);
	free(sets);
	free(wanted);
	return result;
}

const struct format format_aqtimexml = {
	.name = "aqtimexml",
	.title = "AQTime's XML results, as far as they carry the Resource profiler's panels",
	.profiler = "AQTime Resource profiler",
	.known_by = "XML whose document element is AQtime_Results",
	.reads = true,
	.several = true,
	.probe = probe,
	.read = read_xml,
};
