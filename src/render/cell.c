/* Formats the cells of text tables: numbers, units, names. */
#include "render_private.h"

#include "base/decimal.h"
#include "base/depot_text.h"
#include "base/number.h"

#include <math.h>
#include <stdlib.h>

enum {
	TIME_FRACTION_DIGITS = 6,
	LABEL_END = 0x1e,   /* see TABLE_LABELS */
	LABEL_MIDDLE = 0x1f /* between the key and the value */
};

/* Returns whether c is a C0, DEL or C1 character, or one that reorders or hides text. */
static bool
is_hidden(wchar_t c)
{
	unsigned long u = (unsigned long)c;

	return u < 0x20 || (u >= 0x7f && u < 0xa0) || (u >= 0x200b && u <= 0x200f) ||
	       (u >= 0x2028 && u <= 0x202e) || (u >= 0x2060 && u <= 0x2069) || u == 0xfeff;
}

/* If an escape of the depot (base/depot_text.h) begins at *at, shows the character that it encodes,
 * and moves *at past the escape. Otherwise returns false. */
static bool
put_escaped(struct strbuf *b, struct text t, size_t *at)
{
	uint16_t unit;

	if (!depot_text_unit_at(t, *at, &unit))
		return false;
	strbuf_printf(b, unit == DEPOT_TEXT_ESCAPE ? "\\x%02x" : "\\u%04x", unit);
	*at += DEPOT_TEXT_ESCAPE_BYTES;
	return true;
}

static void
put_hidden(struct strbuf *b, wchar_t c)
{
	if (c == L'\n')
		strbuf_append_str(b, "\\n");
	else if (c == L'\r')
		strbuf_append_str(b, "\\r");
	else if (c == L'\t')
		strbuf_append_str(b, "\\t");
	else if ((unsigned long)c < 0x100)
		strbuf_printf(b, "\\x%02lx", (unsigned long)c);
	else
		strbuf_printf(b, "\\u%04lx", (unsigned long)c);
}

void
render_visible(struct strbuf *b, struct text name)
{
	if (render_is_plain(name)) {
		strbuf_append_text(b, name);
		return;
	}
	while (name.size) {
		struct text good = { name.data, text_utf8_prefix(name.data, name.size) };
		size_t from = 0;

		for (size_t at = 0; at < good.size;) {
			size_t here = at;
			wchar_t c = render_next_char(good, &at);

			if (!is_hidden(c))
				continue;
			strbuf_append(b, good.data + from, here - from);
			from = here;
			if (!put_escaped(b, good, &from)) {
				put_hidden(b, c);
				from = at;
			}
			at = from;
		}
		strbuf_append(b, good.data + from, good.size - from);
		name.data += good.size;
		name.size -= good.size;
		if (name.size) {
			strbuf_printf(b, "\\x%02x", (unsigned)(unsigned char)name.data[0]);
			name.data++;
			name.size--;
		}
	}
}

static void
put_bytes(struct strbuf *b, struct text digits)
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	struct number n;
	double v;
	size_t unit = 0;

	if (number_parse(digits, &n) != NUMBER_OK || n.magnitude < 1024) {
		strbuf_append_text(b, digits);
		strbuf_append_str(b, " B");
		return;
	}
	v = (double)n.magnitude / 1024;
	/* 1023.95 would print as 1024.0. */
	while (v >= 1023.95 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		v /= 1024;
		unit++;
	}
	strbuf_printf(b, "%s%.1f %s", n.negative ? "-" : "", v, units[unit]);
}

void
render_grouped(struct strbuf *b, struct text digits)
{
	size_t start = digits.size && digits.data[0] == '-';
	size_t end = start;

	while (end < digits.size && char_is_digit(digits.data[end]))
		end++;
	for (size_t i = 0; i < digits.size; i++) {
		if (i > start && i < end && (end - i) % 3 == 0)
			strbuf_append_char(b, ',');
		strbuf_append_char(b, digits.data[i]);
	}
}

/* Rounds to six fraction digits, because further digits of a double are not significant. */
static void
put_time(struct strbuf *b, struct text digits)
{
	const char *point = memchr(digits.data, '.', digits.size);
	char rounded[64];
	struct decimal d;
	double v;

	if (!point || digits.data + digits.size - point <= 1 + TIME_FRACTION_DIGITS ||
		decimal_parse(digits, &d) != DECIMAL_OK || fabs(v = decimal_to_double(d)) >= 1e15) {
		render_grouped(b, digits);
		return;
	}
	snprintf(rounded, sizeof(rounded), "%.*f", TIME_FRACTION_DIGITS, v);
	render_grouped(b, text_from(rounded));
}

