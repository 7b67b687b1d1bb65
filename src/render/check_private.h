/* Shared by the check writers. */
#ifndef PROFDEPOT_RENDER_CHECK_PRIVATE_H
#define PROFDEPOT_RENDER_CHECK_PRIVATE_H

#include "render/check.h"
#include "render_private.h"

#define CHECK_WRITER_DECLARE(name) \
	bool check_write_##name(FILE *out, const struct check *c, const struct check_options *o, \
		struct error *err);
CHECK_WRITER_TABLE(CHECK_WRITER_DECLARE)
#undef CHECK_WRITER_DECLARE

const char *check_verdict_name(enum check_verdict v);

/* Appends the source file with slashes, relative to the root if the file is below it. */
void check_source_path(struct strbuf *b, struct text file, const struct check_options *o);

/* Returns how the stack differs from the base, in the words of diff: new, grown, shrunk, same, gone.
 * Returns NULL if there is no base. */
const char *check_state_word(const struct check_stack *s);

/* Appends "34 objects (+17), 2.1 KiB, new  Registry  Orders.exe". */
void check_stack_label(struct strbuf *b, const struct check_stack *s);

/* Appends "2 of 4 budgets broken, 1 could not be judged". */
void check_summary(struct strbuf *b, const struct check *c);

/* Appends one line of text in the words of the leaks and errors reports: "535 bytes in 10 blocks
 * definitely lost in import_csv, shop.c:9". */
void check_stack_message(struct strbuf *b, const struct check_stack *s);
/* The frame whose source line is shown for the stack; NULL if no frame has a source line. */
const struct table_frame *check_place(const struct check_stack *s);

/* How many of a breach's stacks are shown. */
static inline size_t
check_shown(const struct check_breach *breach, const struct check_options *o)
{
	return breach->stack_count < o->top ? breach->stack_count : o->top;
}

#endif
