/* Scans the lines of UMDH's logs; see umdh.c. */
#include "format/common/text_scan.h"
#include "umdh_private.h"

static const char head_word[] = "// UMDH: version ";
static const char legend_word[] = "// + BYTES_DELTA (";
static const char start_word[] = "*- - - - - - - - - - Start of data for heap @ ";
static const char end_word[] = "*- - - - - - - - - - End of data for heap @ ";
static const char increase_word[] = "Total increase ==";
static const char decrease_word[] = "Total decrease ==";

/* --- rows of a comparison ------------------------------------------------------------------------ */

static bool
scan_hex_after_blanks(struct text *t, uint64_t *v)
{
	scan_blanks(t);
	return scan_hex(t, v);
}

static bool
scan_char_after_blanks(struct text *t, char c)
{
	scan_blanks(t);
	return scan_char(t, c);
}

/* Scans "BackTraceC1A07E55". */
static bool
scan_trace(struct text *t, struct umdh_trace *trace)
{
	struct text rest = *t;
	size_t before;

	scan_blanks(&rest);
	if (!scan_word(&rest, "BackTrace"))
		return false;
	before = rest.size;
	if (!scan_hex(&rest, &trace->number) || before - rest.size > 16)
		return false;
	trace->digits = (int)(before - rest.size);
	*t = rest;
	return true;
}

/* Scans "+ 5330 (", which occurs in no other program's lines. */
static bool
scan_delta(struct text *t, struct umdh_change *c)
{
	c->decrease = t->size && t->data[0] == '-';
	return (scan_char(t, '+') || scan_char(t, '-')) &&
	       scan_hex_after_blanks(t, &c->numbers[UMDH_DELTA]) && scan_char_after_blanks(t, '(');
}

static enum umdh_line
scan_row(struct text t, struct umdh_row *row)
{
	struct umdh_change change;

	*row = (struct umdh_row){ 0 };
	if (!scan_delta(&t, &change))
		return UMDH_OTHER;
	if (!scan_hex_after_blanks(&t, &change.numbers[UMDH_NEW]) ||
		!scan_char_after_blanks(&t, '-') ||
		!scan_hex_after_blanks(&t, &change.numbers[UMDH_OLD]) ||
		!scan_char_after_blanks(&t, ')'))
		return UMDH_BROKEN;
	row->bytes = row->counts = change;
	if (scan_trace(&t, &row->trace))
		return text_equal(text_trim(t), TEXT_LITERAL("allocations")) ? UMDH_COUNTS
									     : UMDH_BROKEN;
	if (!scan_hex_after_blanks(&t, &row->count))
		return UMDH_BROKEN;
	scan_blanks(&t);
	return scan_word(&t, "allocs") && scan_trace(&t, &row->trace) && !text_trim(t).size
		       ? UMDH_ROW
		       : UMDH_BROKEN;
}

/* Scans "  -   40". */
static bool
scan_signed(struct text *t, uint64_t *v, bool *negative)
{
	*negative = scan_char_after_blanks(t, '-');
	return scan_hex_after_blanks(t, v);
}

static bool
scan_total(struct text t, struct umdh_total *total)
{
	bool negative;

	*total = (struct umdh_total){ .decrease = scan_word(&t, decrease_word) };
	if ((!total->decrease && !scan_word(&t, increase_word)) ||
		!scan_signed(&t, &total->requested, &negative))
		return false;
	total->decrease |= negative;
	scan_blanks(&t);
	if (!scan_word(&t, "requested") || !scan_char_after_blanks(&t, '+') ||
		!scan_signed(&t, &total->overhead, &total->overhead_negative))
		return true;
	scan_blanks(&t);
	total->has_sum = scan_word(&t, "overhead") && scan_char_after_blanks(&t, '=') &&
			 scan_signed(&t, &total->sum, &total->sum_negative);
	return true;
}

/* --- lines of a snapshot ------------------------------------------------------------------------- */

