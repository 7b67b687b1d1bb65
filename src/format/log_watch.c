/* Finds reports of further formats in a log; see log_watch.h. */
#include "log_watch.h"

#include "base/arena.h"
#include "format/formats.h"

#include <stdlib.h>

enum {
	AWAKE_LINES = 256, /* number of lines to search; the first has a typical word */
	GRAM_BYTES = 4,
	WORD_MIN_BYTES = 2 * GRAM_BYTES - 1, /* this many bytes always contain an aligned gram */
	GRAM_BITS = 16,
};

/* Words that occur near the beginning of reports, for example in the first line. */
static const struct {
	const struct format *format;
	const char *word;
} words[] = {
	{ &format_valgrind, "== Memcheck, a memory" },
	{ &format_valgrind, "== Helgrind, a thread" },
	{ &format_valgrind, "== DRD, a thread" },
	{ &format_valgrind, "== Invalid " },
	{ &format_valgrind, "== Conditional jump" },
	{ &format_valgrind, " in loss record " },
	{ &format_fastmm, "--------2" },
	{ &format_fastmmusage, "FastMM State Capture" },
	{ &format_fastmmusage, "FastMM heap snapshot " },
	{ &format_fastmmusage, "sample_index," },
	{ &format_delphirtl, "An unexpected memory leak has occurred" },
	{ &format_vld, "Visual Leak Detector" },
	{ &format_drmemory, "Dr. Memory version" },
	{ &format_drmemory, "Dr. Memory results for" },
	{ &format_jcl, "Exception class" },
	{ &format_jcl, "Stack list, generated" },
	{ &format_madexcept, "date/time" },
	{ &format_madexcept, "madExcept version" },
	{ &format_eurekalog, "EurekaLog" },
	{ &format_umdh, "// UMDH: version" },
	{ &format_umdh, "BackTrace" },
	{ &format_crt, "Detected memory leaks!" },
	{ &format_crt, "Dumping objects ->" },
	{ &format_crt, " Normal Blocks." },
	{ &format_heaptrc, "eap dump by heaptrc" },
	{ &format_heaptrc, "Marked memory at $" },
	{ &format_heaptrc, "Wrong size " },
	{ &format_heaptrc, "pointer $" },
	{ &format_heaptrc, "Runtime error " },
	{ &format_heaptrc, "An unhandled exception occurred at $" },
	{ &format_sanitizer, "Sanitizer: " },
	{ &format_sanitizer, ": runtime error: " },
	{ &format_sanitizer, "Suppressions used:" },
};

/* The formats of logs. The index of a format in this array is the number of its bit. */
static const struct format *const log_formats[] = { &format_valgrind, &format_fastmm,
	&format_fastmmusage, &format_delphirtl, &format_vld, &format_drmemory, &format_jcl,
	&format_madexcept, &format_eurekalog, &format_umdh, &format_crt, &format_heaptrc,
	&format_sanitizer };

enum {
	WORDS = sizeof(words) / sizeof(words[0]),
	FORMATS = sizeof(log_formats) / sizeof(log_formats[0]),
};

struct log_watch {
	unsigned known, found;
	/* A gram is GRAM_BYTES adjacent bytes. There is one bit for each hash of a gram. The bit is set if the
	 * beginning of a word contains a gram with this hash. */
	uint8_t grams[(1 << GRAM_BITS) / 8];
	void *states[FORMATS];
	unsigned awake[FORMATS]; /* number of further lines to look at */
};

unsigned
log_format_bit(const struct format *f)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (log_formats[i] == f)
			return 1U << i;
	return 0;
}

static uint32_t
gram_hash(const char *at)
{
	uint32_t gram;

	memcpy(&gram, at, GRAM_BYTES);
	return (gram * UINT32_C(0x9E3779B1)) >> (32 - GRAM_BITS);
}

static void
add_word(struct log_watch *w, const char *word)
{
	for (size_t i = 0; i + GRAM_BYTES <= WORD_MIN_BYTES; i++) {
		uint32_t hash = gram_hash(word + i);

		w->grams[hash / 8] |= (uint8_t)(1U << hash % 8);
	}
}

struct log_watch *
log_watch_new(unsigned known)
{
	struct log_watch *w = xcalloc(1, sizeof(*w));

	w->known = known;
	for (size_t i = 0; i < WORDS; i++)
		if (!(known & log_format_bit(words[i].format)))
			add_word(w, words[i].word);
	return w;
}

void
log_watch_free(struct log_watch *w)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (w->states[i])
			log_formats[i]->lines->end(w->states[i]);
	free(w);
}

/* Returns whether the line contains this word in such a place that the gram at offset `at` is part of the
 * word's beginning. */
static bool
word_at(struct text line, size_t at, const char *word)
{
	size_t size = strlen(word);

	for (size_t i = 0; i + GRAM_BYTES <= WORD_MIN_BYTES && i <= at; i++)
		if (at - i + size <= line.size && memcmp(line.data + at - i, word, size) == 0)
			return true;
	return false;
}

static void
wake(struct log_watch *w, struct text line, size_t at)
{
	for (size_t i = 0; i < WORDS; i++) {
		unsigned bit = log_format_bit(words[i].format);

		if (!(bit & (w->known | w->found)) && word_at(line, at, words[i].word))
			w->awake[__builtin_ctz(bit)] = AWAKE_LINES;
	}
}

void
log_watch_line(struct log_watch *w, struct text line)
{
	for (size_t at = 0; at + GRAM_BYTES <= line.size; at += GRAM_BYTES) {
		uint32_t hash = gram_hash(line.data + at);

		if (w->grams[hash / 8] & 1U << hash % 8)
			wake(w, line, at);
	}
	for (size_t i = 0; i < FORMATS; i++) {
		if (!w->awake[i])
			continue;
		w->awake[i]--;
		if (!w->states[i])
			w->states[i] = log_formats[i]->lines->begin(log_formats[i]->lines->kind);
		if (!log_formats[i]->lines->line(w->states[i], line))
			continue;
		w->found |= 1U << i;
		w->awake[i] = 0;
	}
}

unsigned
log_watch_found(const struct log_watch *w)
{
	return w->found;
}

bool
log_begins_report(const struct format *f, struct text line)
{
	for (size_t i = 0; i < WORDS; i++)
		if (words[i].format == f && text_find(line, words[i].word) != TEXT_NOT_FOUND)
			return true;
	return false;
}

/* Returns the offset after a process number. A time may precede the number. */
static size_t
number_end(struct text t, size_t at)
{
	while (at < t.size && (char_is_digit(t.data[at]) || t.data[at] == ':' ||
				      t.data[at] == '.' || t.data[at] == ' '))
		at++;
	return at;
}

bool
log_is_valgrind(struct text line)
{
	static const char *const marks[] = { "==", "--", "**" };

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		size_t at = text_find(line, marks[i]);
		size_t end = at == TEXT_NOT_FOUND ? 0 : number_end(line, at + 2);

		if (end > at + 2 && char_is_digit(line.data[end - 1]) &&
			text_begins(text_from_at(line, end), marks[i]) &&
			(end + 2 == line.size || line.data[end + 2] == ' '))
			return true;
	}
	return false;
}

bool
log_is_sanitizer(struct text line)
{
	static const char *const levels[] = { "ERROR: ", "WARNING: ", "FATAL: " };
	struct text before = text_up_to(line, text_find(line, "Sanitizer: "));

	for (size_t i = 0; before.size < line.size && i < sizeof(levels) / sizeof(levels[0]); i++)
		if (text_find(before, levels[i]) != TEXT_NOT_FOUND)
			return true;
	return false;
}
