/* Shared by the renderers. */
#ifndef PROFDEPOT_RENDER_PRIVATE_H
#define PROFDEPOT_RENDER_PRIVATE_H

#include "base/arena.h"
#include "base/json_writer.h"
#include "base/strbuf.h"
#include "render/render.h"

#include <wchar.h>

enum {
	RENDER_CELL_MAX_BYTES = 16 * 1024 * 1024
};

#define RENDER_DECLARE(id, name, content_type) \
	struct table_sink *render_##id##_new(FILE *out, const struct render_options *options); \
	void render_##id##_free(struct table_sink *s);
RENDERER_TABLE(RENDER_DECLARE)
#undef RENDER_DECLARE

/* Fails if an earlier write to out failed. */
bool render_check(FILE *out, struct error *err);

void render_frames_json(struct json_writer *w, const struct table_frame *frames, size_t count);
void render_stacks_json(struct json_writer *w, const struct table_stack *stacks, size_t count);

/* Appends the cell in readable form, with units and visible control characters. */
void render_cell(struct strbuf *b, const struct table_column *c, const struct table_cell *cell);

/* Takes the first label off the text of a TABLE_LABELS cell; returns false if there is none. */
bool render_next_label(struct text *labels, struct text *key, struct text *value);
/* Appends labels as "branch=main os=linux". */
void render_labels(struct strbuf *b, struct text labels);

/* Appends an ISO 8601 time as "2026-11-23 22:25", and any other text unchanged. */
void render_short_time(struct strbuf *b, struct text time);

/* Appends a number with commas: "-1,234.5". */
void render_grouped(struct strbuf *b, struct text digits);

/* render_routine appends "TForm.Create". render_place appends "MainForm.pas:12" if the place is known. */
void render_routine(struct strbuf *b, const struct table_frame *f);
void render_place(struct strbuf *b, const struct table_frame *f);

/* Appends the known parts of a frame: "user32.dll  TForm.Create  MainForm.pas:12". */
void render_frame(struct strbuf *b, const struct table_frame *f);

/* Appends a frame in the form that debuggers use: "TForm.Create (MainForm.pas:12)", "malloc (in
 * libc.so.6)". */
void render_trace_frame(struct strbuf *b, const struct table_frame *f);

/* Appends name with control characters shown as \n, \t or \x1b, and invalid UTF-8 as \xNN. */
void render_visible(struct strbuf *b, struct text name);

/* Appends "27 objects", "2.6 MiB" or the plain value. */
void render_figure(struct strbuf *b, const struct table_column *c, const struct table_cell *cell);

/* The same as render_figure, but with exact byte counts: "2,712,345 bytes". */
void render_exact(struct strbuf *b, const struct table_column *c, const struct table_cell *cell);

/* Appends the findings' totals or a part of the totals: "4 records, 7 blocks, 296 bytes". */
void render_findings_totals(struct strbuf *b, const struct table_head *head, uint64_t rows,
	const struct table_cell *totals);

/* Returns whether the totals are unknown: there are no rows, and the notes say why. A total of 0 would mislead. */
bool render_is_unknown(const struct table_foot *foot);

/* Returns whether to show a foot's parts. A single part without a value is not shown. */
bool render_has_parts(const struct table_foot *foot);

/* The head of the current set. Each set may replace the columns. */
struct render_head {
	struct table_head now;
	const struct table_column *columns; /* columns of the whole answer */
};

/* Returns the current head. render_head_set changes its columns for each set. */
const struct table_head *render_head_begin(struct render_head *h, const struct table_head *head);
void render_head_set(struct render_head *h, const struct table_set *set);

/* Appends "result set 2, caption", the text of render_base, and the subject. */
void render_set(struct strbuf *b, const struct table_set *set);

/* The entity for a character that HTML and XML reserve; otherwise NULL. */
const char *render_entity(char c);

/* Appends "; before: result set 1, caption" if the set is compared with a base. */
void render_base(struct strbuf *b, const struct table_set *set);

/* Writes text escaped for GitHub's Markdown. */
void render_markdown_text(FILE *out, struct text t);

/* The number of terminal columns that UTF-8 text needs. */
size_t render_width(struct text t);

/* Appends t, with its middle cut out if it is wider than `width`: "abc…xyz". */
void render_cut(struct strbuf *b, struct text t, size_t width);

/* Returns the code point at t.data + *at and moves *at past it. t must be valid UTF-8. */
wchar_t render_next_char(struct text t, size_t *at);

/* Returns whether t is printable ASCII. */
bool render_is_plain(struct text t);

/* Appends a line that is broken at blanks so that no part is wider than `width` columns; 0 means no limit.
 * Lines after the first begin with `indent` blanks. */
void render_wrap(struct strbuf *b, struct text line, size_t indent, size_t width);

enum render_style {
	RENDER_PLAIN,
	RENDER_HEAD,
	RENDER_CALM,
	RENDER_BAD,
	RENDER_WARNING,
	RENDER_GOOD
};

/* The style of a word such as "new", "error" or "met"; RENDER_PLAIN for others. */
enum render_style render_style_of(struct text word);

/* Appends t in a style, with the terminal's escape sequences. */
void render_styled(struct strbuf *b, struct text t, enum render_style style);

/* Returns whether each row is a record with its stacks below it, not a grid row. */
static inline bool
render_is_records(const struct table_head *head)
{
	return head->layout == TABLE_RECORDS || head->layout == TABLE_FINDINGS;
}

/* Returns whether the formats for people show the column. */
static inline bool
render_shows(const struct table_column *c)
{
	return !c->machine && c->kind != TABLE_FRAMES && c->kind != TABLE_STACKS;
}

/* Returns whether the line of a record shows the column. It omits unknown owners and figures. */
static inline bool
render_shows_in_record(const struct table_column *c, const struct table_cell *cell)
{
	bool optional = c->owner || c->unit == TABLE_UNIT_COUNT || c->unit == TABLE_UNIT_BYTES;

	return render_shows(c) && !(optional && text_is_empty(cell->text));
}

#endif
