/* Tests CODEOWNERS files: their syntax, the paths that profilers report, and the speed of look-ups. */
#include "analysis/owners.h"

#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

static const char *
look_up(struct arena *a, const char *file, const char *path)
{
	struct error err = ERROR_INIT;
	struct owners *o = owners_parse(a, "CODEOWNERS", text_from(file), &err);
	struct text t;

	if (!o)
		fail_msg("%s", err.message);
	t = owners_of(o, a, text_from(path));
	return text_is_null(t) ? "none" : arena_strndup(a, t.data, t.size);
}

static void
owned(const char *file, const char *path, const char *expected)
{
	struct arena a = ARENA_INIT;
	const char *found = look_up(&a, file, path);

	if (strcmp(found, expected) != 0)
		fail_msg("%s: %s instead of %s", path, found, expected);
	arena_release(&a);
}

/* Returns whether the pattern matches a path that starts at the repository's root. */
static bool
matches(const char *pattern, const char *path)
{
	struct arena a = ARENA_INIT;
	bool found = strcmp(look_up(&a, arena_printf(&a, "%s @x\n", pattern), path), "@x") == 0;

	arena_release(&a);
	return found;
}

static void
test_rules(void **state)
{
	(void)state;
	owned("", "src/a.c", "none");
	owned("# nothing\n\n   \n  # more\n", "src/a.c", "none");
	owned("* @all\n/src/ @src\n", "src/a.c", "@src");
	owned("/src/ @src\n* @all\n", "src/a.c", "@all");
	owned("* @all\n/src/gen/\n", "src/gen/a.c", "none");
	owned("* @all\n/src/gen/ # made by a tool\n", "src/gen/a.c", "none");
	owned("*\t@a   @org/team\tme@example.org  # @b\n", "x/y.c", "@a @org/team me@example.org");
	owned("\xEF\xBB\xBF* @a\r\n*.h @b\r\n", "x/y.c", "@a");
	owned("* @@maintainer", "x/y.c", "@@maintainer");
	owned("a#b.c @a", "x/a#b.c", "@a");
	owned("*.c @a #\n*.h @b # no\n", "x/y.h", "@b");
}

static void
test_patterns(void **state)
{
	(void)state;
	/* At any depth, or anchored. */
	assert_true(matches("*", "a/b/c.c"));
	assert_true(matches("*.c", "a/b/c.c"));
	assert_false(matches("*.c", "a/b/c.cc"));
	assert_true(matches("c.c", "a/b/c.c"));
	assert_true(matches("b", "a/b/c.c"));
	assert_true(matches("b/", "a/b/c.c"));
	assert_false(matches("c.c/", "a/b/c.c"));
	assert_false(matches("/b/", "a/b/c.c"));
	assert_true(matches("/a", "a/b/c.c"));
	assert_true(matches("a/b", "a/b/c.c"));
	assert_false(matches("b/c.c", "a/b/c.c"));
	/* A final * matches files only. */
	assert_true(matches("/a/b/*", "a/b/c.c"));
	assert_false(matches("/a/*", "a/b/c.c"));
	assert_true(matches("/a/*/", "a/b/c.c"));
	assert_false(matches("/*", "a/c.c"));
	assert_true(matches("/a/b*", "a/bc/c.c"));
	/* ** matches any number of folders. */
	assert_true(matches("**", "a/b/c.c"));
	assert_true(matches("/**", "a/b/c.c"));
	assert_true(matches("**/c.c", "a/b/c.c"));
	assert_true(matches("**/b/c.c", "a/b/c.c"));
	assert_true(matches("/**/c.c", "a/b/c.c"));
	assert_true(matches("/a/**", "a/b/c.c"));
	assert_false(matches("/a/b/c.c/**", "a/b/c.c"));
	assert_true(matches("/a/**/", "a/b/c.c"));
	assert_false(matches("/a/**/", "a/c.c"));
	assert_true(matches("/a/**/c.c", "a/c.c"));
	assert_true(matches("/a/**/c.c", "a/x/y/c.c"));
	assert_true(matches("/a/**/*", "a/x/y/c.c"));
	assert_true(matches("/a/**/b/**/*.c", "a/b/x/b/y/c.c"));
	assert_false(matches("/a/**/b/*.c", "a/b/x/c.c"));
	assert_true(matches("/a/**/b/*.c", "a/b/x/b/c.c"));
	assert_true(matches("**/**/c.c", "a/b/c.c"));
	/* Wildcards within a name. */
	assert_true(matches("/a/?.c", "a/b.c"));
	assert_true(matches("/a/?.c", "a/\xC3\xA4.c"));
	assert_false(matches("/a/?.c", "a/bb.c"));
	assert_true(matches("/a/x*y*z.c", "a/xyyzyz.c"));
	assert_false(matches("/a/x*y*z.c", "a/xyyzyz.cc"));
	assert_true(matches("/a/**b.c", "a/aab.c"));
	assert_true(matches("test_*.c", "a/test_1.c"));
	assert_true(matches("Makefile*", "a/Makefile"));
	/* Escapes. */
	assert_true(matches("my\\ file.c", "a/my file.c"));
	assert_true(matches("\\#x.c", "a/#x.c"));
	assert_true(matches("\\!x.c", "a/!x.c"));
	assert_true(matches("\\[x\\].c", "a/[x].c"));
	assert_true(matches("\\*.c", "a/*.c"));
	assert_false(matches("\\*.c", "a/b.c"));
	assert_true(matches("?\\?.c", "a/b?.c"));
	/* Matching is case-sensitive. */
	assert_false(matches("A.c", "x/a.c"));
}

