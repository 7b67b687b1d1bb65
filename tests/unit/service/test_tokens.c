/* Tests token files: lines, scopes, permissions, and changes while a server runs. */
#include "service/tokens.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];
static char path[80];
static const char digits[] = "0000000000000000000000000000000000000000000000000000000000000000";

static int
set_up(void **state)
{
	const char *parent = getenv("TMPDIR");

	(void)state;
	snprintf(folder, sizeof(folder), "%.40s/tokens.XXXXXX", parent ? parent : "/tmp");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/tokens", folder);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

static void
write_file(const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	assert_int_equal(chmod(path, 0600), 0);
}

static void
read_file(char *out, size_t size)
{
	FILE *f = fopen(path, "r");
	size_t n;

	assert_non_null(f);
	n = fread(out, 1, size - 1, f);
	out[n] = '\0';
	fclose(f);
}

static void
assert_refused(const char *text, const char *says)
{
	struct error err = ERROR_INIT;

	write_file(text);
	assert_null(tokens_open(path, &err));
	assert_int_equal(err.code, ERROR_USAGE);
	assert_non_null(strstr(err.message, says));
}

/* Checks that the line made of `before`, the digits of a hash, and `after` is refused. */
static void
assert_line_refused(const char *before, const char *after, const char *says)
{
	char line[400];

	snprintf(line, sizeof(line), "%s%s%s\n", before, digits, after);
	assert_refused(line, says);
}

static void
test_lines(void **state)
{
	char line[400];
	struct error err = ERROR_INIT;
	struct tokens *t;

	(void)state;
	snprintf(line, sizeof(line), "# team\n\n  a\tread,ingest never %s\nb admin 2020-01-31 %s",
		digits, digits);
	write_file(line);
	t = tokens_open(path, &err);
	assert_non_null(t);
	assert_int_equal(tokens_count(t), 2);
	assert_string_equal(tokens_at(t, 0)->name, "a");
	assert_int_equal(tokens_at(t, 0)->scopes, TOKEN_READ | TOKEN_INGEST);
	assert_string_equal(tokens_at(t, 1)->expiry, "2020-01-31");
	tokens_free(t);
	assert_refused("x\n", "line 1 is not");
	assert_line_refused("\na reed never ", "", "line 2: unknown scope \"reed\"");
	assert_line_refused("a read 2027-13-01 ", "", "line 1");
	assert_line_refused("a read never ", "0", "line 1");
	snprintf(line, sizeof(line), "a read never %s\n", digits + 1);
	assert_refused(line, "line 1");
	assert_line_refused("a read never ", " more", "line 1");
	assert_line_refused("a/b read never ", "", "line 1");
}

static char name_of_token[TOKEN_NAME_MAX + 1];

static unsigned
scopes_of(struct tokens *t, struct text token)
{
	name_of_token[0] = '\0';
	return tokens_scopes(t, token, name_of_token);
}

static void
test_add_and_revoke(void **state)
{
	char token[TOKEN_BYTES];
	char other[TOKEN_BYTES];
	char text[2000];
	struct error err = ERROR_INIT;
	struct tokens *t;
	struct stat st;

	(void)state;
	unlink(path);
	assert_true(token_add(path, "one", TOKEN_READ, "never", token, &err));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(strlen(token), 46);
	t = tokens_open(path, &err);
	assert_non_null(t);
	assert_int_equal(scopes_of(t, text_from(token)), TOKEN_READ);
	assert_string_equal(name_of_token, "one");
	token[10] ^= 1;
	assert_int_equal(scopes_of(t, text_from(token)), 0);
	token[10] ^= 1;
	assert_false(token_add(path, "one", TOKEN_READ, "never", other, &err));
	assert_false(token_add(path, "two words", TOKEN_READ, "never", other, &err));
	assert_false(token_add(path, "two", TOKEN_READ, "2020-01-01", other, &err));
	assert_false(token_add(path, "two", TOKEN_READ, "soon", other, &err));
	/* A running server notices that a token was added or deleted. */
	assert_true(token_add(path, "on", TOKEN_ADMIN, "2999-12-31", other, &err));
	assert_string_not_equal(token, other);
	assert_int_equal(scopes_of(t, text_from(other)), TOKEN_ADMIN);
	assert_true(token_revoke(path, "one", &err));
	assert_int_equal(scopes_of(t, text_from(token)), 0);
	assert_int_equal(scopes_of(t, text_from(other)), TOKEN_ADMIN);
	assert_false(token_revoke(path, "one", &err));
	assert_int_equal(err.code, ERROR_NOT_FOUND);
	read_file(text, sizeof(text));
	assert_null(strstr(text, other));
	assert_non_null(strstr(text, "\non admin 2999-12-31 "));
	tokens_free(t);
}

static void
test_text_stays(void **state)
{
	char line[600];
	char text[2000];
	char token[TOKEN_BYTES];
	struct error err = ERROR_INIT;
	struct stat st;

	(void)state;
	snprintf(line, sizeof(line),
		"# of the build machines\na read never %s\n  a admin never %s\n# end", digits,
		digits);
	write_file(line);
	assert_int_equal(chmod(path, 0640), 0);
	assert_true(token_add(path, "b", TOKEN_INGEST, "never", token, &err));
	assert_true(token_revoke(path, "a", &err));
	read_file(text, sizeof(text));
	assert_non_null(strstr(text, "# of the build machines\n# end\nb ingest never "));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
}

static void
test_changes(void **state)
{
	char token[TOKEN_BYTES];
	char text[2000];
	struct error err = ERROR_INIT;
	struct tokens *t;

	(void)state;
	unlink(path);
	t = tokens_open(path, &err);
	assert_non_null(t); /* a missing file is accepted; it contains no tokens */
	assert_true(token_add(path, "a", TOKEN_READ, "never", token, &err));
	assert_int_equal(scopes_of(t, text_from(token)), TOKEN_READ);
	/* While other accounts can write to a file, its tokens are invalid. */
	assert_int_equal(chmod(path, 0662), 0);
	assert_int_equal(scopes_of(t, text_from(token)), 0);
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(scopes_of(t, text_from(token)), TOKEN_READ);
	read_file(text, sizeof(text));
	write_file("nonsense\n");
	assert_int_equal(scopes_of(t, text_from(token)), 0);
	write_file(text);
	assert_int_equal(scopes_of(t, text_from(token)), TOKEN_READ);
	unlink(path);
	assert_int_equal(scopes_of(t, text_from(token)), 0);
	tokens_free(t);
}

static void
test_days(void **state)
{
	char today[16];
	char yesterday[16];
	time_t now = time(NULL);
	struct tm tm;

	(void)state;
	gmtime_r(&now, &tm);
	strftime(today, sizeof(today), "%Y-%m-%d", &tm);
	now -= 86400;
	gmtime_r(&now, &tm);
	strftime(yesterday, sizeof(yesterday), "%Y-%m-%d", &tm);
	assert_false(token_is_past(today));
	assert_true(token_is_past(yesterday));
	assert_false(token_is_past("never"));
}

static void
test_guards(void **state)
{
	struct error err = ERROR_INIT;

	(void)state;
	write_file("");
	assert_int_equal(chmod(path, 0620), 0);
	assert_null(tokens_open(path, &err));
	assert_non_null(strstr(err.message, "other accounts can write it"));
	assert_null(tokens_open(folder, &err));
	if (geteuid() == 0) {
		assert_int_equal(chmod(path, 0600), 0);
		assert_int_equal(chown(path, 65534, 0), 0);
		assert_null(tokens_open(path, &err));
		assert_non_null(strstr(err.message, "another account"));
	}
}

static void
test_scopes(void **state)
{
	struct error err = ERROR_INIT;
	unsigned scopes;
	char text[32];

	(void)state;
	assert_true(token_scopes_parse("admin,read", &scopes, &err));
	assert_string_equal(token_scopes_text(scopes, text), "read,admin");
	assert_false(token_scopes_parse("", &scopes, &err));
	assert_false(token_scopes_parse("read,", &scopes, &err));
	assert_false(token_scopes_parse("READ", &scopes, &err));
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_add_and_revoke),
		cmocka_unit_test(test_text_stays),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_days),
		cmocka_unit_test(test_guards),
		cmocka_unit_test(test_scopes),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
