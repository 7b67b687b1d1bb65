/* The kinds of findings that the suppressions of each tool can name. */
#include "suppress_private.h"

#include <stdio.h>

/*
 * Kinds that have special rules. valgrind's names are from the manuals of memcheck, Helgrind and
 * DRD; errors are named as in valgrind's XML and in the sanitizers' reports. If a kind in valgrind's
 * syntax is not in this table, it is the name of an error.
 */
#define ADDRESS_ERRORS \
	"invalidread invalidwrite *bufferoverflow* *bufferunderflow* *useafter* segv* " \
	"containeroverflow*"
#define RACE_ERRORS "race datarace* raceon* conflictingaccess heapuseafterfree*"

static const struct kind_row rows[] = {
	/* word, syntax, scope, part, leak, sized, extra, errors */
	{ "Leak", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, true, false, false, "" },
	{ "Addr", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, true, false, ADDRESS_ERRORS },
	{ "Value", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, true, false,
		"uninitvalue useofuninitializedvalue*" },
	{ "Cond", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, false, false,
		"uninitcondition useofuninitializedvalue*" },
	{ "Param", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, false, true, "syscallparam" },
	{ "User", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, false, false, "clientcheck" },
	{ "Jump", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, false, false, "invalidjump" },
	{ "Free", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, false, false,
		"invalidfree mismatchedfree *doublefree* badfree* allocdeallocmismatch*" },
	{ "Overlap", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, false, false,
		"overlap *paramoverlap*" },
	{ "Mempool", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, false, false, "invalidmempool" },
	{ "FishyValue", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, false, true, "fishyvalue" },
	{ "ReallocZero", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, false, false,
		"realloczero reallocsizezero" },
	{ "BadAlign", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, false, false, "invalidalignment" },
	{ "BadSize", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, false, false,
		"invalidsize invalidsizeandalignment" },
	{ "SizeMismatch", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, false, false,
		"mismatchedallocatedeallocatesize newdeletetypemismatch" },
	{ "AlignMismatch", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, false, false,
		"mismatchedallocatedeallocatealignment" },
	{ "CoreMem", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, false, true, "coremem" },
	{ "Race", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, false, false, RACE_ERRORS },
	{ "ConflictingAccess", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, false, false,
		RACE_ERRORS },
	{ "LockOrder", SUPPRESS_VALGRIND, SCOPE_PREFIX, 0, false, false, false,
		"lockorder lockorderinversion*" },
	{ "leak", SUPPRESS_SANITIZER, SCOPE_FRAMES, PATTERN_ANY, true, false, false, "" },
	/* ThreadSanitizer */
	{ "race", SUPPRESS_SANITIZER, SCOPE_FRAMES, PATTERN_ANY, false, false, false, RACE_ERRORS },
	{ "race_top", SUPPRESS_SANITIZER, SCOPE_TOP, PATTERN_ANY, false, false, false,
		RACE_ERRORS },
	{ "thread", SUPPRESS_SANITIZER, SCOPE_FRAMES, PATTERN_ANY, false, false, false,
		"threadleak*" },
	{ "mutex", SUPPRESS_SANITIZER, SCOPE_FRAMES, PATTERN_ANY, false, false, false,
		"*mutex* unlockunlocked unlockforeign unlockbogus" },
	{ "deadlock", SUPPRESS_SANITIZER, SCOPE_FRAMES, PATTERN_ANY, false, false, false,
		"lockorderinversion* lockorder" },
	{ "signal", SUPPRESS_SANITIZER, SCOPE_FRAMES, PATTERN_ANY, false, false, false, "signal*" },
	{ "called_from_lib", SUPPRESS_SANITIZER, SCOPE_FRAMES, PATTERN_MODULE, false, false, false,
		"datarace* raceon* heapuseafterfree* *mutex*" },
	/* AddressSanitizer */
	{ "interceptor_name", SUPPRESS_SANITIZER, SCOPE_TOP, PATTERN_FUNCTION, false, false, false,
		"*" },
	{ "interceptor_via_fun", SUPPRESS_SANITIZER, SCOPE_FRAMES, PATTERN_FUNCTION, false, false,
		false, "*" },
	{ "interceptor_via_lib", SUPPRESS_SANITIZER, SCOPE_FRAMES, PATTERN_MODULE, false, false,
		false, "*" },
	{ "odr_violation", SUPPRESS_SANITIZER, SCOPE_DESCRIPTION, PATTERN_ANY, false, false, false,
		"odrviolation*" },
	{ "alloc_dealloc_mismatch", SUPPRESS_SANITIZER, SCOPE_FRAMES, PATTERN_ANY, false, false,
		false, "allocdeallocmismatch* mismatchedfree" },
/* UndefinedBehaviorSanitizer: names of checks. The pattern is matched with the frame in which the
 * check failed. */
#define UBSAN(word, errors) \
	{ \
		word, SUPPRESS_SANITIZER, SCOPE_TOP, PATTERN_ANY, false, false, false, errors \
	}
	UBSAN("undefined", "*"),
	UBSAN("alignment", "alignment* *misaligned*"),
	UBSAN("bool", "bool* loadofvalue*typebool* invalidboolload*"),
	UBSAN("bounds", "bounds* *outofbounds*"),
	UBSAN("builtin", "builtin* *builtin*"),
	UBSAN("enum", "enum* loadofvalue* invalidenumload*"),
	UBSAN("float-cast-overflow", "floatcastoverflow* *outsidetherange*"),
	UBSAN("float-divide-by-zero", "floatdividebyzero* divisionbyzero*"),
	UBSAN("function", "function* call*throughpointer*"),
	UBSAN("implicit-conversion", "implicitconversion*"),
	UBSAN("implicit-integer-sign-change", "implicit*"),
	UBSAN("implicit-integer-truncation", "implicit*"),
	UBSAN("implicit-signed-integer-truncation", "implicit*"),
	UBSAN("implicit-unsigned-integer-truncation", "implicit*"),
	UBSAN("integer-divide-by-zero", "integerdividebyzero* divisionbyzero*"),
	UBSAN("invalid-builtin-use", "invalidbuiltinuse* *passingzeroto*"),
	UBSAN("local-bounds", "localbounds* *outofbounds*"),
	UBSAN("nonnull-attribute", "nonnull* nullpointerpassed*"),
	UBSAN("null", "null* *nullpointer*"),
	UBSAN("nullability-arg", "nullability* nullpointerpassed*"),
	UBSAN("nullability-assign", "nullability* *nullpointer*"),
	UBSAN("nullability-return", "nullability* nullpointerreturned*"),
	UBSAN("object-size", "objectsize* *insufficientspace*"),
	UBSAN("pointer-overflow", "pointeroverflow* *pointer*overflow* applying*offset*"),
	UBSAN("return", "return missingreturn* *endofvaluereturning* *endofnonvoid* "
			"executionreached*withoutreturning*"),
	UBSAN("returns-nonnull-attribute", "returnsnonnull* nullpointerreturned*"),
	UBSAN("shift-base", "shift* leftshift*"),
	UBSAN("shift-exponent", "shift*"),
	UBSAN("signed-integer-overflow", "signedintegeroverflow* negation*overflow*"),
	UBSAN("unreachable", "unreachable* *unreachable*"),
	UBSAN("unsigned-integer-overflow", "unsignedintegeroverflow*"),
	UBSAN("vla-bound", "vlabound* variablelengtharray*"),
	UBSAN("vptr", "vptr* dynamictypemismatch* *doesnotpointtoanobject*"),
#undef UBSAN
	{ "vptr_check", SUPPRESS_SANITIZER, SCOPE_DESCRIPTION, PATTERN_ANY, false, false, false,
		"vptr* dynamictypemismatch* *doesnotpointtoanobject*" },
};

