/* Parses the first lines, bug kinds and threads of sanitizer reports. */
#include "sanitizer_private.h"

enum {
	TRIES_MAX = 8
};

/* --- heads ------------------------------------------------------------------------- */

#define RUNTIME_ERROR ": runtime error: "

bool
sanitizer_may_be_head(struct text line)
{
	return text_find(line, "Sanitizer") != TEXT_NOT_FOUND ||
	       text_find(line, "runtime error") != TEXT_NOT_FOUND ||
	       text_find(line, "Suppressions used") != TEXT_NOT_FOUND;
}

/* The offset of the "==123==" or "==123== " that ends at `end`; TEXT_NOT_FOUND if there is none. */
static size_t
pid_before(struct text line, size_t end, uint64_t *pid)
{
	struct text digits;
	size_t at = end;

	if (at && line.data[at - 1] == ' ')
		at--;
	if (at < 5 || line.data[at - 1] != '=' || line.data[at - 2] != '=')
		return TEXT_NOT_FOUND;
	at -= 2;
	while (at && char_is_digit(line.data[at - 1]))
		at--;
	digits = text_from_at(line, at);
	if (at < 2 || line.data[at - 1] != '=' || line.data[at - 2] != '=' ||
		!scan_decimal(&digits, pid))
		return TEXT_NOT_FOUND;
	return at - 2;
}

static bool
ends_before(struct text line, size_t *at, const char *word)
{
	if (!text_ends(text_up_to(line, *at), word))
		return false;
	*at -= strlen(word);
	return true;
}

/* "... (pid=123)" */
static bool
pid_in(struct text message, uint64_t *pid)
{
	struct text t = text_from_at(message, text_find(message, "(pid="));

	return scan_word(&t, "(pid=") && scan_decimal(&t, pid);
}

/* Reads a line with the name of a tool. `tool` is the offset of this name in the line. */
static void
read_tool_line(struct text line, size_t tool, struct head *h)
{
	size_t at = tool;
	bool error = ends_before(line, &at, "ERROR: ");
	size_t pid;

	h->warning = !error && ends_before(line, &at, "WARNING: ");
	h->fatal = !error && !h->warning && ends_before(line, &at, "FATAL: ");
	if (ends_before(line, &at, "SUMMARY: ")) {
		h->kind = HEAD_SUMMARY;
		h->start = at;
		return;
	}
	if (!error && !h->warning && !h->fatal) {
		h->start = tool;
		h->has_pid = pid_in(h->message, &h->pid);
		if (text_begins(h->message, "reported "))
			h->kind = HEAD_COUNT;
		else if (text_begins(h->message, "Matched ") && text_ends(h->message, ":"))
			h->kind = HEAD_MATCHED;
		return;
	}
	pid = pid_before(line, at, &h->pid);
	h->has_pid = pid != TEXT_NOT_FOUND || pid_in(h->message, &h->pid);
	if (!h->has_pid)
		return;
	h->start = pid != TEXT_NOT_FOUND ? pid : at;
	h->kind = text_begins(h->message, "detected memory leaks") ? HEAD_LEAKS : HEAD_REPORT;
}

/* Parses "==1==LeakSanitizer has encountered a fatal error." */
static bool
read_failed(struct text line, struct head *h)
{
	size_t at = text_find(line, "LeakSanitizer has encountered a fatal error");
	size_t pid;

	if (at == TEXT_NOT_FOUND)
		return false;
	pid = pid_before(line, at, &h->pid);
	h->has_pid = pid != TEXT_NOT_FOUND;
	h->start = h->has_pid ? pid : at;
	h->kind = HEAD_FAILED;
	return true;
}

/* Reads a line with "PLACE: runtime error: ". Go's runtime and other programs also write "runtime error", but
 * without a place before it. */
static bool
read_undefined(struct text line, struct head *h)
{
	size_t at = text_find(line, RUNTIME_ERROR);

	if (at == TEXT_NOT_FOUND)
		return false;
	h->kind = HEAD_UNDEFINED;
	h->tool = TEXT_LITERAL("UndefinedBehaviorSanitizer");
	h->message = text_trim(text_from_at(line, at + strlen(RUNTIME_ERROR)));
	h->start = sanitizer_path_start(text_up_to(line, at));
	h->place = text_from_at(text_up_to(line, at), h->start);
	/* A place ends with a number or a bracket. */
	if (h->message.size && h->place.size &&
		(char_is_digit(h->place.data[h->place.size - 1]) || text_ends(h->place, ">") ||
			text_ends(h->place, ")")))
		return true;
	h->kind = HEAD_NONE;
	return false;
}