/* The paths that profilers report. */
static void
test_paths(void **state)
{
	static const char file[] = "* @all\n/src/ @src\n/src/ui/ @ui\n/lib/ @lib\n/*.c @top\n"
				   "/main.c @main\nthird_party/ @other\n";

	(void)state;
	owned(file, "/home/ci/build-7/src/shop/cart.c", "@src");
	owned(file, "/home/ci/build-7/src/ui/form.c", "@ui");
	owned(file, "../src/x.c", "@src");
	owned(file, "../../x/../src/./ui//x.c", "@ui");
	owned(file, "./src/x.c", "@src");
	owned(file, "C:\\build\\src\\ui\\Form.pas", "@ui");
	owned(file, "c:\\build\\SRC\\UI\\FORM.PAS", "@ui");
	owned(file, "src\\UI\\Form.pas", "@ui");
	owned(file, "C:/build/src/x.c", "@src");
	owned(file, "\\\\server\\share\\src\\x.c", "@src");
	owned(file, "file:///home/ci/src/x.js", "@src");
	owned(file, "webpack://shop/./src/ui/x.ts", "@ui");
	/* The first folder that can be the root is chosen. Names of folders above the root match nothing. */
	owned(file, "/home/ci/src/lib/x.c", "@src");
	owned(file, "/third_party/src/x.c", "@src");
	owned(file, "/third_party/x/x.c", "@other");
	owned(file, "third_party/src/x.c", "@other");
	/* An anchored rule with a wildcard is not used to find the root. */
	owned(file, "/home/ci/x/shop.c", "@all");
	owned(file, "/home/ci/x/main.c", "@main");
	owned("/*.c @top\n/src/*.c @src\n", "/b/src/x.c", "@src");
	owned("/src/ @src\n/*/ui/ @ui\n", "/b/src/ui/x.c", "@ui");
	owned("/*/ui/ @ui\n", "/b/src/ui/x.c", "none");
	/* Bare file names, and paths without a name. */
	owned(file, "shop.c", "@all");
	owned(file, "main.c", "@main");
	owned("*.c @c\nshop.h @h\n/src/ @src\nsrc/shop.c @deep", "shop.c", "@c");
	owned("*.c @c\nshop.h @h\n", "./shop.h", "@h");
	owned("*.c @c\nshop.h @h\n", "SHOP.H", "none");
	owned("* @all", "", "none");
	owned("* @all", "/", "none");
	owned("* @all", NULL, "none");
	owned("* @all", "../..", "none");
}

static void
test_sections(void **state)
{
	static const char file[] = "* @all\n[Docs] @writers\n*.md\ndocs/gen/ @gen\n"
				   "^[Shop Code][2] @shop @org/shop # two\n/src/shop/\n"
				   "[docs]\n/src/README.md @all @me\n[Empty]\n*.c\n";

	(void)state;
	owned(file, "src/x.c", "@all");
	owned(file, "src/shop/x.c", "@all @shop @org/shop");
	owned(file, "x/a.md", "@all @writers");
	owned(file, "src/README.md", "@all @me");
	/* Without a slash at the beginning, a pattern of GitLab matches at any depth. */
	owned(file, "x/docs/gen/a.c", "@all @gen");
	owned("[A]\n*.c @a @b\n[B]\n*.c @b @a @c\n[C]\n*.c\n", "x/a.c", "@a @b @c");
}

static void
refused(const char *content, size_t size, const char *expected)
{
	struct arena a = ARENA_INIT;
	struct error err = ERROR_INIT;

	assert_null(owners_parse(&a, "F", (struct text){ content, size }, &err));
	assert_int_equal(err.code, ERROR_INPUT);
	assert_string_equal(err.message, expected);
	arena_release(&a);
}