/* Scans "30 bytes + 30 at 1F3ABDA8BA0 by BackTraceC1A07E55". */
static bool
scan_single(struct text t, struct umdh_block *b)
{
	b->count = 1;
	return scan_word(&t, "+ ") && scan_hex(&t, &b->overhead) && scan_word(&t, " at ") &&
	       scan_hex(&t, &b->address) && scan_word(&t, " by ") && scan_trace(&t, &b->trace) &&
	       !text_trim(t).size;
}

/* Scans "00000080 bytes in 0x2 allocations (@ 0x00000020 + 0x00000020) by: BackTrace01A08". */
static bool
scan_group(struct text t, struct umdh_block *b)
{
	uint64_t each;

	b->grouped = true;
	if (!scan_word(&t, "in ") || !scan_hex(&t, &b->count) ||
		!scan_word(&t, " allocations (@ ") || !scan_hex(&t, &each))
		return false;
	if (scan_word(&t, " + ") && !scan_hex(&t, &b->overhead))
		return false;
	return scan_word(&t, ") by:") && scan_trace(&t, &b->trace) && !text_trim(t).size &&
	       b->count;
}

static enum umdh_line
scan_block(struct text t, struct umdh_block *b)
{
	*b = (struct umdh_block){ 0 };
	if (!scan_hex(&t, &b->size) || !scan_word(&t, " bytes "))
		return UMDH_OTHER;
	if (!text_begins(t, "+ ") && !text_begins(t, "in 0x"))
		return UMDH_OTHER;
	return (scan_single(t, b) || scan_group(t, b)) ? UMDH_BLOCK : UMDH_BROKEN;
}

/* Removes and returns the text before `word`. Removes `word` as well. */
static struct text
scan_up_to(struct text *t, const char *word)
{
	size_t at = text_find(*t, word);
	struct text part = text_up_to(*t, at);

	*t = at == TEXT_NOT_FOUND ? TEXT_NULL : text_from_at(*t, at + strlen(word));
	return part;
}

/* Scans "V: Logtime D - Machine=M - PID=N". */
static void
scan_head(struct text t, struct umdh_content *out)
{
	out->version = scan_up_to(&t, ": Logtime ");
	out->time = scan_up_to(&t, " - Machine=");
	out->host = scan_up_to(&t, " - PID=");
	if (!scan_decimal(&t, &out->pid))
		out->pid = 0;
}

/* Scans "//     7FF6A0000000     3A000 c:\store.exe". */
static bool
scan_module(struct text t, struct text *path)
{
	uint64_t v;

	if (!scan_word(&t, "//") || !scan_hex_after_blanks(&t, &v) || !scan_char(&t, ' ') ||
		!scan_hex_after_blanks(&t, &v) || !scan_char(&t, ' '))
		return false;
	*path = text_trim(t);
	return path->size > 0;
}

/* --- any line --------------------------------------------------------------------------------------- */

enum umdh_line
umdh_scan(struct text line, struct umdh_content *out)
{
	struct text t = line;
	enum umdh_line kind = UMDH_OTHER;

	if (!t.size)
		return UMDH_OTHER;
	if (t.data[0] == '/') {
		*out = (struct umdh_content){ 0 };
		if (scan_word(&t, head_word))
			return scan_head(t, out), UMDH_HEAD;
		if (text_begins(t, legend_word))
			return UMDH_LEGEND;
		return scan_module(t, &out->module) ? UMDH_MODULE : UMDH_OTHER;
	}
	if (t.data[0] == '*') {
		if (scan_word(&t, start_word))
			kind = UMDH_START;
		else if (scan_word(&t, end_word))
			kind = UMDH_END;
		out->heap = scan_token(&t);
		return kind;
	}
	if (t.data[0] == '+' || t.data[0] == '-')
		return scan_row(t, &out->row);
	if (text_begins(t, increase_word) || text_begins(t, decrease_word))
		return scan_total(t, &out->total) ? UMDH_TOTAL : UMDH_BROKEN;
	return scan_block(t, &out->block);
}

