/* Stores budget files in the depot, and finds those of a result set. */
#include "app/check/kept_budgets.h"

#include "app/budget_file.h"
#include "store/budgets.h"

#include <string.h>

static bool
check_name(const char *what, const char *name, struct error *err)
{
	return !name || strlen(name) <= KEPT_BUDGETS_MAX_NAME ||
	       error_set(err, ERROR_USAGE, "the %s has more than %d bytes", what,
		       KEPT_BUDGETS_MAX_NAME);
}

bool
kept_budgets_store(struct db *db, struct arena *a, const struct kept_budgets *b, int64_t *version,
	struct error *err)
{
	const struct stored_budgets stored = { .application = b->application,
		.author = b->author,
		.document = arena_strndup(a, b->document.data, b->document.size) };

	*version = BUDGETS_ANY_VERSION;
	if (b->document.size > KEPT_BUDGETS_MAX_BYTES)
		return error_set(err, ERROR_LIMIT,
			"%.200s: the depot stores at most %d KiB of budgets", b->source,
			KEPT_BUDGETS_MAX_BYTES / 1024);
	if (!check_name("application", b->application, err) ||
		!check_name("author", b->author, err) ||
		!budget_file_parse(a, b->source, b->document, err) ||
		!budgets_store(db, &stored, b->replaced, version, err))
		return false;
	if (*version)
		return true;
	error_set(err, ERROR_USAGE, "the depot's budgets are not version %lld",
		(long long)b->replaced);
	return error_hint(err, "somebody else has changed them; read them again");
}

const struct budget_list *
kept_budgets_of(struct db *db, struct arena *a, int64_t inst_id, struct error *err)
{
	const char *application;
	struct text document;

	if (!budgets_of_set(db, a, inst_id, &application, &document, err))
		return NULL;
	if (!text_is_null(document))
		return budget_file_parse(a, "the depot's budgets", document, err);
	error_set(err, ERROR_NOT_FOUND, "the depot has no budgets for %s%.200s",
		*application ? "the application " : "result sets without an application",
		application);
	error_hint(err,
		"give the check a budget file, or store one in the depot with \"profdepot budget set\"");
	return NULL;
}
