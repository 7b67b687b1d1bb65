/* Records the verdicts of a check. */
#include "app/check/check.h"

#include "base/arena.h"
#include "base/strbuf.h"
#include "store/runs.h"

#include <string.h>

enum {
	REASON_MAX_BYTES = 64 * 1024
};

/* The worst excess of each limit, or why the budget could not be judged. */
static const char *
reason_of(struct arena *a, const struct check_budget *b)
{
	struct strbuf text;
	const char *limit = NULL;
	const char *reason;

	if (!b->breach_count)
		return b->reason;
	strbuf_init(&text, REASON_MAX_BYTES);
	for (size_t i = 0; i < b->breach_count; i++) {
		if (limit && strcmp(limit, b->breaches[i].limit) == 0)
			continue;
		limit = b->breaches[i].limit;
		strbuf_append_str(&text, text.size ? "; " : "");
		strbuf_append_str(&text, b->breaches[i].text);
	}
	reason = arena_strdup(a, strbuf_str(&text));
	strbuf_release(&text);
	return reason;
}

bool
check_record(struct db *db, const struct check *c, struct error *err)
{
	static const char *const words[] = {
#define VERDICT_WORD(code, word) [code] = word,
		CHECK_VERDICT_TABLE(VERDICT_WORD)
#undef VERDICT_WORD
	};
	struct arena a = ARENA_INIT;
	struct verdict *verdicts = arena_alloc_array(&a, c->budget_count, sizeof(*verdicts));
	bool ok;

	for (size_t i = 0; i < c->budget_count; i++)
		verdicts[i] = (struct verdict){ c->budgets[i].name, words[c->budgets[i].verdict],
			reason_of(&a, &c->budgets[i]) };
	ok = verdicts_store(db, c->inst_ids, c->inst_id_count, verdicts, c->budget_count, err);
	arena_release(&a);
	return ok || error_prefix(err, "the verdicts were not recorded");
}