void
sanitizer_head(struct text line, struct head *h)
{
	size_t from = 0;

	*h = (struct head){ .kind = HEAD_NONE };
	/* The first "Sanitizer: " may be the end of a name that is not the tool's name. */
	for (int tries = 0; tries < TRIES_MAX && h->kind == HEAD_NONE; tries++) {
		size_t at = text_find(text_from_at(line, from), "Sanitizer: ");
		size_t word;

		if (at == TEXT_NOT_FOUND)
			break;
		at += from;
		from = at + strlen("Sanitizer: ");
		for (word = at; word && char_is_letter(line.data[word - 1]); word--)
			;
		h->tool = text_up_to(text_from_at(line, word), at + strlen("Sanitizer") - word);
		h->message = text_trim(text_from_at(line, from));
		read_tool_line(line, word, h);
	}
	if (h->kind != HEAD_NONE || read_failed(line, h) || read_undefined(line, h))
		return;
	from = text_find(line, "Suppressions used:");
	if (from == TEXT_NOT_FOUND)
		return;
	h->kind = HEAD_SUPPRESSED;
	h->start = from;
}

/* --- bug kinds --------------------------------------------------------------------- */

struct phrase {
	const char *begins;
	const char *bug;
};

static const struct phrase address_phrases[] = {
	{ "attempting double-free", "double-free" },
	{ "attempting free on address which was not malloc()-ed", "bad-free" },
	{ "attempting to call malloc_usable_size", "bad-malloc_usable_size" },
	{ "attempting to call __sanitizer_get_allocated_size",
		"bad-__sanitizer_get_allocated_size" },
	{ "requested allocation size", "allocation-size-too-big" },
	{ "calloc parameters overflow", "calloc-overflow" },
	{ "reallocarray parameters overflow", "reallocarray-overflow" },
	{ "pvalloc parameters overflow", "pvalloc-overflow" },
	{ "invalid allocation alignment", "invalid-allocation-alignment" },
	{ "invalid alignment requested in aligned_alloc", "invalid-aligned-alloc-alignment" },
	{ "invalid alignment requested in posix_memalign", "invalid-posix-memalign-alignment" },
	{ "bad parameters to __sanitizer_annotate_contiguous_container",
		"bad-__sanitizer_annotate_contiguous_container" },
	{ "specified RSS limit exceeded", "rss-limit-exceeded" },
	{ "allocator is out of memory", "out-of-memory" },
	{ "allocator is trying to allocate", "out-of-memory" },
	{ NULL, NULL },
};

/* These are the names that the runtime prints with report_error_type=1. */
static const struct phrase undefined_phrases[] = {
	{ "signed integer overflow", "signed-integer-overflow" },
	{ "unsigned integer overflow", "unsigned-integer-overflow" },
	{ "negation of ", "signed-integer-overflow" },
	{ "division of ", "signed-integer-overflow" },
	{ "division by zero", "integer-divide-by-zero" },
	{ "shift exponent ", "invalid-shift-exponent" },
	{ "left shift of ", "invalid-shift-base" },
	{ "index ", "out-of-bounds-index" },
	{ "execution reached an unreachable", "unreachable-call" },
	{ "execution reached the end of a value-returning", "missing-return" },
	{ "variable length array bound", "non-positive-vla-index" },
	{ "null pointer returned from", "invalid-null-return" },
	{ "null pointer passed as argument", "invalid-null-argument" },
	{ "call to function ", "function-type-mismatch" },
	{ "applying zero offset to null pointer", "nullptr-with-offset" },
	{ "applying non-zero offset", "nullptr-with-nonzero-offset" },
	{ "pointer index expression", "pointer-overflow" },
	{ "addition of unsigned offset", "pointer-overflow" },
	{ "subtraction of unsigned offset", "pointer-overflow" },
	{ "assumption of ", "alignment-assumption" },
	{ "passing zero to ", "invalid-builtin-use" },
	{ "implicit conversion from", "implicit-conversion" },
	{ "control flow integrity check", "cfi-bad-type" },
	{ NULL, NULL },
};