void
render_short_time(struct strbuf *b, struct text time)
{
	enum {
		DATE_BYTES = 10,
		MINUTE_BYTES = 16
	};

	if (time.size < MINUTE_BYTES || time.data[DATE_BYTES] != 'T') {
		render_visible(b, time);
		return;
	}
	strbuf_append(b, time.data, DATE_BYTES);
	strbuf_append_char(b, ' ');
	strbuf_append(b, time.data + DATE_BYTES + 1, MINUTE_BYTES - DATE_BYTES - 1);
}

static void
put_hex(struct strbuf *b, struct text digits)
{
	struct number n;

	if (number_parse(digits, &n) != NUMBER_OK)
		strbuf_append_text(b, digits);
	else
		strbuf_printf(b, "0x%llx",
			(unsigned long long)(n.negative ? 0 - n.magnitude : n.magnitude));
}

bool
render_next_label(struct text *labels, struct text *key, struct text *value)
{
	const char *end = labels->size ? memchr(labels->data, LABEL_END, labels->size) : NULL;
	size_t n = end ? (size_t)(end - labels->data) : labels->size;
	const char *middle = n ? memchr(labels->data, LABEL_MIDDLE, n) : NULL;
	size_t k = middle ? (size_t)(middle - labels->data) : n;

	if (!labels->size)
		return false;
	*key = (struct text){ labels->data, k };
	*value = middle ? (struct text){ middle + 1, n - k - 1 } : TEXT_LITERAL("");
	n += end != NULL;
	*labels = (struct text){ labels->data + n, labels->size - n };
	return true;
}

void
render_labels(struct strbuf *b, struct text labels)
{
	struct text key;
	struct text value;

	for (const char *blank = ""; render_next_label(&labels, &key, &value); blank = " ") {
		strbuf_append_str(b, blank);
		strbuf_append_text(b, key);
		strbuf_append_char(b, '=');
		strbuf_append_text(b, value);
	}
}

static void
put_labels(struct strbuf *b, struct text labels)
{
	struct strbuf words = STRBUF_INIT(RENDER_CELL_MAX_BYTES);

	render_labels(&words, labels);
	render_visible(b, strbuf_text(&words));
	strbuf_release(&words);
}

void
render_cell(struct strbuf *b, const struct table_column *c, const struct table_cell *cell)
{
	static const char *const suffixes[TABLE_UNITS] = { [TABLE_UNIT_PERCENT] = " %",
		[TABLE_UNIT_SECONDS] = " s",
		[TABLE_UNIT_MILLISECONDS] = " ms",
		[TABLE_UNIT_MICROSECONDS] = " us",
		[TABLE_UNIT_NANOSECONDS] = " ns" };

	if (text_is_null(cell->text))
		return;
	if (c->change && cell->text.size && cell->text.data[0] != '-' &&
		!text_equal(cell->text, TEXT_LITERAL("0")))
		strbuf_append_char(b, '+');
	switch (c->unit) {
	case TABLE_UNIT_COUNT:
		render_grouped(b, cell->text);
		break;
	case TABLE_UNIT_BYTES:
		put_bytes(b, cell->text);
		break;
	case TABLE_UNIT_HEX:
		put_hex(b, cell->text);
		break;
	case TABLE_UNIT_ID:
		strbuf_append_text(b, cell->text);
		break;
	case TABLE_UNIT_PERCENT:
	case TABLE_UNIT_SECONDS:
	case TABLE_UNIT_MILLISECONDS:
	case TABLE_UNIT_MICROSECONDS:
	case TABLE_UNIT_NANOSECONDS:
		put_time(b, cell->text);
		strbuf_append_str(b, suffixes[c->unit]);
		break;
	case TABLE_UNIT_NONE:
	case TABLE_UNITS:
		if (c->kind == TABLE_BOOL)
			strbuf_append_str(
				b, text_equal(cell->text, TEXT_LITERAL("t")) ? "yes" : "no");
		else if (c->kind == TABLE_LABELS)
			put_labels(b, cell->text);
		else
			render_visible(b, cell->text);
		break;
	}
}

static void
put_lower(struct strbuf *b, const char *title, size_t n)
{
	for (size_t i = 0; i < n; i++)
		strbuf_append_char(b, char_lower(title[i]));
}

/* The length of a title such as "Objects" without its plural ending. */
static size_t
singular(const char *title, size_t n)
{
	if (!n || title[n - 1] != 's')
		return n;
	return n > 4 && strcmp(title + n - 4, "sses") == 0 ? n - 2 : n - 1;
}

