/* Parses a frame's line: "#1 0x55d in ns::f(int) /src/a b.cpp:11:5 (prog+0x12) (BuildId: 83d8)". */
#include "sanitizer_private.h"

/* Removes " (BuildId: 83d8...)" from the end. */
static void
take_build_id(struct text *t, struct text *build_id)
{
	size_t at = text_find(*t, "(BuildId: ");

	if (at == TEXT_NOT_FOUND || !text_ends(*t, ")"))
		return;
	*build_id = text_from_at(*t, at + strlen("(BuildId: "));
	build_id->size -= build_id->size > 0;
	*t = text_trim(text_up_to(*t, at));
}

/* Removes the architecture of a macOS file, such as ":arm64", from the end. */
static void
take_architecture(struct text *module)
{
	static const char *const names[] = { ":x86_64", ":x86_64h", ":arm64", ":arm64e", ":i386",
		":armv7", ":armv7s", ":armv7k" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (text_ends(*module, names[i]) && module->size > strlen(names[i])) {
			module->size -= strlen(names[i]);
			return;
		}
}

/* Removes "(/lib/libc.so.6+0x27249)" from the end. */
static bool
take_module(struct text *t, struct frame *f, uint64_t *offset)
{
	size_t open = text_ends(*t, ")") ? text_opening_bracket(*t) : TEXT_NOT_FOUND;
	struct text inside;

	if (open == TEXT_NOT_FOUND)
		return false;
	inside = text_up_to(text_from_at(*t, open + 1), t->size - open - 2);
	if (!scan_last_offset(&inside, offset))
		return false;
	f->module = inside;
	take_architecture(&f->module);
	*t = text_trim(text_up_to(*t, open));
	return true;
}

/* The offset after the operator name at `at`, such as "operator<<". The characters of such a name
 * do not count as brackets. */
static size_t
after_operator(struct text t, size_t at)
{
	struct text rest = text_from_at(t, at + strlen("operator"));
	size_t n = 0;

	if (text_begins(rest, "()") || text_begins(rest, "[]"))
		return at + strlen("operator") + 2;
	while (n < rest.size && n < 3 && strchr("<>=-!&|+*/%^~,", rest.data[n]))
		n++;
	return at + strlen("operator") + n;
}

struct split {
	size_t slash; /* the blank before the first "/", "./" or drive */
	size_t last;  /* the last blank */
};

static bool
begins_path(struct text t)
{
	return text_begins(t, "/") || text_begins(t, "./") || text_begins(t, "../") ||
	       (t.size > 2 && t.data[1] == ':' && (t.data[2] == '\\' || t.data[2] == '/'));
}

/* Finds the blanks that may separate a function from its file, as in "void f<int (*)(int)>(char
 * const*) const /src/a b.cpp". Blanks within brackets do not count. */
static struct split
find_split(struct text t)
{
	struct split s = { TEXT_NOT_FOUND, TEXT_NOT_FOUND };
	size_t depth = 0;

	for (size_t i = 0; i < t.size; i++) {
		char c = t.data[i];

		if (c == 'o' && text_begins(text_from_at(t, i), "operator") &&
			(i == 0 || t.data[i - 1] == ':' || t.data[i - 1] == ' ')) {
			i = after_operator(t, i) - 1;
			continue;
		}
		if (c && strchr("(<[{", c))
			depth++;
		else if ((c && strchr(")]}", c)) || (c == '>' && i && t.data[i - 1] != '-'))
			depth -= depth > 0;
		if (c != ' ' || depth)
			continue;
		s.last = i;
		if (s.slash == TEXT_NOT_FOUND && begins_path(text_from_at(t, i + 1)))
			s.slash = i;
	}
	if (depth && s.slash == TEXT_NOT_FOUND)
		s.slash = text_find(t, " /");
	return s;
}

static void
split_at(struct text t, size_t at, struct frame *f)
{
	f->function = text_trim(text_up_to(t, at));
	f->file = text_trim(text_from_at(t, at + 1));
}

/* True for a file name without a line number, such as "tsan_interceptors_posix.cpp.o". */
static bool
looks_like_file(struct text t)
{
	return !memchr(t.data, '(', t.size) && !memchr(t.data, '<', t.size) &&
	       !memchr(t.data, '[', t.size) && memchr(t.data, '.', t.size);
}

/* Parses "FUNCTION FILE:LINE:COLUMN". Each part may be missing. */
static void
take_names(struct text t, bool function, struct frame *f)
{
	uint64_t offset;
	int64_t column;
	bool line;
	struct split s;

	if (text_ends(t, "<null>"))
		t = text_trim(text_up_to(t, t.size - strlen("<null>")));
	line = scan_last_place(&t, &f->line, &column);
	s = find_split(t);
	if (!function)
		f->file = t;
	else if (s.slash != TEXT_NOT_FOUND)
		split_at(t, s.slash, f);
	else if (s.last != TEXT_NOT_FOUND && (line || looks_like_file(text_from_at(t, s.last + 1))))
		split_at(t, s.last, f);
	else
		f->function = t;
	/* The offset in the routine is removed, because it differs between builds. */
	scan_last_offset(&f->function, &offset);
	if (text_equal(f->function, TEXT_LITERAL("<null>")))
		f->function = TEXT_NULL;
}

bool
sanitizer_frame_number(struct text *t, uint64_t *number)
{
	return scan_word(t, "#") && scan_decimal(t, number) &&
	       *number < (uint64_t)STACK_MAX_FRAMES * 16 && t->size > 1 && t->data[0] == ' ';
}

bool
sanitizer_frame(struct text t, struct frame *f, struct text *build_id, uint64_t *pc)
{
	uint64_t number;
	uint64_t offset;
	bool has_pc;
	bool in;

	*f = (struct frame){ .line = MODEL_NULL, .start_line = MODEL_NULL };
	*build_id = TEXT_NULL;
	*pc = 0;
	if (!sanitizer_frame_number(&t, &number))
		return false;
	scan_blanks(&t);
	has_pc = text_begins(t, "0x") && scan_hex(&t, pc);
	t = text_trim(t);
	take_build_id(&t, build_id);
	in = scan_word(&t, "in ");
	f->address = *pc;
	if (take_module(&t, f, &offset))
		frame_place(f, f->module, offset, 0);
	else if (text_ends(t, "(<unknown module>)"))
		t = text_trim(text_up_to(t, t.size - strlen("(<unknown module>)")));
	/* "0x4a /src/x.c:3" has no function; "0x4a f /src/x.c:3" has a function. */
	take_names(t, !has_pc || in || !begins_path(t), f);
	return true;
}