#define REFUSED(content, expected) refused(content, sizeof(content) - 1, expected)

static void
test_refused(void **state)
{
	(void)state;
	REFUSED("* @a\n!x.c @b\n", "F:2: a pattern that begins with \"!\": \"!x.c\"");
	REFUSED("x[a-z].c @a", "F:1: a pattern with a range of characters: \"x[a-z].c\"");
	REFUSED("x\\\\[a].c @a", "F:1: a pattern with a range of characters: \"x\\\\[a].c\"");
	REFUSED("[ab].c @a", "F:1: not a section: \"[ab].c @a\"");
	REFUSED("\n\n[Shop @a", "F:3: not a section: \"[Shop @a\"");
	REFUSED("[] @a", "F:1: not a section: \"[] @a\"");
	REFUSED("[A][x] @a", "F:1: not a section: \"[A][x] @a\"");
	REFUSED("my file.c @a", "F:1: not an owner: \"file.c\"");
	REFUSED("x.c me@\\ x", "F:1: not an owner: \"me@\\ x\"");
	REFUSED("x.c @", "F:1: not an owner: \"@\"");
	REFUSED("[A] me", "F:1: not an owner: \"me\"");
	REFUSED("/ @a", "F:1: a pattern without a name: \"/\"");
	REFUSED("x\\", "F:1: a pattern that ends with a backslash: \"x\\\"");
	REFUSED("*.c @a\x01", "F:1: a control character");
	REFUSED("#\0", "F:1: a control character");
	REFUSED("*.c @\xFF", "F:1: a line that is not UTF-8");
}

static void
test_limits(void **state)
{
	struct strbuf b = STRBUF_INIT(OWNERS_MAX_FILE_BYTES + 1);

	(void)state;
	for (size_t i = 0; i <= OWNERS_MAX_LINE_BYTES; i++)
		strbuf_append_char(&b, 'a');
	refused(b.data, b.size, "F:1: a line of more than 8 KiB");
	strbuf_reset(&b);
	for (size_t i = 0; i <= OWNERS_MAX_RULES; i++)
		strbuf_append_str(&b, "a @b\n");
	refused(b.data, b.size, "F:100001: more than 100,000 rules");
	strbuf_reset(&b);
	for (int i = 0; i < OWNERS_MAX_SECTIONS; i++)
		strbuf_printf(&b, "[%d]\n", i);
	refused(b.data, b.size, "F:1000: more than 999 sections");
	strbuf_reset(&b);
	while (b.size <= OWNERS_MAX_FILE_BYTES)
		strbuf_append_char(&b, '\n');
	refused(b.data, b.size, "F: more than 3 MiB");
	strbuf_reset(&b);
	for (size_t i = 0; i < OWNERS_MAX_PATH_NAMES; i++)
		strbuf_append_str(&b, "/a");
	owned("* @a", b.data, "@a");
	strbuf_append_str(&b, "/a");
	owned("* @a", b.data, "none");
	strbuf_release(&b);
}

/* --- speed ----------------------------------------------------------------------------------- */

static double
seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 1,000 rules as in a large project, most of them below the same folder. */
static void
write_rules(struct strbuf *b)
{
	strbuf_append_str(b, "* @all\n*.md @writers\n");
	for (int i = 0; i < 998; i++)
		strbuf_printf(b,
			i % 10 == 0   ? "test_%d_*.c @test-%d\n"
			: i % 10 == 1 ? "**/part_%d/**/*.c @part-%d\n"
				      : "/src/module_%d/ @team-%d\n",
			i, i);
}

static void
test_speed(void **state)
{
	struct arena a = ARENA_INIT, work = ARENA_INIT;
	struct strbuf b = STRBUF_INIT(OWNERS_MAX_FILE_BYTES);
	struct error err = ERROR_INIT;
	struct text paths[1000];
	struct owners *o;
	size_t found = 0;
	double begin, seconds;

	(void)state;
	write_rules(&b);
	o = owners_parse(&a, "F", strbuf_text(&b), &err);
	assert_non_null(o);
	assert_int_equal(owners_count(o), 1000);
	for (int i = 0; i < 1000; i++)
		paths[i] = text_from(arena_printf(
			&a, "/home/ci/work/build-7/shop/src/module_%d/model/file_%d.c", i, i));
	begin = seconds_now();
	for (size_t i = 0; i < 100000; i++)
		found += text_begins(owners_of(o, &work, paths[i % 1000]), "@team-");
	seconds = seconds_now() - begin;
	print_message("100,000 look-ups in 1,000 rules: %.3f s\n", seconds);
	assert_int_equal(found, 79800);
	assert_int_equal(work.total, 0);
	strbuf_release(&b);
	arena_release(&work);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_patterns),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_speed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
