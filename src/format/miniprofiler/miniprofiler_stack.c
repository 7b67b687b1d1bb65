/*
 * The routines that spans belong to, and the stacks in snippets.
 *
 * Format: "A > B > C", outermost first; or "C B A", or one routine per line, innermost first.
 */
#include "miniprofiler_private.h"

#include "base/number.h"

enum {
	NAME_MAX_BYTES = 2000, /* limited because routine names are shown and indexed */
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
mini_emit_routine(struct mini_reader *m, const char *code, struct text name, struct text file,
	int64_t *rec_id)
{
	struct routine_row row = blank_routine(m->next_routine);
	struct strbuf *key = &m->key;
	bool added;

	row.parent_id = MODEL_NULL;
	row.address = (struct number){ 0 };
	row.code_type = text_from(code);
	row.routine_name = cut(name, NAME_MAX_BYTES);
	row.source_file = cut(file, NAME_MAX_BYTES);
	strbuf_reset(key);
	strbuf_append_str(key, code);
	strbuf_append_char(key, '\0');
	strbuf_append_text(key, row.routine_name);
	strbuf_append_char(key, '\0');
	strbuf_append_text(key, row.source_file);
	*rec_id = pair_map_add_bytes(
		&m->routines, strbuf_text(key).data, key->size, (uint32_t)m->next_routine, &added);
	if (!added)
		return true;
	if (m->next_routine++ == PAIR_MAP_NONE - 1)
		return error_set(m->in->err, ERROR_LIMIT, "%s: too many routines", m->in->name);
	/* Not emit_routine: the names are not mangled. */
	return m->in->sink->routine(m->in->sink, m->in->set, &row, m->in->err);
}

static bool
emit_frame_line(struct mini_reader *m, int64_t routine, int64_t source_line, int64_t *rec_id)
{
	struct line_row row = { m->next_line, m->next_line, source_line, routine };
	bool added;

	*rec_id = pair_map_add(&m->lines, routine, source_line, (uint32_t)m->next_line, &added);
	if (!added)
		return true;
	if (m->next_line++ == PAIR_MAP_NONE - 1)
		return error_set(m->in->err, ERROR_LIMIT, "%s: too many lines", m->in->name);
	return emit_line(m->in, &row);
}

struct frame {
	struct text name, file;
	int64_t line;
};

/* Takes ":NUMBER" off the end; false if it is absent. */
static bool
take_number(struct text *t, int64_t *out)
{
	size_t digits = 0;
	struct number n;

	while (digits < t->size && char_is_digit(t->data[t->size - 1 - digits]))
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

/* Ruby's "app.rb:32:in `block in <main>'", only a place, or only a name. */
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

/* Removes the text before the separator from *rest, or the whole text if there is no separator. */
static struct text
take_part(struct text *rest, const char *separator)
{
	struct text whole = *rest;
	size_t at = text_find(whole, separator);

	*rest = at == TEXT_NOT_FOUND ? text_from_at(whole, whole.size)
				     : text_from_at(whole, at + strlen(separator));
	return text_up_to(whole, at);
}

static bool
emit_snippet_frame(struct mini_reader *m, struct text part, int64_t *routine, int64_t *line)
{
	struct frame f;

	parse_frame(part, &f);
	*line = MODEL_NULL;
	return mini_emit_routine(m, "frame", f.name, f.file, routine) &&
	       (f.line == MODEL_NULL || emit_frame_line(m, *routine, f.line, line));
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
mini_emit_stack(struct mini_reader *m, struct text snippet, uint64_t offset, stack_number *number)
{
	struct stack_row row = { 0 };
	bool lines = text_find(snippet, "\n") != TEXT_NOT_FOUND;
	bool outwards = !lines && text_find(snippet, " > ") != TEXT_NOT_FOUND;
	const char *separator = lines ? "\n" : outwards ? " > " : " ";
	struct text rest = snippet;
	size_t most = snippet.size / strlen(separator) + 1;
	size_t capacity = most < FRAMES_MAX ? most : FRAMES_MAX;
	int64_t *routines = arena_alloc_array(&m->scratch, capacity, sizeof(*routines));
	int64_t *line_ids = arena_alloc_array(&m->scratch, capacity, sizeof(*line_ids));

	*number = 0;
	while (rest.size) {
		struct text part = text_trim(take_part(&rest, separator));

		if (!part.size)
			continue;
		if (row.count == FRAMES_MAX)
			return reader_issue_at(m->in, ISSUE_STACK_TOO_DEEP, offset,
				"stack left out: the snippet has more than %d frames",
				(int)FRAMES_MAX);
		if (!emit_snippet_frame(m, part, &routines[row.count], &line_ids[row.count]))
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
	return emit_stack(m->in, &row, number);
}
