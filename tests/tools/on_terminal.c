/*
 * on_terminal COLUMNS COMMAND [ARGUMENT...]: runs the command on a terminal of this width. Whatever the
 * terminal receives is printed on standard output. Standard error and standard input stay as they are. If
 * a line is wider than the terminal, it is reported on standard error and the exit status is 99. Otherwise,
 * the exit status is that of the command, or 128 plus the number of the signal that ended the command.
 */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE

#include <fcntl.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

enum {
	TOO_WIDE = 99
};

static void
fail(const char *what)
{
	perror(what);
	exit(TOO_WIDE);
}

/* Returns how many columns the line needs. Escape sequences such as "\033[1m" need no column. */
static size_t
line_width(const char *line)
{
	size_t width = 0;
	mbstate_t state;

	memset(&state, 0, sizeof(state));
	for (const char *s = line; *s;) {
		wchar_t c;
		size_t n;
		int columns;

		if (s[0] == '\033' && s[1] == '[') {
			s += strcspn(s, "mK");
			s += *s != '\0';
			continue;
		}
		n = mbrtowc(&c, s, strlen(s), &state);
		columns = n < (size_t)-2 ? wcwidth(c) : 1;
		width += columns < 0 ? 1 : (size_t)columns;
		s += n < (size_t)-2 ? n : 1;
	}
	return width;
}

/* Copies the terminal's output without carriage returns. Returns whether all lines fit. */
static bool
copy(int terminal, size_t columns)
{
	FILE *in = fdopen(terminal, "r");
	char *line = NULL;
	size_t size = 0;
	ssize_t n;
	bool fits = true;

	if (!in)
		fail("fdopen");
	/* Reading fails with EIO once the command has closed the terminal. */
	while ((n = getline(&line, &size, in)) > 0) {
		while (n && (line[n - 1] == '\n' || line[n - 1] == '\r'))
			line[--n] = '\0';
		puts(line);
		if (line_width(line) <= columns)
			continue;
		fprintf(stderr, "%zu columns: %s\n", line_width(line), line);
		fits = false;
	}
	free(line);
	fclose(in);
	return fits;
}

static void
run(int terminal, int columns, char **argv)
{
	const struct winsize size = { .ws_row = 1000, .ws_col = (unsigned short)columns };
	int fd;

	setsid();
	fd = open(ptsname(terminal), O_RDWR);
	/* fd stays open, because the terminal must last as long as the command, even if the command
	 * closes its output. */
	if (fd < 0 || ioctl(fd, TIOCSWINSZ, &size) < 0 || dup2(fd, STDOUT_FILENO) < 0)
		fail("terminal");
	close(terminal);
	execvp(argv[0], argv);
	fail(argv[0]);
}

int
main(int argc, char **argv)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY);
	int columns = argc > 2 ? (int)strtol(argv[1], NULL, 10) : 0;
	int status;
	bool fits;
	pid_t pid;

	if (columns <= 0) {
		fputs("usage: on_terminal COLUMNS COMMAND [ARGUMENT...]\n", stderr);
		return TOO_WIDE;
	}
	setlocale(LC_CTYPE, "");
	if (terminal < 0 || grantpt(terminal) < 0 || unlockpt(terminal) < 0)
		fail("posix_openpt");
	pid = fork();
	if (pid < 0)
		fail("fork");
	if (pid == 0)
		run(terminal, columns, argv + 2);
	fits = copy(terminal, (size_t)columns);
	if (waitpid(pid, &status, 0) < 0)
		fail("waitpid");
	if (!fits)
		return TOO_WIDE;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
