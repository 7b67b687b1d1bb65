/*
 * Reads AQTime's XML results. aqtime_xml_private.h describes the format.
 *
 * A file is read twice. The first pass reads classes, routines, lines and threads. The second pass reads
 * objects and errors with their stacks, which refer to the rows of the first pass.
 */
#include "aqtime_xml_private.h"

#include "base/array.h"
#include "base/pair_map.h"
#include "format/common/members.h"
#include "format/formats.h"
#include "input/json/json_shape.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	PROBE_BYTES = 4096,
	PROBE_BITS = 8 * 15, /* 15 bytes: '<' and the document element's name */
	KEY_MAX_BYTES = 64 * 1024 * 1024,
	STACK_COLUMNS = 3, /* columns for routines, lines and hit counts */
};

struct xml_file {
	struct reader *in;
	bool facts; /* true in the second pass, which reads the facts */
	struct pair_map classes, routines, lines, threads;
	struct pair_map counted;        /* classes that have counters */
	struct pair_map thread_of_rows; /* maps the offset of a thread's row to the thread */
	struct strbuf key;
	int64_t objects, errors, object_frames, error_frames;
	int64_t *columns; /* the columns of one stack */
	size_t columns_room;
};

/* --- dictionaries ----------------------------------------------------------------------------- */

static bool
reject(struct xml_file *f, const struct xml_values *v)
{
	return reader_issue(f->in, v->code, "%s: field %s: \"%.*s\" is not a valid number",
		v->row->table->name, v->bad, text_precision(v->text, 60), v->text.data);
}

/* Returns the number of a combination of texts. Sets *added to true if the combination is new. */
static uint32_t
intern(struct xml_file *f, struct pair_map *map, const struct text *texts, size_t count,
	bool *added)
{
	strbuf_reset(&f->key);
	for (size_t i = 0; i < count; i++) {
		strbuf_append_int(&f->key, (int64_t)texts[i].size);
		strbuf_append_char(&f->key, text_is_null(texts[i]) ? '-' : ':');
		strbuf_append_text(&f->key, texts[i]);
	}
	return pair_map_add_bytes(
		map, strbuf_str(&f->key), f->key.size, (uint32_t)map->count, added);
}

static bool
emit_class(struct xml_file *f, const struct xml_row *row, int64_t *id)
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
	return !added || f->in->sink->class_meta(f->in->sink, f->in->set, &class, f->in->err);
}

/* Emits the row's thread if it is new. Sets *id to MODEL_NULL if the row has no thread. */
static bool
emit_row_thread(struct xml_file *f, const struct xml_row *row, int64_t *id)
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
	return !added || emit_thread(f->in, &thread);
}

/* Stores the thread of a row, because the rows below it belong to that thread. */
static bool
note_thread(struct xml_file *f, const struct xml_row *row)
{
	int64_t id;

	if (!emit_row_thread(f, row, &id))
		return false;
	if (id != MODEL_NULL)
		pair_map_add(&f->thread_of_rows, (int64_t)row->offset, 0, (uint32_t)id, NULL);
	return true;
}

/* Sets *id to the thread in the error's row. If this row names no thread, uses the thread of its parent row. */
static bool
thread_of_error(struct xml_file *f, const struct xml_row *row, int64_t *id)
{
	uint32_t owner;

	if (!emit_row_thread(f, row, id))
		return false;
	if (*id != MODEL_NULL)
		return true;
	owner = row->parent ? pair_map_get(&f->thread_of_rows, (int64_t)row->parent->offset, 0)
			    : PAIR_MAP_NONE;
	*id = owner == PAIR_MAP_NONE ? MODEL_NULL : (int64_t)owner;
	return true;
}

