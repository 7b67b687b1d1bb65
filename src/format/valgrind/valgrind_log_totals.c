/* Makes records from the head, the summaries and the suppressions of valgrind's text; see
 * valgrind_log.h. */
#include "format/common/text_scan.h"
#include "valgrind_log.h"

/* Moves the first line of *all to *line. Returns false if *all is empty. */
static bool
next_line(struct text *all, struct text *line)
{
	size_t end = text_find(*all, "\n");

	if (!all->size)
		return false;
	*line = text_up_to(*all, end);
	*all = text_from_at(*all, end == TEXT_NOT_FOUND ? all->size : end + 1);
	return true;
}

/* --- the head ------------------------------------------------------------------------------ */

/* Moves the next word of a command to `word`. valgrind writes a backslash before special characters. */
static bool
next_word(struct text *command, struct strbuf *word)
{
	strbuf_reset(word);
	scan_blanks(command);
	if (!command->size)
		return false;
	while (command->size && command->data[0] != ' ') {
		if (command->data[0] == '\\' && command->size > 1)
			*command = text_from_at(*command, 1);
		strbuf_append_char(word, command->data[0]);
		*command = text_from_at(*command, 1);
	}
	return true;
}

static void
put_command(struct vg_log_process *p, struct text command)
{
	struct strbuf word = STRBUF_INIT(VG_ARRAY_MAX_BYTES);
	const char *name = "exe";

	valgrind_log_open(p, "args");
	valgrind_log_open(p, "argv");
	for (; next_word(&command, &word); name = "arg")
		valgrind_log_leaf(p, name, strbuf_text(&word));
	valgrind_log_close(p);
	valgrind_log_close(p);
	strbuf_release(&word);
}

/* Since version 3.21, the XML contains an error for each file that is still open. */
static bool
version_has_file_errors(struct text line)
{
	uint64_t major, minor;

	return scan_word(&line, "Using Valgrind-") && scan_decimal(&line, &major) &&
	       scan_char(&line, '.') && scan_decimal(&line, &minor) &&
	       (major > 3 || (major == 3 && minor > 20));
}

static void
put_preamble(struct vg_log_process *p)
{
	struct text all = strbuf_text(&p->preamble);
	struct text line;

	valgrind_log_open(p, "preamble");
	while (next_line(&all, &line)) {
		p->files_are_errors |= version_has_file_errors(line);
		if (!text_begins(line, "Parent PID: "))
			valgrind_log_leaf(p, "line", line);
	}
	valgrind_log_close(p);
}

void
valgrind_log_head(struct vg_log_process *p)
{
	struct text all = strbuf_text(&p->preamble);
	struct text line;
	char number[24];
	bool known;

	put_preamble(p);
	snprintf(number, sizeof(number), "%llu", (unsigned long long)p->pid);
	valgrind_log_leaf(p, "pid", text_from(number));
	valgrind_log_leaf(p, "tool",
		p->headed ? text_from(valgrind_log_tool(all, &known)) : TEXT_LITERAL("valgrind"));
	while (next_line(&all, &line))
		if (scan_word(&line, "Parent PID: "))
			valgrind_log_leaf(p, "ppid", line);
		else if (scan_word(&line, "Command: "))
			put_command(p, line);
}

/* --- totals ------------------------------------------------------------------------------------ */

/* Scans a number with commas, and its growth: "1,024 (+40)". */
static bool
scan_total(struct text *t, struct text *number, bool *grown)
{
	size_t n = 0;
	size_t end;

	while (n < t->size && (char_is_digit(t->data[n]) || t->data[n] == ','))
		n++;
	*number = text_up_to(*t, n);
	*t = text_from_at(*t, n);
	if (!text_begins(*t, " (+") && !text_begins(*t, " (-"))
		return n > 0;
	*grown = true;
	end = text_find(*t, ")");
	*t = text_from_at(*t, end == TEXT_NOT_FOUND ? t->size : end + 1);
	return n > 0;
}

/* The words after a number, and the element that stores the number. */
struct total {
	const char *words, *element;
};

