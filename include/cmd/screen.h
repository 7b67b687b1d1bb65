/*
 * Standard output as a user sees it: its width, its colours, and a pager.
 *
 * - Width: COLUMNS if it is set, otherwise the terminal's width, or 0 if standard output is not a terminal.
 * - Colours: as --color says; by default on a terminal, unless NO_COLOR is set or TERM is dumb.
 * - Pager: on a terminal, reports and lists go to $PAGER, by default less -FRX. An empty PAGER,
 *   PAGER=cat and --no-pager mean no pager.
 */
#ifndef PROFDEPOT_CMD_SCREEN_H
#define PROFDEPOT_CMD_SCREEN_H

#include "base/error.h"
#include "render/render.h"

#include <sys/types.h>

struct command_call;
struct global_options;

struct screen {
	size_t width; /* 0: no limit */
	bool color;
	pid_t pager; /* 0 if no pager runs */
};

/* Inspects standard output and, if `paged`, replaces it with a pipe to the pager. */
bool screen_open(struct screen *s, const struct global_options *o, bool paged, struct error *err);

/* Ends the output and waits until the user has closed the pager. If the reader of standard output has closed
 * its end, clears *err; without a pager, also ends the process as if by SIGPIPE. Fails if the output could
 * not be written or the pager could not be run; keeps an earlier error. */
bool screen_close(struct screen *s, struct error *err);

/* Returns the options for output to a stream, which is call->out or a file. */
struct render_options screen_options(const struct command_call *call, FILE *out);

/* Lines of text, which are broken so that they fit the screen. */
struct screen_text {
	FILE *stream; /* write the lines to this stream */
	char *lines;
	size_t size;
};

bool screen_text_begin(struct screen_text *t, struct error *err);
/* Prints the lines on call->out. Lines after a break begin with `indent` blanks. */
void screen_text_end(struct screen_text *t, const struct command_call *call, size_t indent);

#endif