static bool
emit_counters(struct xml_file *f, const struct xml_row *row)
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
		return reject(f, &v);
	if (!emit_class(f, row, &data.rec_id))
		return false;
	pair_map_add(&f->counted, data.rec_id, 0, 0, &added);
	if (!added)
		return reader_issue(f->in, ISSUE_DUPLICATE_ID,
			"%s: class %.*s of this module is a duplicate", row->table->name,
			text_precision(data.class_name, 60), data.class_name.data);
	data.id = data.rec_id;
	return f->in->sink->class_data(f->in->sink, f->in->set, &data, f->in->err);
}

/* Emits a frame's routine and line if they are new. */
static bool
emit_row_frame(struct xml_file *f, const struct xml_row *row, struct xml_frame *frame, bool *good)
{
	struct xml_values v = { .row = row };
	const struct text texts[] = { row->values[XML_MODULE], row->values[XML_CLASS],
		row->values[XML_ROUTINE], row->values[XML_UNIT], row->values[XML_FILE] };
	int64_t source_line = aqtime_xml_int64(&v, XML_LINE, "Source Line");
	struct routine_row routine;
	struct line_row line = { .source_line = source_line };
	bool added;

	frame->hit_count = aqtime_xml_int64(&v, XML_HIT_COUNT, "Hit Count");
	*good = !v.bad;
	if (v.bad)
		return f->facts || reject(f, &v);
	frame->routine = intern(f, &f->routines, texts, 5, &added);
	routine = blank_routine(frame->routine);
	routine.module_name = texts[0];
	routine.class_name = texts[1];
	routine.routine_name = texts[2];
	routine.unit_name = texts[3];
	routine.source_file = texts[4];
	/* emit_routine would demangle names, but AQTime's names are not mangled. */
	if (added && !f->in->sink->routine(f->in->sink, f->in->set, &routine, f->in->err))
		return false;
	frame->line = MODEL_NULL;
	if (source_line == MODEL_NULL || source_line == 0)
		return true;
	frame->line = pair_map_add(
		&f->lines, frame->routine, source_line, (uint32_t)f->lines.count, &added);
	line.id = frame->line;
	line.rec_id = frame->line;
	line.parent_id = frame->routine;
	return !added || emit_line(f->in, &line);
}

/* Adds a frame to its parent row's stack. */
static bool
add_frame(struct xml_file *f, struct xml_row *row)
{
	struct xml_row *to = row->parent;
	struct xml_frame frame;
	bool good;

	if (!to || (to->table->kind != XML_OBJECTS && to->table->kind != XML_ERRORS))
		return f->facts ||
		       reader_issue(f->in, ISSUE_DANGLING_PARENT,
			       "%s: a frame outside any object or error", row->table->name);
	if (!emit_row_frame(f, row, &frame, &good))
		return false;
	if (!f->facts || !good)
		return true;
	if (to->frame_count == STACK_MAX_FRAMES) {
		to->too_deep = true;
		return true;
	}
	*ARRAY_ADD(to->frames, to->frame_count, to->frame_room) = frame;
	return true;
}

/* --- facts ------------------------------------------------------------------------------------ */

/* Emits the row's stack. The stack's frames get consecutive IDs, beginning with *frames. Afterwards, *frames is the
 * next free ID. Sets *first to the ID of the stack's first frame, or to MODEL_NULL if there is no stack. */
static bool
emit_row_stack(struct xml_file *f, const struct xml_row *row, int64_t *frames, stack_number *stack,
	int64_t *first)
{
	const size_t n = row->frame_count;
	struct stack_row s = { .count = n };

	*stack = 0;
	*first = MODEL_NULL;
	if (row->too_deep)
		return reader_issue(f->in, ISSUE_STACK_CUT,
			"%s: a call stack with more than %d frames was left out", row->table->name,
			(int)STACK_MAX_FRAMES);
	if (!n)
		return true;
	ARRAY_RESERVE(f->columns, f->columns_room, STACK_COLUMNS * n);
	s.routine_ids = f->columns;
	for (size_t i = 0; i < n; i++) {
		f->columns[i] = row->frames[i].routine;
		f->columns[n + i] = row->frames[i].line;
		f->columns[2 * n + i] = row->frames[i].hit_count;
		if (row->frames[i].line != MODEL_NULL)
			s.line_ids = f->columns + n;
		if (row->frames[i].hit_count != MODEL_NULL)
			s.hit_counts = f->columns + 2 * n;
	}
	*first = *frames;
	*frames += (int64_t)n;
	return emit_stack(f->in, &s, stack);
}