enum {
	ROWS = sizeof(rows) / sizeof(rows[0]),
	KEY_BYTES = 160
};

bool
suppress_next_word(struct text *list, struct text *word)
{
	const char *comma;

	if (!list->size)
		return false;
	comma = memchr(list->data, ',', list->size);
	*word = (struct text){ list->data, comma ? (size_t)(comma - list->data) : list->size };
	list->data += word->size + (comma ? 1 : 0);
	list->size -= word->size + (comma ? 1 : 0);
	*word = text_trim(*word);
	return true;
}

/* Copies only the letters and digits of the word to `out`, at most size - 1 of them. */
static void
plain_word(struct text word, char *out, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < word.size && n + 1 < size; i++)
		if (char_is_letter(word.data[i]) || char_is_digit(word.data[i]))
			out[n++] = word.data[i];
	out[n] = '\0';
}

void
kind_key(struct text word, char *key, size_t size)
{
	plain_word(word, key, size);
	for (; *key; key++)
		*key = char_lower(*key);
}

/* The number of digits at the end of the word. */
static size_t
digits_behind(struct text word)
{
	size_t n = 0;

	while (n < word.size && char_is_digit(word.data[word.size - n - 1]))
		n++;
	return n;
}

static int
small_number(const char *digits, size_t count)
{
	int v = 0;

	for (size_t i = 0; i < count; i++)
		v = v < 100000 ? v * 10 + (digits[i] - '0') : v;
	return v;
}

