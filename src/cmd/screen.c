/* Standard output as a user sees it: its width, its colours, and a pager. */
#include "cmd/screen.h"

#include "base/terminal.h"
#include "cmd/command.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The default pager is the program "less" if it is installed, and otherwise "cat". */
static const char default_pager[] =
	"if command -v less >/dev/null; then exec less -FRX; else exec cat; fi";

enum {
	NOT_FOUND = 127 /* exit status of a shell that cannot find a program */
};

/* The pager's process, for the signal handler; 0 if no pager runs. */
static volatile sig_atomic_t running_pager;

/* Handles a signal that ends this process: first closes the pager's input and waits for the pager, which
 * would otherwise compete with the shell for the terminal. */
static void
end_with_pager(int number)
{
	close(STDOUT_FILENO);
	while (waitpid((pid_t)running_pager, NULL, 0) < 0 && errno == EINTR)
		;
	sigaction(number, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
	raise(number);
}

static bool
wants_color(const struct global_options *o)
{
	const char *term = getenv("TERM");
	const char *no_color = getenv("NO_COLOR");

	if (strcmp(o->color, "auto") != 0)
		return strcmp(o->color, "always") == 0;
	return isatty(STDOUT_FILENO) && !(no_color && *no_color) &&
	       !(term && strcmp(term, "dumb") == 0);
}

static const char *
pager_command(const struct global_options *o, bool paged)
{
	const char *pager = getenv("PAGER");

	if (!paged || o->no_pager || !isatty(STDOUT_FILENO))
		return NULL;
	if (!pager)
		return default_pager;
	return *pager && strcmp(pager, "cat") != 0 ? pager : NULL;
}

static void
run_pager(const char *command, const int ends[2])
{
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	close(ends[1]);
	/* With this variable, the program "less" shows colours even if PAGER contains no options. */
	setenv("LESS", "FRX", 0);
	sigaction(SIGPIPE, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(NOT_FOUND);
}

static bool
start_pager(struct screen *s, const char *command, struct error *err)
{
	const struct sigaction action = { .sa_handler = end_with_pager };
	int ends[2];

	if (pipe(ends) != 0)
		return error_set_errno(err, ERROR_FILE, "the pager's pipe");
	s->pager = fork();
	if (s->pager < 0) {
		s->pager = 0;
		close(ends[0]);
		close(ends[1]);
		return error_set_errno(err, ERROR_FILE, "the pager");
	}
	if (s->pager == 0)
		run_pager(command, ends);
	dup2(ends[1], STDOUT_FILENO);
	close(ends[0]);
	close(ends[1]);
	running_pager = (sig_atomic_t)s->pager;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	return true;
}

bool
screen_open(struct screen *s, const struct global_options *o, bool paged, struct error *err)
{
	const char *pager = pager_command(o, paged);

	*s = (struct screen){ terminal_width(stdout), wants_color(o), 0 };
	return !pager || start_pager(s, pager, err);
}

/* Returns whether a write failed because the program that reads standard output has closed its end. */
static bool
reader_has_gone(void)
{
	struct pollfd p = { .fd = STDOUT_FILENO };

	return ferror(stdout) && poll(&p, 1, 0) == 1 && (p.revents & (POLLERR | POLLHUP));
}

/* Returns false if the pager could not be run. */
static bool
wait_for_pager(struct screen *s)
{
	int status = 0;

	/* This closes the pipe. Later output fails without harm. */
	fclose(stdout);
	while (waitpid(s->pager, &status, 0) < 0 && errno == EINTR)
		;
	s->pager = 0;
	sigaction(SIGINT, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
	sigaction(SIGTERM, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
	sigaction(SIGHUP, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
	return !WIFEXITED(status) || WEXITSTATUS(status) != NOT_FOUND;
}

static void
end_as_by_sigpipe(void)
{
	sigaction(SIGPIPE, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
	raise(SIGPIPE);
}

bool
screen_close(struct screen *s, struct error *err)
{
	bool ok = fflush(stdout) == 0 && !ferror(stdout);
	bool gone = !ok && reader_has_gone();

	if (!ok && !gone && err->code == ERROR_NONE)
		error_set_errno(err, ERROR_FILE, "standard output");
	if (gone)
		error_clear(err);
	if (gone && !s->pager)
		end_as_by_sigpipe();
	if (s->pager && !wait_for_pager(s)) {
		error_set(err, ERROR_FILE, "the pager cannot be run");
		error_hint(err, "correct the variable PAGER, or use --no-pager");
	}
	return err->code == ERROR_NONE;
}

struct render_options
screen_options(const struct command_call *call, FILE *out)
{
	if (out == call->out)
		return (struct render_options){ .width = call->screen.width,
			.color = call->screen.color };
	return (struct render_options){ .width = terminal_width(out),
		.color = strcmp(call->global->color, "always") == 0 };
}

bool
screen_text_begin(struct screen_text *t, struct error *err)
{
	*t = (struct screen_text){ NULL };
	t->stream = open_memstream(&t->lines, &t->size);
	return t->stream || error_set_errno(err, ERROR_FILE, "memory for the output");
}

void
screen_text_end(struct screen_text *t, const struct command_call *call, size_t indent)
{
	fclose(t->stream);
	for (const char *line = t->lines; *line;) {
		size_t n = strcspn(line, "\n");

		render_wrapped(call->out, (struct text){ line, n }, indent, call->screen.width);
		line += n + (line[n] == '\n');
	}
	free(t->lines);
}