static bool
emit_object_row(struct xml_file *f, struct xml_row *row)
{
	struct xml_values v = { .row = row };
	struct object_row object = { .parent_id = -1, .thread_id = MODEL_NULL, .block_count = 1 };

	object.number = aqtime_xml_number(&v, XML_NUMBER, "#");
	if (object.number.null)
		object.number = aqtime_xml_name_number(row->values[XML_OBJECT_NAME]);
	object.address = aqtime_xml_number(&v, XML_ADDRESS, "Address");
	object.size = aqtime_xml_number(&v, XML_SIZE, "Size");
	object.get_number = aqtime_xml_int64(&v, XML_GET, "Get #");
	if (v.bad)
		return reject(f, &v);
	if (!emit_class(f, row, &object.class_id) || !emit_row_thread(f, row, &object.thread_id) ||
		!emit_row_stack(f, row, &f->object_frames, &object.stack, &object.stack_first_id))
		return false;
	object.id = f->objects;
	object.rec_id = f->objects++;
	return emit_object(f->in, &object);
}

static bool
emit_error_row(struct xml_file *f, struct xml_row *row)
{
	struct xml_values v = { .row = row };
	struct error_row error = { .description = row->values[XML_DESCRIPTION],
		.name = row->values[XML_NAME] };

	error.number = aqtime_xml_int64(&v, XML_NUMBER, "#");
	error.error_code = aqtime_xml_code(&v, XML_CODE, "Error Code");
	error.kind = aqtime_xml_error_kind(row);
	if (v.bad)
		return reject(f, &v);
	if (error.kind == MODEL_NULL && !text_is_empty(row->values[XML_KIND]) &&
		!reader_issue(f->in, ISSUE_ODD_VALUE, "%s: Kind is neither Error nor Warning",
			row->table->name))
		return false;
	if (!thread_of_error(f, row, &error.parent_id) ||
		!emit_row_stack(f, row, &f->error_frames, &error.stack, &error.stack_first_id))
		return false;
	error.id = f->errors;
	error.rec_id = f->errors++;
	return emit_error(f->in, &error);
}

/* --- rows and tables -------------------------------------------------------------------------- */

static bool
on_row(void *self, struct xml_row *row)
{
	struct xml_file *f = self;
	int64_t id;

	/* Issues about the row refer to this position. */
	f->in->line =
		(struct line){ .text = TEXT_NULL, .number = row->line, .offset = row->offset };
	switch (row->table->kind) {
	case XML_CLASSES:
		return f->facts || emit_counters(f, row);
	case XML_OBJECTS:
		if (f->facts)
			return emit_object_row(f, row);
		return emit_class(f, row, &id) && emit_row_thread(f, row, &id);
	case XML_ERRORS:
		return f->facts ? emit_error_row(f, row) : emit_row_thread(f, row, &id);
	case XML_THREADS:
		return f->facts || note_thread(f, row);
	case XML_STACKS:
		return add_frame(f, row);
	case XML_OTHER:
		break;
	}
	return true;
}

static bool
on_table(void *self, const struct xml_table *t, const char *const *left_out, size_t count)
{
	struct xml_file *f = self;

	f->in->line = (struct line){ .text = TEXT_NULL };
	if (f->facts)
		return true;
	if (t->kind == XML_OTHER)
		return reader_issue(f->in, ISSUE_UNKNOWN_TABLE, "table %.*s was left out",
			text_precision(text_from(t->name), 100), t->name);
	for (size_t i = 0; i < count; i++)
		if (!reader_issue(f->in, ISSUE_UNKNOWN_COLUMN,
			    "table %.*s: field %.*s was left out",
			    text_precision(text_from(t->name), 60), t->name,
			    text_precision(text_from(left_out[i]), 100), left_out[i]))
			return false;
	return true;
}

