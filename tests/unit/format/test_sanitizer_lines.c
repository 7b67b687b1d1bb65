/* Tests parsing of lines in sanitizer reports: frames, prefixes added by logs, heads and parts. */
#include "format/sanitizer/sanitizer_private.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ASSERT_TEXT(t, s) \
	do { \
		assert_int_equal((t).size, strlen(s)); \
		assert_memory_equal((t).size ? (t).data : "", s, (t).size); \
	} while (0)

struct frame_case {
	const char *line, *function, *file, *module;
	int64_t at;
	uint64_t address;
};

static const struct frame_case frames[] = {
	{ "#0 0x55d in f x.c:3", "f", "x.c", "", 3, 0x55d },
	{ "#1 0x55d in f(int, char const*) /src/a b.cpp:11:5", "f(int, char const*)",
		"/src/a b.cpp", "", 11, 0x55d },
	{ "#2 0x55d in ns::Box<int>::operator()(int) const /src/a.cpp:11",
		"ns::Box<int>::operator()(int) const", "/src/a.cpp", "", 11, 0x55d },
	{ "#3 0x55d in std::operator<<(std::ostream&, a) ../x.h:1",
		"std::operator<<(std::ostream&, a)", "../x.h", "", 1, 0x55d },
	{ "#4 0x55d in operator new[](unsigned long) (/opt/my (x86)/app+0x12) (BuildId: 83d8)",
		"operator new[](unsigned long)", "", "/opt/my (x86)/app", MODEL_NULL, 0x12 },
	{ "#5 0x55d  (/lib/libc.so.6+0x27249)", "", "", "/lib/libc.so.6", MODEL_NULL, 0x27249 },
	{ "#6 main /srv/race.c:6:19 (race_tsan+0x140b) (BuildId: 80)", "main", "/srv/race.c",
		"race_tsan", 6, 0x140b },
	{ "#7 pthread_create <null> (ts_clang+0x5341d)", "pthread_create", "", "ts_clang",
		MODEL_NULL, 0x5341d },
	{ "#8 <null> <null> (m+0x1)", "", "", "m", MODEL_NULL, 1 },
	{ "#9 run(void* (*)(void*), int) nptl/x.c:17 (m+0x1)", "run(void* (*)(void*), int)",
		"nptl/x.c", "m", 17, 1 },
	{ "#10 __tsan::H(int) tsan_posix.cpp.o (m+0x1)", "__tsan::H(int)", "tsan_posix.cpp.o", "m",
		MODEL_NULL, 1 },
	{ "#11 0x5 in void f<char const*>(char const*) [clone .isra.0] (m+0x1)",
		"void f<char const*>(char const*) [clone .isra.0]", "", "m", MODEL_NULL, 1 },
	{ "#12 0x5 in auto f() -> int C:\\a b\\x.cpp:4", "auto f() -> int", "C:\\a b\\x.cpp", "", 4,
		5 },
	{ "#13 0x5 /src/x.c:3", "", "/src/x.c", "", 3, 5 },
	{ "#14 0x5 f /src/x.c:3", "f", "/src/x.c", "", 3, 5 },
	{ "#15 0x5 in f (<unknown module>)", "f", "", "", MODEL_NULL, 5 },
	{ "#15 0x1000151c1 in start+0x1d1 (dyld:x86_64+0x51c1) (BuildId: 28fd)", "start", "",
		"dyld", MODEL_NULL, 0x51c1 },
	{ "#15 0x75f3 in wrap_malloc+0x18 (C:\\a b\\x.dll+0x6b)", "wrap_malloc", "",
		"C:\\a b\\x.dll", MODEL_NULL, 0x6b },
	{ "#15 0x5 in a::operator+0x x.c:3", "a::operator+0x", "x.c", "", 3, 5 },
	{ "#16 0x5 in f x.c:99999999999", "f x.c:99999999999", "", "", MODEL_NULL, 5 },
	{ "#17 0xfffffffffffffffff in f", "0xfffffffffffffffff in f", "", "", MODEL_NULL, 0 },
};