/* Phrases that occur in the middle of a message. */
static const struct phrase undefined_middles[] = {
	{ "null pointer", "null-pointer-use" },
	{ "misaligned address", "misaligned-pointer-use" },
	{ "insufficient space", "insufficient-object-size" },
	{ "does not point to an object of type", "dynamic-type-mismatch" },
	{ "not a valid value for type 'bool'", "invalid-bool-load" },
	{ "not a valid value for type 'BOOL'", "invalid-bool-load" },
	{ "not a valid value for type", "invalid-enum-load" },
	{ "outside the range of representable values", "float-cast-overflow" },
	{ NULL, NULL },
};

static struct text
undefined_bug(struct text message)
{
	for (const struct phrase *p = undefined_phrases; p->begins; p++)
		if (text_begins(message, p->begins))
			return text_from(p->bug);
	for (const struct phrase *p = undefined_middles; p->begins; p++)
		if (text_find(message, p->begins) != TEXT_NOT_FOUND)
			return text_from(p->bug);
	return TEXT_LITERAL("undefined-behavior");
}

/* The first word without a final colon: "memcpy-param-overlap" for "memcpy-param-overlap: memory
 * ranges". */
struct text
sanitizer_first_word(struct text t)
{
	struct text word = text_up_to(t, text_find(t, " "));

	if (text_ends(word, ":"))
		word.size--;
	return word;
}

struct text
sanitizer_bug(const struct head *h)
{
	size_t pid;

	if (h->kind == HEAD_UNDEFINED)
		return undefined_bug(h->message);
	if (h->fatal)
		return TEXT_LITERAL("fatal");
	pid = text_find(h->message, " (pid=");
	if (pid != TEXT_NOT_FOUND)
		return text_up_to(h->message, pid);
	for (const struct phrase *p = address_phrases; p->begins; p++)
		if (text_begins(h->message, p->begins))
			return text_from(p->bug);
	return sanitizer_first_word(h->message);
}

/* --- threads ----------------------------------------------------------------------- */

/* Parses "(worker)" or "'worker'", but not "(mutexes: ...)". */
static struct text
thread_name(struct text t)
{
	size_t end;

	scan_blanks(&t);
	if (scan_word(&t, "("))
		end = text_find(t, ")");
	else
		end = scan_word(&t, "'") ? text_find(t, "'") : 0;
	if (!end || end == TEXT_NOT_FOUND || text_begins(t, "mutexes:") || text_begins(t, "tid="))
		return TEXT_NULL;
	return text_up_to(t, end);
}

/* Parses the end of a line such as "... sp 0x7ffd89e2afb0 T0)". */
static bool
thread_at_end(struct text t, struct named_thread *thread)
{
	size_t at = t.size;

	if (!text_ends(t, ")"))
		return false;
	at--;
	while (at && char_is_digit(t.data[at - 1]))
		at--;
	if (at < 2 || t.data[at - 1] != 'T' || t.data[at - 2] != ' ')
		return false;
	t = text_from_at(t, at);
	return scan_decimal(&t, &thread->number);
}

/* Parses "1 (worker) created by ...", the text after the T. */
static bool
numbered_thread(struct text t, struct named_thread *thread)
{
	if (!scan_decimal(&t, &thread->number))
		return false;
	thread->name = thread_name(t);
	return true;
}

bool
sanitizer_created_thread(struct text t, struct named_thread *thread)
{
	*thread = (struct named_thread){ 0 };
	return scan_word(&t, "Thread T") && numbered_thread(t, thread);
}

bool
sanitizer_thread(struct text t, struct named_thread *thread)
{
	size_t at = text_find(t, "thread T");
	size_t main_at = text_find(t, "main thread");

	*thread = (struct named_thread){ 0 };
	if (main_at < at)
		return true;
	if (at == TEXT_NOT_FOUND)
		return thread_at_end(t, thread);
	return numbered_thread(text_from_at(t, at + strlen("thread T")), thread);
}