const struct kind_row *
kind_find(enum suppress_syntax syntax, struct text word, int *size)
{
	size_t digits = digits_behind(word);
	struct text stem = { word.data, word.size - digits };

	*size = 0;
	/* Older versions of valgrind wrote Value0 instead of Cond. */
	if (syntax == SUPPRESS_VALGRIND && text_equal(word, TEXT_LITERAL("Value0"))) {
		word = TEXT_LITERAL("Cond");
		digits = 0;
	}
	for (size_t i = 0; i < ROWS; i++) {
		if (rows[i].syntax != syntax)
			continue;
		if (!rows[i].sized && text_equal(word, text_from(rows[i].word)))
			return &rows[i];
		if (rows[i].sized && digits && text_equal(stem, text_from(rows[i].word))) {
			*size = small_number(word.data + stem.size, digits);
			return &rows[i];
		}
	}
	return NULL;
}

/* Indexed by the bits of enum suppress_leak_kind. */
static const char *const leak_words[] = { "definite", "indirect", "possible", "reachable" };

enum {
	LEAK_WORDS = sizeof(leak_words) / sizeof(leak_words[0])
};

unsigned
kind_leak_bits(struct text k)
{
	if (text_equal(k, TEXT_LITERAL("direct")))
		return LEAK_DEFINITE;
	for (size_t i = 0; i < LEAK_WORDS; i++)
		if (text_equal(k, text_from(leak_words[i])))
			return 1U << i;
	return LEAK_ALL;
}

static struct text
find_piece(struct text in, struct text piece)
{
	size_t at = text_find_text(in, piece);

	return at == TEXT_NOT_FOUND ? TEXT_NULL : text_from_at(in, at + piece.size);
}

/* The number in "Invalid read of size 4"; 0 if unknown. */
static int
size_told(struct text what)
{
	struct text rest = find_piece(what, TEXT_LITERAL(" of size "));
	size_t n = 0;

	while (n < rest.size && char_is_digit(rest.data[n]))
		n++;
	return small_number(rest.data, n);
}

/* The parameter in "Syscall param write(buf) points to uninitialised byte(s)" and "Argument 'size'
 * of function malloc has a fishy ...". */
static struct text
quoted_name(struct arena *a, struct text what)
{
	struct text rest = find_piece(what, TEXT_LITERAL("Syscall param "));
	struct text behind;
	size_t n;

	if (!text_is_null(rest)) {
		behind = find_piece(rest, TEXT_LITERAL(" points "));
		if (text_is_null(behind))
			behind = find_piece(rest, TEXT_LITERAL(" contains "));
		n = text_is_null(behind) ? rest.size : (size_t)(behind.data - rest.data);
		for (size_t i = 0; i < n; i++)
			if (rest.data[i] == ' ')
				return (struct text){ rest.data, i };
		return (struct text){ rest.data, n };
	}
	rest = find_piece(what, TEXT_LITERAL("Argument '"));
	behind = find_piece(rest, TEXT_LITERAL("' of function "));
	if (text_is_null(rest) || text_is_null(behind))
		return TEXT_NULL;
	n = 0;
	while (n < behind.size && behind.data[n] != ' ')
		n++;
	rest.size = (size_t)(behind.data - rest.data) - strlen("' of function ");
	return text_from(
		arena_printf(a, "%.*s(%.*s)", (int)n, behind.data, (int)rest.size, rest.data));
}

static bool
key_listed(const char *globs, const char *key)
{
	char glob[KEY_BYTES];

	while (*globs) {
		size_t n = strcspn(globs, " ");

		snprintf(glob, sizeof(glob), "%.*s", (int)n, globs);
		if (n && text_glob(text_from(key), glob))
			return true;
		globs += n + (globs[n] == ' ');
	}
	return false;
}