static void
test_frames(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		const struct frame_case *c = &frames[i];
		struct text build_id;
		struct frame f;
		uint64_t pc;

		assert_true(sanitizer_frame(text_from(c->line), &f, &build_id, &pc));
		ASSERT_TEXT(f.module, c->module);
		assert_int_equal(f.address, c->address);
		if (i >= 19) /* the last cases compare only the module and the address */
			continue;
		ASSERT_TEXT(f.function, c->function);
		ASSERT_TEXT(f.file, c->file);
		assert_int_equal(f.line > 0 ? f.line : MODEL_NULL, c->at);
	}
}

static const char *const no_frames[] = { "", "#", "#x", "#1", "#1x", "# 1 0x5",
	"#99999999999 0x1 in f", "#99999999999999999999999 f" };

static void
test_no_frames(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(no_frames) / sizeof(no_frames[0]); i++) {
		struct text build_id;
		struct frame f;
		uint64_t pc;

		assert_false(sanitizer_frame(text_from(no_frames[i]), &f, &build_id, &pc));
	}
}

/* `content` is NULL if the line's prefix belongs to a different stream than `prefix`. */
struct prefix_case {
	const char *prefix, *line, *content;
};

static const struct prefix_case prefixes[] = {
	{ "", "    #0 0x1", "    #0 0x1" },
	{ "2026-01-02T03:04:05.678Z ", "2026-01-02T03:04:06.1Z     #0 0x1", "    #0 0x1" },
	{ "[12:34:56] ", "[12:34:57]   Previous", "  Previous" },
	{ "[   99s] ", "[  100s]   Previous", "  Previous" },
	{ "[   99s] ", "[1000.5s]   x", "  x" },
	{ "[   99s] ", "[seconds] x", NULL },
	{ "[    5.123456] ", "[  123.1]  x", " x" },
	{ "12: ", "12:     #0", "    #0" },
	{ "12: ", "13:     #0", NULL },
	{ "12: ", "12:", "" },
	{ "web_1  | ", "web_1  |  x", " x" },
	{ "web_1  | ", "db_1   |  x", NULL },
	{ "2026-01-02 03:04:05,678 [7/90] a: ", "2026-01-02 03:04:06,000 [8/90] a: b", "b" },
	{ "[12:34:56] ", "no time here", NULL },
};

static void
test_prefixes(void **state)
{
	struct strbuf pattern = STRBUF_INIT(1024);

	(void)state;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		const struct prefix_case *c = &prefixes[i];
		struct text content;
		bool matches;

		log_prefix_make(&pattern, text_from(c->prefix));
		matches = log_prefix_match(strbuf_text(&pattern), text_from(c->line), &content);
		assert_int_equal(matches, c->content != NULL);
		if (c->content)
			ASSERT_TEXT(content, c->content);
	}
	strbuf_release(&pattern);
}

struct head_case {
	const char *line;
	enum head_kind kind;
	const char *bug, *place;
	size_t start;
	uint64_t pid;
};