static void
on_progress(void *self, int64_t bytes)
{
	struct xml_file *f = self;

	reader_progress(f->in, (uint64_t)((f->facts ? f->in->size : 0) + bytes) / 2);
}

/* --- files ------------------------------------------------------------------------------------ */

/* Returns whether the named encoding agrees with the byte order mark. The name "UTF-16" states no byte order, so it
 * agrees with the marks of both byte orders. */
static bool
is_same_encoding(struct text named, struct text mark)
{
	return text_equal_nocase(named, mark) ||
	       (text_equal_nocase(named, TEXT_LITERAL("UTF8")) &&
		       text_equal(mark, TEXT_LITERAL("UTF-8"))) ||
	       (text_equal_nocase(named, TEXT_LITERAL("UTF-16")) && text_begins(mark, "UTF-16"));
}

/* Reports that --encoding contradicts the byte order mark. */
static bool
check_encoding(struct xml_file *f)
{
	const char *named = f->in->source->options.encoding;
	const char *mark = aqtime_xml_mark(f->in->fd);

	if (f->facts || !named || !mark || is_same_encoding(text_from(named), text_from(mark)))
		return true;
	return reader_issue(f->in, ISSUE_ENCODING,
		"the file begins with a byte order mark of %s, which overrides --encoding", mark);
}

static bool
parse(struct xml_file *f)
{
	const struct xml_reader reader = { .name = f->in->name,
		.encoding = f->in->source->options.encoding,
		.table = on_table,
		.row = on_row,
		.progress = on_progress,
		.self = f };

	return reader_open(f->in) && check_encoding(f) &&
	       aqtime_xml_parse(f->in->fd, &reader, f->in->err);
}

static bool
read_member(struct reader *r)
{
	const struct set_row set = { .source_inst_id = MODEL_NULL, .caption = text_from(r->name) };
	struct xml_file f = { .in = r };
	struct pair_map *const maps[] = { &f.classes, &f.routines, &f.lines, &f.threads, &f.counted,
		&f.thread_of_rows };
	bool ok;

	if (!r->sink->set(r->sink, &set, &r->set, &r->wanted, r->err))
		return false;
	if (!r->wanted)
		return true;
	strbuf_init(&f.key, KEY_MAX_BYTES);
	ok = parse(&f);
	f.facts = true;
	ok = ok && parse(&f);
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		pair_map_release(maps[i]);
	strbuf_release(&f.key);
	free(f.columns);
	return ok;
}

static int
look(const struct format_source *source, size_t member)
{
	struct text head = text_up_to(bundle_head(source->bundle, member), PROBE_BYTES);

	return aqtime_xml_looks_like(head.data, head.size) ? PROBE_BITS : 0;
}

static const struct member_kind kind = { .noun = "AQTime XML results",
	.companion = ".xsl",
	.look = look,
	.read = read_member,
	.own_sets = true };

static int
probe(const struct format_source *source)
{
	/* An input whose shape is JSON is read as JSON, even if the folder also contains XML. */
	if (source->shape && source->shape->top != JSON_TOP_NONE)
		return 0;
	return members_probe(source, &kind);
}

const struct format format_aqtimexml = {
	.name = "aqtimexml",
	.title = "AQTime XML results with Resource profiler panels",
	.profiler = "AQTime Resource profiler",
	.known_by = "XML whose document element is AQtime_Results",
	.covers = { [COVERAGE_LEAKS] = COVERAGE_FULL, [COVERAGE_ERRORS] = COVERAGE_UNKNOWN },
	.reads = true,
	.several = true,
	.probe = probe,
	.members = &kind,
};