static bool
error_listed(const struct kind_row *row, const struct suppress_subject *subject)
{
	char name[KEY_BYTES], what[KEY_BYTES];

	kind_key(subject->kind, name, sizeof(name));
	kind_key(subject->what, what, sizeof(what));
	return key_listed(row->errors, name) || (*what && key_listed(row->errors, what));
}

/* For a kind without a row in the table: returns whether the subject's error has the entry's kind, which is written as
 * TOOL:NAME or NAME. */
static bool
same_name(const struct suppression *s, const struct suppress_subject *subject)
{
	const char *colon = memchr(s->kind.data, ':', s->kind.size);
	struct text word = s->kind;
	char mine[KEY_BYTES], its[KEY_BYTES];

	if (colon)
		word = (struct text){ colon + 1,
			s->kind.size - (size_t)(colon + 1 - s->kind.data) };
	kind_key(word, mine, sizeof(mine));
	kind_key(subject->kind, its, sizeof(its));
	return *mine && strcmp(mine, its) == 0;
}

/* Rounds a size up to the next size for which valgrind has a kind, such as 4 for Addr4. */
static int
known_size(int size)
{
	return size > 16 ? 32 : size > 8 ? 16 : size > 4 ? 8 : size > 2 ? 4 : size > 1 ? 2 : 1;
}

bool
kind_fits(const struct suppression *s, const struct suppress_subject *subject)
{
	const struct kind_row *row = s->of;
	struct arena a = ARENA_INIT;
	struct text name;
	bool fits;
	int size;

	if (!row)
		return !subject->is_leak && same_name(s, subject);
	if (row->leak)
		return subject->is_leak && (s->leak_kinds & kind_leak_bits(subject->kind));
	if (subject->is_leak || !error_listed(row, subject))
		return false;
	if (row->sized) {
		size = size_told(subject->what);
		return !size || size == s->size || known_size(size) == s->size;
	}
	if (!row->extra || text_is_null(s->extra))
		return true;
	name = quoted_name(&a, subject->what);
	fits = text_is_null(name) || text_equal(name, s->extra);
	arena_release(&a);
	return fits;
}

static void
write_word(char kind[128], const char *tool, const char *word)
{
	snprintf(kind, 128, "%s:%s", tool, word);
}

static void
write_leak(const struct suppress_subject *subject, char kind[128], char extra[1024])
{
	unsigned bits = kind_leak_bits(subject->kind);

	write_word(kind, "Memcheck", "Leak");
	snprintf(extra, 1024, "match-leak-kinds: all");
	for (size_t i = 0; i < LEAK_WORDS; i++)
		if (bits == 1U << i)
			snprintf(extra, 1024, "match-leak-kinds: %s", leak_words[i]);
}

/* Returns the part of valgrind that reports errors of this kind: DRD, Helgrind, the core (file descriptors) or, for
 * any other kind, memcheck. */
static const char *
tool_of(const char *key)
{
	static const char drd[] = "conflictingaccess mutexerr conderr conddestrerr condraceerr "
				  "condwaiterr semaphoreerr barriererr rwlockerr holdtimeerr "
				  "genericerr";
	static const char helgrind[] = "race datarace* unlockunlocked unlockforeign unlockbogus "
				       "pthapierror lockorder* misc dubious";

	if (key_listed(drd, key))
		return "drd";
	if (key_listed(helgrind, key))
		return "Helgrind";
	return strncmp(key, "fd", 2) == 0 ? "CoreError" : "Memcheck";
}

/* The kinds that valgrind's tools use, from their manuals and sources. */
static const struct {
	const char *tool, *kinds;
} tools[] = {
	{ "memcheck", "Leak Addr1 Addr2 Addr4 Addr8 Addr16 Addr32 Cond Value0 Value1 Value2 Value4 "
		      "Value8 Value16 Value32 Param User Jump Free Overlap Mempool FishyValue "
		      "ReallocZero BadAlign BadSize SizeMismatch AlignMismatch CoreMem" },
	{ "helgrind",
		"Race LockOrder PthAPIerror UnlockUnlocked UnlockForeign UnlockBogus FreeMemLock "
		"Dubious Misc" },
	{ "drd", "ConflictingAccess MutexErr CondErr CondDestrErr CondRaceErr CondWaitErr "
		 "SemaphoreErr BarrierErr RwlockErr HoldtimeErr GenericErr" },
};