static void
put_totals(struct vg_log_process *p, struct text t, const char *parent, const struct total *totals,
	size_t count)
{
	struct text number;
	bool grown;

	valgrind_log_open(p, parent);
	for (size_t i = 0; i < count && scan_total(&t, &number, &grown); i++) {
		valgrind_log_leaf(p, totals[i].element, number);
		if (!scan_word(&t, totals[i].words))
			break;
	}
	valgrind_log_close(p);
}

void
valgrind_log_heap_total(struct vg_log_process *p, struct text line)
{
	static const struct total in_use[] = { { " bytes in ", "bytes" }, { " blocks", "blocks" } };
	static const struct total usage[] = { { " allocs, ", "allocs" }, { " frees, ", "frees" },
		{ " bytes allocated", "bytes_allocated" } };

	line = text_trim(line);
	if (scan_word(&line, "in use at exit: "))
		put_totals(p, line, "memory_in_use_at_exit", in_use, 2);
	else if (scan_word(&line, "total heap usage: "))
		put_totals(p, line, "total_heap_usage", usage, 3);
}

void
valgrind_log_leak_totals(struct vg_log_process *p)
{
	static const struct {
		const char *words, *element;
	} kinds[] = { { "definitely lost: ", "definitely_lost" },
		{ "indirectly lost: ", "indirectly_lost" }, { "possibly lost: ", "possibly_lost" },
		{ "still reachable: ", "still_reachable" }, { "suppressed: ", "suppressed" } };
	static const struct total values[] = { { " bytes in ", "bytes" },
		{ " blocks", "in_blocks" } };
	struct text all = strbuf_text(&p->leak_totals);
	struct text line;

	if (!all.size)
		return;
	valgrind_log_open(p, "leak_summary");
	while (next_line(&all, &line))
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			if (scan_word(&line, kinds[i].words)) {
				p->document.leaks_grew |=
					text_find(line, " (+") != TEXT_NOT_FOUND ||
					text_find(line, " (-") != TEXT_NOT_FOUND;
				put_totals(p, line, kinds[i].element, values, 2);
				break;
			}
	valgrind_log_close(p);
}

void
valgrind_log_error_summary(struct vg_log_process *p, struct text line)
{
	static const struct total totals[] = { { " errors from ", "errors" },
		{ " contexts (suppressed: ", "error_contexts" }, { " from ", "suppressed" },
		{ ")", "suppressed_contexts" } };

	if (scan_word(&line, "ERROR SUMMARY: "))
		put_totals(p, line, "error_summary", totals, 4);
}

/* --- suppressions -------------------------------------------------------------------------------- */

/* Removes " suppressed: 64 bytes in 4 blocks" from the end. */
static void
put_suppressed(struct vg_log_process *p, struct text *t)
{
	static const char words[] = " suppressed: ";
	size_t at = text_find(*t, words);
	struct text rest =
		text_from_at(*t, at == TEXT_NOT_FOUND ? t->size : at + sizeof(words) - 1);
	struct text bytes, blocks;
	bool grown;

	if (!scan_total(&rest, &bytes, &grown) || !scan_word(&rest, " bytes in ") ||
		!scan_total(&rest, &blocks, &grown))
		return;
	valgrind_log_leaf(p, "bytes", bytes);
	valgrind_log_leaf(p, "blocks", blocks);
	t->size = at;
}

void
valgrind_log_suppression(struct vg_log_process *p, struct text line)
{
	struct text count;
	size_t at;

	scan_blanks(&line);
	count = scan_token(&line);
	line = text_trim(line);
	valgrind_log_open(p, "suppcounts");
	valgrind_log_open(p, "pair");
	valgrind_log_leaf(p, "count", count);
	put_suppressed(p, &line);
	/* The name can contain blanks. A file follows it. */
	at = line.size;
	while (at && line.data[at - 1] != ' ')
		at--;
	if (at > 1) {
		valgrind_log_leaf(p, "file", text_from_at(line, at));
		line.size = at - 1;
	}
	valgrind_log_leaf(p, "name", line);
	valgrind_log_close(p);
	valgrind_log_close(p);
}
