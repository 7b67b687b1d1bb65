/* Adds suppressions to the depot, and writes them to a file. */
#include "app/suppressions_kept.h"

#include "app/rows_table.h"
#include "base/terminal.h"
#include "store/suppressions.h"

bool
suppressions_check_day(const char *s, struct error *err)
{
	size_t n = 0;

	while (n < 10 && (n == 4 || n == 7 ? s[n] == '-' : char_is_digit(s[n])))
		n++;
	if (n == 10 && !s[10])
		return true;
	error_set(err, ERROR_USAGE, "option --expires: \"%.100s\" is not a day", s);
	return error_hint(err, "write it as 2026-12-31");
}

static bool
keep_one(struct db *db, struct arena *a, const struct suppression *s,
	const struct suppressions_given *given, struct error *err)
{
	const struct stored_suppression row = { .name = arena_strndup(
							a, s->name.data, s->name.size),
		.syntax = s->syntax == SUPPRESS_VALGRIND ? "valgrind" : "lsan",
		.pattern = arena_strndup(a, s->body.data, s->body.size),
		.reason = given->reason,
		.author = given->author,
		.expires = given->expires };
	int64_t id;
	bool is_new;

	return suppressions_add(db, &row, &id, &is_new, err) &&
	       given->added(given->self, id, is_new, s->name, err);
}

bool
suppressions_keep(struct db *db, const struct suppress_list *list,
	const struct suppressions_given *given, struct error *err)
{
	struct arena a = ARENA_INIT;
	bool ok = db_begin(db, err);

	for (size_t i = 0; ok && i < list->count; i++)
		ok = keep_one(db, &a, &list->items[i], given, err);
	ok = ok && db_commit(db, err);
	arena_release(&a);
	return ok;
}

static void
print_comment(FILE *out, const char *what, struct text t)
{
	if (text_is_empty(t))
		return;
	fprintf(out, "# %s", what);
	terminal_print(out, t);
	putc('\n', out);
}

void
suppressions_write_file(FILE *out, const struct db_result *rows)
{
	for (size_t i = 0; i < db_result_rows(rows); i++) {
		struct text pattern = db_result_value(rows, i, SUPPRESSION_ROW_PATTERN);

		if (text_equal(db_result_value(rows, i, SUPPRESSION_ROW_STATE),
			    TEXT_LITERAL("expired")))
			continue;
		print_comment(out, "", db_result_value(rows, i, SUPPRESSION_ROW_REASON));
		print_comment(out, "by ", db_result_value(rows, i, SUPPRESSION_ROW_AUTHOR));
		print_comment(out, "until ", db_result_value(rows, i, SUPPRESSION_ROW_EXPIRES));
		fwrite(pattern.data, 1, pattern.size, out);
		putc('\n', out);
	}
}