static bool
word_listed(const char *words, struct text word)
{
	while (*words) {
		size_t n = strcspn(words, " ");

		if (n == word.size && memcmp(words, word.data, n) == 0)
			return true;
		words += n + (words[n] == ' ');
	}
	return false;
}

bool
kind_known(struct text tool_list, struct text word, const char **kinds)
{
	char tool[KEY_BYTES];
	struct text name;

	*kinds = NULL;
	while (suppress_next_word(&tool_list, &name)) {
		bool of_valgrind = false;

		kind_key(name, tool, sizeof(tool));
		for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
			if (strcmp(tools[i].tool, tool) != 0)
				continue;
			if (word_listed(tools[i].kinds, word))
				return true;
			of_valgrind = true;
			*kinds = tools[i].kinds;
		}
		/* For other tools, any kind is accepted. */
		if (!of_valgrind)
			return true;
	}
	return false;
}

void
kind_write_valgrind(const struct suppress_subject *subject, char kind[128], char extra[1024])
{
	struct arena a = ARENA_INIT;
	char key[KEY_BYTES], word[100];
	const char *kinds;
	struct text name;

	*extra = '\0';
	if (subject->is_leak) {
		write_leak(subject, kind, extra);
		return;
	}
	kind_key(subject->kind, key, sizeof(key));
	for (size_t i = 0; i < ROWS && rows[i].syntax == SUPPRESS_VALGRIND; i++) {
		if (rows[i].leak || !error_listed(&rows[i], subject))
			continue;
		snprintf(word, sizeof(word), "%s", rows[i].word);
		if (rows[i].sized)
			snprintf(word, sizeof(word), "%s%d", rows[i].word,
				known_size(size_told(subject->what)));
		name = rows[i].extra ? quoted_name(&a, subject->what) : TEXT_NULL;
		if (name.size)
			snprintf(extra, 1024, "%.*s", text_precision(name, 1000), name.data);
		/* Helgrind's kind for a race is "Race"; DRD's kind is "ConflictingAccess". */
		if (strcmp(rows[i].word, "Race") == 0 && strcmp(key, "conflictingaccess") == 0)
			snprintf(word, sizeof(word), "ConflictingAccess");
		write_word(kind, tool_of(key), word);
		arena_release(&a);
		return;
	}
	/* Keep only letters and digits, because other characters could end the line. */
	plain_word(subject->kind, word, sizeof(word));
	if (!*word)
		snprintf(word, sizeof(word), "Misc");
	write_word(kind, tool_of(key), word);
	name = text_from(kind);
	name.size -= strlen(word) + 1;
	/* For a kind that no valgrind tool reports, name profdepot as the tool. */
	if (!kind_known(name, text_from(word), &kinds))
		write_word(kind, "profdepot", word);
	arena_release(&a);
}

/* Returns whether AddressSanitizer reported the error. ThreadSanitizer reports errors with the same
 * name, but describes them in other words. */
static bool
is_about_address(struct text what)
{
	return !text_is_null(find_piece(what, TEXT_LITERAL(" on address 0x")));
}

/* Returns whether AddressSanitizer can suppress the error by the name of the accessing function. */
static bool
is_memory_error(const struct suppress_subject *subject)
{
	static const struct kind_row row = {
		.errors =
			ADDRESS_ERRORS " overlap *paramoverlap* *rangesoverlap* negativesizeparam*"
	};

	return !subject->is_leak && error_listed(&row, subject);
}

const struct kind_row *
kind_write_sanitizer(const struct suppress_subject *subject, bool intercepted, char kind[128])
{
	bool of_memory = is_memory_error(subject);
	int size;

	if (of_memory && intercepted) {
		snprintf(kind, 128, "interceptor_via_fun");
		return kind_find(SUPPRESS_SANITIZER, text_from(kind), &size);
	}
	for (size_t i = 0; i < ROWS; i++) {
		const struct kind_row *row = &rows[i];

		if (row->syntax != SUPPRESS_SANITIZER || row->leak != subject->is_leak ||
			row->scope == SCOPE_DESCRIPTION || strcmp(row->errors, "*") == 0 ||
			(!row->leak && !error_listed(row, subject)) ||
			(of_memory && is_about_address(subject->what)))
			continue;
		snprintf(kind, 128, "%s", row->word);
		return row;
	}
	return NULL;
}
