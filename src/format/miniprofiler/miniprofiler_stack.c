/*
 * Routines, and the stacks that snippets tell of: "A > B" goes from the outside
 * inwards; words or lines, the innermost first.
 */
#include "miniprofiler_private.h"

#include "base/hash.h"
#include "base/number.h"

enum {
	NAME_MAX_BYTES = 2000, /* of a routine; names are shown and indexed */
	FRAMES_MAX = 4096
};

static struct text
cut(struct text t, size_t max)
{
	if (t.size > max)
		t.size = (size_t)text_precision(t, max);
	return t;
}

bool
mini_routine_tell(struct mini_reader *m, const char *code, struct text name, struct text file,
	int64_t *rec_id, struct error *err)
{
	struct routine_row row = { .parent_id = MODEL_NULL,
		.hit_count = MODEL_NULL,
		.compiler = MODEL_NULL,
		.profile_lines = MODEL_NULL,
		.source_line = MODEL_NULL,
		.token = MODEL_NULL,
		.code_type = text_from(code),
		.routine_name = cut(name, NAME_MAX_BYTES),
		.source_file = cut(file, NAME_MAX_BYTES) };
	struct strbuf *key = &m->key;
	struct hash128 h;
	bool added;

	strbuf_reset(key);
	strbuf_append_str(key, code);
	strbuf_append_char(key, '\0');
	strbuf_append_text(key, row.routine_name);
	strbuf_append_char(key, '\0');
	strbuf_append_text(key, row.source_file);
	h = hash128(strbuf_text(key).data, key->size);
	*rec_id = pair_map_add(
		&m->routines, (int64_t)h.low, (int64_t)h.high, (uint32_t)m->next_routine, &added);
	if (!added)
		return true;
	if (m->next_routine == PAIR_MAP_NONE - 1)
		return error_set(err, ERROR_LIMIT, "%s: too many routines", m->source->path);
	row.id = row.rec_id = m->next_routine++;
	return m->sink->routine(m->sink, m->set, &row, err);
}

static bool
tell_line(struct mini_reader *m, int64_t routine, int64_t source_line, int64_t *rec_id,
	struct error *err)
{
	struct line_row row = { m->next_line, m->next_line, source_line, routine };
	bool added;

	*rec_id = pair_map_add(&m->lines, routine, source_line, (uint32_t)m->next_line, &added);
	if (!added)
		return true;
	if (m->next_line == PAIR_MAP_NONE - 1)
		return error_set(err, ERROR_LIMIT, "%s: too many lines", m->source->path);
	m->next_line++;
	return m->sink->line(m->sink, m->set, &row, err);
}

struct frame {
	struct text name, file;
	int64_t line;
};

/* Takes ":NUMBER" off the end; false when there is none. */
static bool
take_number(struct text *t, int64_t *out)
{
	size_t digits = 0;
	struct number n;

	while (digits < t->size && t->data[t->size - 1 - digits] >= '0' &&
		t->data[t->size - 1 - digits] <= '9')
		digits++;
	if (!digits || digits > 9 || digits + 1 >= t->size || t->data[t->size - 1 - digits] != ':')
		return false;
	if (number_parse((struct text){ t->data + t->size - digits, digits }, &n) != NUMBER_OK ||
		!number_to_int64(n, out))
		return false;
	t->size -= digits + 1;
	return true;
}

/* "server.js:15:56", "app.rb:32" */
static bool
take_location(struct text t, struct frame *f)
{
	int64_t number, line;

	if (!take_number(&t, &number))
		return false;
	f->line = take_number(&t, &line) ? line : number;
	f->file = t;
	return true;
}

/* Ruby's "app.rb:32:in `block in <main>'", a place alone, or a name alone. */
static void
parse_frame(struct text t, struct frame *f)
{
	*f = (struct frame){ t, TEXT_NULL, MODEL_NULL };
	for (size_t i = 0; i + 5 < t.size; i++) {
		if (memcmp(t.data + i, ":in ", 4) != 0 ||
			(t.data[i + 4] != '`' && t.data[i + 4] != '\''))
			continue;
		if (!take_location((struct text){ t.data, i }, f))
			return;
		f->name = (struct text){ t.data + i + 5, t.size - i - 5 };
		if (f->name.data[f->name.size - 1] == '\'')
			f->name.size--;
		return;
	}
	if (take_location(t, f))
		f->name = TEXT_LITERAL("(anonymous)");
}

/* Up to the separator; *rest goes on behind it. */
static struct text
take_part(struct text *rest, const char *separator, size_t size)
{
	struct text part = *rest;

	for (size_t i = 0; i + size <= rest->size; i++) {
		if (memcmp(rest->data + i, separator, size) != 0)
			continue;
		part.size = i;
		*rest = (struct text){ rest->data + i + size, rest->size - i - size };
		return part;
	}
	*rest = (struct text){ rest->data + rest->size, 0 };
	return part;
}

static bool
has(struct text t, const char *what, size_t size)
{
	struct text rest = t;

	return take_part(&rest, what, size).size != t.size;
}

static bool
tell_frame(
	struct mini_reader *m, struct text part, int64_t *routine, int64_t *line, struct error *err)
{
	struct frame f;

	parse_frame(part, &f);
	*line = MODEL_NULL;
	return mini_routine_tell(m, "frame", f.name, f.file, routine, err) &&
	       (f.line == MODEL_NULL || tell_line(m, *routine, f.line, line, err));
}

static void
reverse(int64_t *v, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		int64_t t = v[i];

		v[i] = v[n - 1 - i];
		v[n - 1 - i] = t;
	}
}

bool
mini_stack_tell(struct mini_reader *m, struct text snippet, uint64_t offset, stack_number *number,
	struct error *err)
{
	struct stack_row row = { 0 };
	bool lines = has(snippet, "\n", 1);
	bool outwards = !lines && has(snippet, " > ", 3);
	const char *separator = lines ? "\n" : outwards ? " > " : " ";
	struct text rest = snippet;
	size_t most = snippet.size / strlen(separator) + 1;
	size_t capacity = most < FRAMES_MAX ? most : FRAMES_MAX;
	int64_t *routines = arena_alloc_array(&m->scratch, capacity, sizeof(*routines));
	int64_t *line_ids = arena_alloc_array(&m->scratch, capacity, sizeof(*line_ids));

	*number = 0;
	while (rest.size) {
		struct text part = text_trim(take_part(&rest, separator, strlen(separator)));

		if (!part.size)
			continue;
		if (row.count == FRAMES_MAX)
			return mini_issue(m, ISSUE_STACK_TOO_DEEP, offset,
				"the stack snippet has more than 4096 frames; it has no stack",
				TEXT_NULL, err);
		if (!tell_frame(m, part, &routines[row.count], &line_ids[row.count], err))
			return false;
		if (line_ids[row.count++] != MODEL_NULL)
			row.line_ids = line_ids;
	}
	if (!row.count)
		return true;
	if (outwards) {
		reverse(routines, row.count);
		reverse(line_ids, row.count);
	}
	row.routine_ids = routines;
	return m->sink->stack(m->sink, m->set, &row, number, err);
}