static const struct head_case heads[] = {
	{ "==5==ERROR: AddressSanitizer: heap-use-after-free on address 0x1", HEAD_REPORT,
		"heap-use-after-free", "", 0, 5 },
	{ "12: ==5== ERROR: AddressSanitizer: SEGV on unknown address", HEAD_REPORT, "SEGV", "", 4,
		5 },
	{ "==5==ERROR: AddressSanitizer: attempting free on address which was not malloc()-ed: 0x1",
		HEAD_REPORT, "bad-free", "", 0, 5 },
	{ "==5==ERROR: LeakSanitizer: detected memory leaks", HEAD_LEAKS, "detected", "", 0, 5 },
	{ "[1] WARNING: ThreadSanitizer: data race (pid=7)", HEAD_REPORT, "data race", "", 4, 7 },
	{ "==5==WARNING: MemorySanitizer: use-of-uninitialized-value", HEAD_REPORT,
		"use-of-uninitialized-value", "", 0, 5 },
	{ "==5==FATAL: ThreadSanitizer: unexpected memory mapping", HEAD_REPORT, "fatal", "", 0,
		5 },
	{ "WARNING: AddressSanitizer: no process", HEAD_NONE, NULL, "", 0, 0 },
	{ "SUMMARY: AddressSanitizer: SEGV x.c:1 in f", HEAD_SUMMARY, NULL, "", 0, 0 },
	{ "ThreadSanitizer: reported 2 warnings", HEAD_COUNT, NULL, "", 0, 0 },
	{ "ThreadSanitizer: Matched 2 suppressions (pid=9):", HEAD_MATCHED, NULL, "", 0, 9 },
	{ "Suppressions used:", HEAD_SUPPRESSED, NULL, "", 0, 0 },
	{ "a b | x.c:1:2: runtime error: division by zero", HEAD_UNDEFINED,
		"integer-divide-by-zero", "x.c:1:2", 6, 0 },
	{ "[12:34:56] 7: /a b/x.c:1:2: runtime error: load of null pointer of type 'int'",
		HEAD_UNDEFINED, "null-pointer-use", "/a b/x.c:1:2", 14, 0 },
	{ "panic: runtime error: index out of range", HEAD_NONE, NULL, "", 0, 0 },
	{ "AddressSanitizer:DEADLYSIGNAL", HEAD_NONE, NULL, "", 0, 0 },
};

static void
test_heads(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		const struct head_case *c = &heads[i];
		struct head h;

		sanitizer_head(text_from(c->line), &h);
		assert_int_equal(h.kind, c->kind);
		if (c->kind == HEAD_NONE)
			continue;
		assert_true(sanitizer_may_be_head(text_from(c->line)));
		assert_int_equal(h.start, c->start);
		assert_int_equal(h.has_pid, c->pid != 0);
		assert_int_equal(h.pid, c->pid);
		if (c->bug)
			ASSERT_TEXT(sanitizer_bug(&h), c->bug);
		ASSERT_TEXT(h.place, c->place);
	}
}

struct thread_case {
	const char *text;
	bool found;
	uint64_t number;
	const char *name;
};

static const struct thread_case threads[] = {
	{ "READ of size 4 at 0x1 thread T3", true, 3, "" },
	{ "freed by thread T12 (worker one) here:", true, 12, "worker one" },
	{ "  Write of size 4 by thread T2 (mutexes: write M0):", true, 2, "" },
	{ "by main thread:", true, 0, "" },
	{ "SEGV on unknown address 0x0 (pc 0x1 bp 0x2 sp 0x3 T7)", true, 7, "" },
	{ "thread leak (pid=1)", false, 0, "" },
	{ "thread T99999999999999999999999", false, 0, "" },
};

static void
test_threads(void **state)
{
	struct named_thread t;

	(void)state;
	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
		assert_int_equal(
			sanitizer_thread(text_from(threads[i].text), &t), threads[i].found);
		if (!threads[i].found)
			continue;
		assert_int_equal(t.number, threads[i].number);
		ASSERT_TEXT(t.name, threads[i].name);
	}
	assert_true(sanitizer_created_thread(
		TEXT_LITERAL("Thread T1 'a b' (tid=5, running) created by thread T2 at:"), &t));
	assert_int_equal(t.number, 1);
	ASSERT_TEXT(t.name, "a b");
}

static void
test_colours(void **state)
{
	struct strbuf plain = STRBUF_INIT(1024);

	(void)state;
	ASSERT_TEXT(sanitizer_plain(&plain, TEXT_LITERAL("\x1b[1m\x1b[31m==1==\x1b[0m")), "==1==");
	ASSERT_TEXT(sanitizer_plain(&plain, TEXT_LITERAL("a\x1b")), "a");
	ASSERT_TEXT(sanitizer_plain(&plain, TEXT_LITERAL("a\x1b[1;2")), "a");
	ASSERT_TEXT(sanitizer_plain(&plain, TEXT_LITERAL("a\x1b[1\xc3\xa4")), "a\xc3\xa4");
	strbuf_release(&plain);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_no_frames),
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_heads),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_colours),
	};

	return cmocka_run_group_tests_name("sanitizer_lines", tests, NULL, NULL);
}