void
render_figure(struct strbuf *b, const struct table_column *c, const struct table_cell *cell)
{
	size_t n = strlen(c->title);

	if (c->unit == TABLE_UNIT_ID && !text_is_null(cell->text)) {
		put_lower(b, c->title, n);
		strbuf_append_char(b, ' ');
	}
	render_cell(b, c, cell);
	if (c->unit != TABLE_UNIT_COUNT || c->change)
		return;
	strbuf_append_char(b, ' ');
	put_lower(
		b, c->title, text_equal(cell->text, TEXT_LITERAL("1")) ? singular(c->title, n) : n);
}

void
render_exact(struct strbuf *b, const struct table_column *c, const struct table_cell *cell)
{
	if (c->unit != TABLE_UNIT_BYTES || text_is_null(cell->text)) {
		render_figure(b, c, cell);
		return;
	}
	render_grouped(b, cell->text);
	strbuf_append_str(b, text_equal(cell->text, TEXT_LITERAL("1")) ? " byte" : " bytes");
}

void
render_findings_totals(struct strbuf *b, const struct table_head *head, uint64_t rows,
	const struct table_cell *totals)
{
	strbuf_printf(b, "%llu %s", (unsigned long long)rows, rows == 1 ? "record" : "records");
	for (size_t i = 0; i < head->column_count; i++) {
		if (!head->columns[i].summed || text_is_null(totals[i].text))
			continue;
		strbuf_append_str(b, ", ");
		render_exact(b, &head->columns[i], &totals[i]);
	}
}

bool
render_is_unknown(const struct table_foot *foot)
{
	return !foot->all_rows && foot->gaps && *foot->gaps;
}

bool
render_has_parts(const struct table_foot *foot)
{
	return foot->part_count > 1 ||
	       (foot->part_count == 1 && !text_is_null(foot->parts[0].value));
}

void
render_routine(struct strbuf *b, const struct table_frame *f)
{
	if (!text_is_empty(f->class_name)) {
		render_visible(b, f->class_name);
		strbuf_append_char(b, '.');
	}
	render_visible(b, text_is_empty(f->routine_name) ? TEXT_LITERAL("(unknown routine)")
							 : f->routine_name);
}

void
render_place(struct strbuf *b, const struct table_frame *f)
{
	char digits[24];

	render_visible(b, f->source_file);
	if (f->source_line != TABLE_NO_LINE) {
		strbuf_append_str(b, text_is_empty(f->source_file) ? "line " : ":");
		strbuf_append(b, digits, number_format_int64(f->source_line, digits));
	}
}

static bool
has_place(const struct table_frame *f)
{
	return !text_is_empty(f->source_file) || f->source_line != TABLE_NO_LINE;
}

void
render_frame(struct strbuf *b, const struct table_frame *f)
{
	render_visible(b,
		text_is_empty(f->module_name) ? TEXT_LITERAL("(unknown module)") : f->module_name);
	strbuf_append_str(b, "  ");
	render_routine(b, f);
	if (has_place(f))
		strbuf_append_str(b, "  ");
	render_place(b, f);
}

void
render_trace_frame(struct strbuf *b, const struct table_frame *f)
{
	render_routine(b, f);
	if (!has_place(f) && text_is_empty(f->module_name))
		return;
	strbuf_append_str(b, has_place(f) ? " (" : " (in ");
	if (has_place(f))
		render_place(b, f);
	else
		render_visible(b, f->module_name);
	strbuf_append_char(b, ')');
}

bool
render_check(FILE *out, struct error *err)
{
	if (!ferror(out))
		return true;
	return error_set_errno(err, ERROR_FILE, "cannot write the report");
}

const struct table_head *
render_head_begin(struct render_head *h, const struct table_head *head)
{
	h->now = *head;
	h->columns = head->columns;
	return &h->now;
}

void
render_head_set(struct render_head *h, const struct table_set *set)
{
	h->now.columns = set->columns ? set->columns : h->columns;
}

void
render_base(struct strbuf *b, const struct table_set *set)
{
	if (text_is_null(set->base_inst_id))
		return;
	strbuf_append_str(b, "; before: result set ");
	strbuf_append_text(b, set->base_inst_id);
	if (text_is_empty(set->base_caption))
		return;
	strbuf_append_str(b, ", ");
	render_visible(b, set->base_caption);
}

void
render_set(struct strbuf *b, const struct table_set *set)
{
	strbuf_append_str(b, "result set ");
	strbuf_append_text(b, set->inst_id);
	if (!text_is_empty(set->caption)) {
		strbuf_append_str(b, ", ");
		render_visible(b, set->caption);
	}
	render_base(b, set);
	if (text_is_null(set->subject))
		return;
	strbuf_append_str(b, "; ");
	render_visible(b, set->subject);
}

const char *
render_entity(char c)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}