/* Returns where a row begins in the line. A row begins with text such as "+ 5330 (". */
static size_t
mark_row(struct text line)
{
	struct umdh_row row;
	size_t at = text_find(line, "(");

	if (at == TEXT_NOT_FOUND || text_find(line, "BackTrace") == TEXT_NOT_FOUND)
		return TEXT_NOT_FOUND;
	while (at && (line.data[at - 1] == ' ' || char_hex_value(line.data[at - 1]) >= 0))
		at--;
	if (!at || scan_row(text_from_at(line, at - 1), &row) != UMDH_ROW)
		return TEXT_NOT_FOUND;
	return at - 1;
}

static size_t
mark_block(struct text line)
{
	struct umdh_block block;
	size_t at = text_find(line, " bytes ");

	if (at == TEXT_NOT_FOUND)
		return TEXT_NOT_FOUND;
	while (at && char_hex_value(line.data[at - 1]) >= 0)
		at--;
	return scan_block(text_from_at(line, at), &block) == UMDH_BLOCK ? at : TEXT_NOT_FOUND;
}

size_t
umdh_mark(struct text line)
{
	static const char *const marks[] = { head_word, legend_word, start_word };
	size_t at;

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		at = text_find(line, marks[i]);
		if (at != TEXT_NOT_FOUND)
			return at;
	}
	at = mark_row(line);
	return at == TEXT_NOT_FOUND ? mark_block(line) : at;
}

/* --- frames ----------------------------------------------------------------------------------------- */

/* Returns the position of the first offset, such as "+1C8". It must be at the end of the text, or before
 * a blank and a bracket. */
static size_t
find_offset(struct text t)
{
	for (size_t i = 0; i < t.size; i++) {
		struct text rest = text_from_at(t, i);
		uint64_t offset;

		if (scan_char(&rest, '+') && scan_hex(&rest, &offset) &&
			(!rest.size || text_begins(rest, " (")))
			return i;
	}
	return TEXT_NOT_FOUND;
}

/* Scans " (c:\work\store\main.cpp, 81)". */
static bool
scan_place(struct text t, struct frame *frame)
{
	size_t comma;
	struct text number;
	int64_t line;

	if (!t.size)
		return true;
	if (!scan_word(&t, " (") || !text_ends(t, ")"))
		return false;
	for (comma = t.size; comma && t.data[comma - 1] != ','; comma--)
		;
	if (comma < 2)
		return false;
	number = text_trim(text_from_at(t, comma));
	if (!scan_int64(&number, &line) || number.size != 1)
		return false;
	frame->file = text_up_to(t, comma - 1);
	frame->line = line <= INT32_MAX ? line : MODEL_NULL;
	return true;
}

/* The module of "MODULE!ROUTINE"; empty if the line is not a frame. */
static struct text
module_of(struct text t)
{
	struct text module = text_up_to(t, text_find(t, "!"));

	if (module.size == t.size || module.size > 255 || !t.data || t.size == module.size + 1 ||
		t.data[module.size + 1] == ' ')
		return TEXT_NULL;
	return module;
}

enum umdh_frame
umdh_scan_frame(struct text line, struct frame *frame)
{
	struct text t = text_trim(line);
	struct text rest = t;
	struct text module = module_of(t);
	uint64_t offset = 0;
	size_t at;

	*frame = (struct frame){ .line = MODEL_NULL };
	if (!module.size) {
		if (scan_word(&rest, "?? : 0x"))
			return UMDH_FRAME_UNNAMED;
		/* Shorter numbers may be other programs' output. */
		return scan_hex(&rest, &frame->address) && !rest.size && t.size >= 6
			       ? UMDH_FRAME
			       : UMDH_NO_FRAME;
	}
	rest = text_from_at(t, module.size + 1);
	at = find_offset(rest);
	if (at == TEXT_NOT_FOUND)
		return UMDH_FRAME_CUT;
	frame->module = module;
	frame->function = text_up_to(rest, at);
	rest = text_from_at(rest, at + 1);
	scan_hex(&rest, &offset);
	if (!frame->function.size || text_equal(frame->function, TEXT_LITERAL("???"))) {
		frame->function = TEXT_NULL;
		frame->address = offset;
	}
	return scan_place(rest, frame) ? UMDH_FRAME : UMDH_FRAME_CUT;
}
