/* profdepot: finds the command, parses its options, runs it, and turns errors into an exit status. */
#include "base/terminal.h"
#include "cmd/command.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#ifndef PACKAGE_VERSION
#include <config.h>
#endif

enum {
	SUMMARY_COLUMN = 12,
	OUTPUT_BUFFER_BYTES = 64 * 1024
};

static void
print_overview(FILE *out)
{
	size_t width = terminal_width(out);

	fputs("usage: profdepot COMMAND [OPTION...] [OPERAND...]\n\n", out);
	option_print_wrapped(
		"A depot for profiler results: it loads them into PostgreSQL and answers "
		"questions about them.\n\ncommands:",
		0, width, out);
	for (size_t i = 0; commands[i]; i++) {
		fprintf(out, "  %-*s", SUMMARY_COLUMN - 2, commands[i]->name);
		option_print_wrapped(commands[i]->summary, SUMMARY_COLUMN, width, out);
	}
	option_print_wrapped("\n\"profdepot COMMAND --help\" describes a command; \"profdepot "
			     "--version\" prints the version.",
		0, width, out);
}

static void
print_help(const struct command *c, FILE *out)
{
	size_t width = terminal_width(out);

	fprintf(out, "usage: profdepot %s%s%s%s\n\n", c->name, c->options ? " [OPTION...]" : "",
		c->operands ? " " : "", c->operands ? c->operands : "");
	option_print_wrapped(c->description, 0, width, out);
	if (c->options) {
		fputs("\noptions:\n", out);
		option_print_help(c->options, width, out);
	}
	fputs("\noptions of every command:\n", out);
	option_print_help(global_option_specs, width, out);
}

static int
fail(const struct error *err)
{
	error_print(err, stderr);
	return error_exit_status(err->code);
}

static const struct command *
find_command(const char *name, struct error *err)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	error_set(err, ERROR_USAGE, "unknown command \"%s\"", name);
	error_hint(err, "\"profdepot --help\" lists the commands");
	return NULL;
}

/* Ends the output of --help and --version. */
static int
finish_output(int status)
{
	struct screen screen = { 0 };
	struct error err = ERROR_INIT;

	return screen_close(&screen, &err) ? status : fail(&err);
}

static int
run_on_screen(struct command_call *call)
{
	struct error err = ERROR_INIT;
	int status;

	if (!screen_open(&call->screen, call->global, call->command->paged, &err))
		return fail(&err);
	status = call->command->run(call, &err);
	if (screen_close(&call->screen, &err))
		return status < 0 ? 0 : status;
	return status > 0 ? (fail(&err), status) : fail(&err);
}

/* Counts the arguments of "profdepot sql" that are global options and come first. psql receives the remaining
 * arguments. */
static int
leading_globals(int argc, char **argv)
{
	int n = 0;

	while (n < argc) {
		if (strncmp(argv[n], "--db=", 5) == 0 || strcmp(argv[n], "--help") == 0)
			n++;
		else if (strcmp(argv[n], "--db") == 0 && n + 1 < argc)
			n += 2;
		else
			break;
	}
	return n;
}

static bool
parse(struct command_call *call, struct global_options *global, int argc, char **argv,
	struct error *err)
{
	const struct command *c = call->command;
	struct option_table tables[] = {
		{ global_option_specs, global },
		{ c->options, call->target },
		{ NULL, NULL },
	};
	int parsed = argc;

	if (c->passes_through)
		parsed = leading_globals(argc, argv);
	if (!option_parse(tables, parsed, argv, call->arena, &call->operands, err))
		return false;
	if (c->passes_through) {
		call->operands.items =
			arena_alloc_array(call->arena, (size_t)(argc - parsed) + 1, sizeof(char *));
		call->operands.count = (size_t)(argc - parsed);
		for (int i = parsed; i < argc; i++)
			call->operands.items[i - parsed] = argv[i];
	}
	return true;
}

static int
run_command(const struct command *c, int argc, char **argv, struct arena *arena)
{
	struct global_options global = { .color = "auto" };
	struct error err = ERROR_INIT;
	struct command_call call = {
		.command = c,
		.arena = arena,
		.target = arena_alloc(arena, c->target_size),
		.global = &global,
		.out = stdout,
	};

	if (c->defaults)
		memcpy(call.target, c->defaults, c->target_size);
	if (!parse(&call, &global, argc, argv, &err)) {
		error_prefix(&err, "%s", c->name);
		return fail(&err);
	}
	if (global.help) {
		print_help(c, stdout);
		return finish_output(0);
	}
	return run_on_screen(&call);
}

/* Opens /dev/null for each closed standard stream. Otherwise, the next opened file would get the
 * stream's descriptor. */
static void
open_standard_streams(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY);
}

int
main(int argc, char **argv)
{
	static char buffer[OUTPUT_BUFFER_BYTES]; /* of standard output */
	struct arena arena = ARENA_INIT;
	struct error err = ERROR_INIT;
	const struct command *c;
	int status;

	open_standard_streams();
	/* With this buffer, a large answer needs fewer writes. */
	if (!isatty(STDOUT_FILENO))
		setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	/* Needed for character widths on a terminal. Numbers keep the C locale's format. */
	setlocale(LC_CTYPE, "");
	/* If the reader of a pipe has ended, a write fails instead of ending this process; see screen_close. */
	sigaction(SIGPIPE, &(struct sigaction){ .sa_handler = SIG_IGN }, NULL);
	/* A write that exceeds the file size limit fails instead of ending this process. */
	sigaction(SIGXFSZ, &(struct sigaction){ .sa_handler = SIG_IGN }, NULL);
	if (argc < 2) {
		print_overview(stderr);
		return error_exit_status(ERROR_USAGE);
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("profdepot " PACKAGE_VERSION);
		return finish_output(0);
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
		strcmp(argv[1], "help") == 0) {
		print_overview(stdout);
		return finish_output(0);
	}
	if (argc > 2 && strcmp(argv[1], "db") == 0 && strcmp(argv[2], "retain") == 0) {
		argv++; /* "db retain" is another spelling of "retain" */
		argc--;
	}
	c = find_command(argv[1], &err);
	if (!c)
		return fail(&err);
	status = run_command(c, argc - 2, argv + 2, &arena);
	arena_release(&arena);
	return status;
}
