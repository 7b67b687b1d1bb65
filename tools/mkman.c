/*
 * Fills the manual pages and the shell completion from the program's tables.
 *
 *	mkman page COMMAND [FILE] <PAGE.in >PAGE
 *	mkman completion >profdepot
 *
 * COMMAND is "-" for a page that describes no command. A line that consists of one of these marks
 * is replaced: @SUMMARY@, @SYNOPSIS@, @DESCRIPTION@ or @OPTIONS@ of the command, @GLOBAL_OPTIONS@,
 * @COMMANDS@, @REPORTS@, @FORMATS@, @ISSUES@, and @FILE@, which is the content of FILE.
 */
#include "app/dossier.h"
#include "cmd/commands.h"
#include "format/format.h"
#include "model/issue.h"
#include "report/report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- mdoc ------------------------------------------------------------------------------------ */

/* Writes text with escapes, so that mdoc does not interpret it as requests. */
static void
put_text(const char *s, size_t size)
{
	if (size && (s[0] == '.' || s[0] == '\''))
		fputs("\\&", stdout);
	for (size_t i = 0; i < size; i++) {
		if (s[i] == '\\')
			fputs("\\e", stdout);
		else
			putchar(s[i]);
	}
}

/* Writes s with each sentence on its own line. In s, empty lines separate the paragraphs. */
static void
put_paragraphs(const char *s)
{
	while (*s) {
		const char *end = strstr(s, ". ");
		const char *paragraph = strstr(s, "\n\n");
		size_t size = end ? (size_t)(end - s) + 1 : strlen(s);
		bool breaks = paragraph && (size_t)(paragraph - s) < size;

		if (breaks)
			size = (size_t)(paragraph - s);
		put_text(s, size);
		putchar('\n');
		s += size;
		s += strspn(s, " \n");
		if (breaks && *s)
			puts(".Pp");
	}
}

/* Writes a text such as "remove nothing" as the sentence "Remove nothing."; s must not be empty. */
static void
put_sentence(const char *s)
{
	char *copy = strdup(s);
	size_t size = strlen(s);

	if (!copy)
		abort();
	copy[0] = (char)toupper((unsigned char)s[0]);
	if (copy[size - 1] == '.')
		copy[size - 1] = '\0';
	for (char *at = copy, *end; at; at = end) {
		end = strstr(at, ". ");
		if (end) {
			*end = '\0';
			end += 2;
		}
		put_text(at, strlen(at));
		puts(".");
	}
	free(copy);
}

static void
put_flag(const struct option_spec *s)
{
	if (s->letter)
		printf("Fl %c , ", s->letter);
	printf("Fl -%s", s->name);
	if (s->value)
		printf(" Ar %s", s->value);
}

static void
put_choices(const char *choices)
{
	char *copy = strdup(choices);
	size_t n = 0;

	if (!copy)
		abort();
	for (char *c = copy; *c; c++)
		n += *c == '|';
	fputs("One of", stdout);
	for (char *word = copy; word; n--) {
		char *bar = strchr(word, '|');

		if (bar)
			*bar = '\0';
		printf("\n.Cm %s%s", word, n > 1 ? " ," : "");
		if (n == 1)
			fputs("\nor", stdout);
		word = bar ? bar + 1 : NULL;
	}
	puts(" .");
	free(copy);
}

static void
put_options(const struct option_spec *specs)
{
	if (!specs)
		return;
	puts(".Bl -tag -width Ds");
	for (const struct option_spec *s = specs; s->name; s++) {
		fputs(".It ", stdout);
		put_flag(s);
		putchar('\n');
		put_sentence(s->help);
		if (s->kind == OPTION_CHOICE)
			put_choices(s->choices);
	}
	puts(".El");
}

static void
put_synopsis(const struct command *c)
{
	printf(".Nm profdepot %s\n", c->name);
	for (const struct option_spec *s = c->options; s && s->name; s++) {
		if (s->letter)
			printf(".Op Fl %c", s->letter);
		else
			printf(".Op Fl -%s", s->name);
		printf("%s%s%s\n", s->value ? " Ar " : "", s->value ? s->value : "",
			s->kind == OPTION_LIST ? " ..." : "");
	}
	if (c->operands)
		printf(".Ar %s\n", c->operands);
}

static void
put_commands(void)
{
	puts(".Bl -tag -width Ds");
	for (size_t i = 0; commands[i]; i++) {
		printf(".It Xr profdepot-%s 1\n", commands[i]->name);
		put_sentence(commands[i]->summary);
	}
	puts(".El");
}

static const char *const report_names[] = {
#define REPORT_NAME(name, by, file) name,
	REPORT_TABLE(REPORT_NAME)
#undef REPORT_NAME
};

static const char *
kind_word(const struct table_column *c)
{
	static const char *const words[] = { [TABLE_TEXT] = "text",
		[TABLE_INTEGER] = "integer",
		[TABLE_DECIMAL] = "decimal",
		[TABLE_BOOL] = "boolean",
		[TABLE_TIME] = "time",
		[TABLE_FRAMES] = "stack",
		[TABLE_STACKS] = "stacks",
		[TABLE_LABELS] = "labels" };

	return words[c->kind];
}

static void
put_report(const struct report *r)
{
	printf(".It Cm %s", r->name);
	if (r->by)
		printf(" Fl -by Cm %s", r->by);
	putchar('\n');
	put_sentence(r->title);
	if (*r->note)
		put_sentence(r->note);
	if (r->column_count)
		fputs("Columns:", stdout);
	for (size_t j = 0; j < r->column_count; j++)
		printf("\n.Va %s\n(%s)%s", r->columns[j].key, kind_word(&r->columns[j]),
			j + 1 < r->column_count ? "," : ".\n");
}

/* Lists the reports with their column names in JSON and CSV. */
static void
put_reports(void)
{
	const struct report *r;

	puts(".Bl -tag -width Ds");
	for (size_t i = 0; (r = report_at(i)); i++)
		put_report(r);
	put_report(&dossier_report);
	puts(".El");
}

static void
put_formats(void)
{
	puts(".Bl -tag -width Ds");
	for (size_t i = 0; formats[i]; i++) {
		printf(".It Cm %s\n", formats[i]->name);
		put_text(formats[i]->title, strlen(formats[i]->title));
		printf(";\n%s%s%s.\n", formats[i]->reads ? "read" : "",
			formats[i]->reads && formats[i]->writes ? " and " : "",
			formats[i]->writes ? "written" : "");
	}
	puts(".El");
}

static void
put_issues(void)
{
	puts(".Bl -tag -width Ds");
	for (enum issue_code i = 0; i < ISSUE_CODES; i++) {
		printf(".It Li %s Pq %s\n", issue_name(i), issue_severity_name(issue_severity(i)));
		put_sentence(issue_meaning(i));
	}
	puts(".El");
}

/* --- pages ----------------------------------------------------------------------------------- */

static void
put_file(const char *path)
{
	FILE *in = path ? fopen(path, "r") : NULL;
	int c;

	if (!in) {
		fprintf(stderr, "mkman: cannot read %s\n", path ? path : "@FILE@");
		exit(1);
	}
	while ((c = getc(in)) != EOF)
		putchar(c);
	fclose(in);
}

static const struct command *
find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

static bool
put_of_command(const char *mark, const struct command *c)
{
	if (!c)
		return false;
	if (strcmp(mark, "@SUMMARY@") == 0)
		printf(".Nd %s\n", c->summary);
	else if (strcmp(mark, "@SYNOPSIS@") == 0)
		put_synopsis(c);
	else if (strcmp(mark, "@DESCRIPTION@") == 0)
		put_paragraphs(c->description);
	else if (strcmp(mark, "@OPTIONS@") == 0)
		put_options(c->options);
	else
		return false;
	return true;
}

static void
put_mark(const char *mark, const struct command *c, const char *file)
{
	if (put_of_command(mark, c))
		return;
	if (strcmp(mark, "@GLOBAL_OPTIONS@") == 0) {
		put_options(global_option_specs);
	} else if (strcmp(mark, "@COMMANDS@") == 0) {
		put_commands();
	} else if (strcmp(mark, "@REPORTS@") == 0) {
		put_reports();
	} else if (strcmp(mark, "@FORMATS@") == 0) {
		put_formats();
	} else if (strcmp(mark, "@ISSUES@") == 0) {
		put_issues();
	} else if (strcmp(mark, "@FILE@") == 0) {
		put_file(file);
	} else {
		fprintf(stderr, "mkman: unknown mark %s\n", mark);
		exit(1);
	}
}

static void
put_page(const struct command *c, const char *file)
{
	char line[4096];

	while (fgets(line, sizeof(line), stdin)) {
		size_t size = strlen(line);

		if (size > 2 && line[0] == '@' && line[size - 2] == '@') {
			line[size - 1] = '\0';
			put_mark(line, c, file);
		} else {
			fputs(line, stdout);
		}
	}
}

/* --- completion ------------------------------------------------------------------------------ */

static void
put_words(const struct option_spec *specs)
{
	for (const struct option_spec *s = specs; s && s->name; s++) {
		if (s->letter)
			printf(" -%c", s->letter);
		printf(" --%s", s->name);
	}
}

/* Writes how the shell completes the value of each option: with the option's choices, with file names or not at all. */
static void
put_values(const struct command *c)
{
	for (const struct option_spec *s = c->options; s && s->name; s++) {
		if (s->kind == OPTION_FLAG)
			continue;
		printf("    '%s --%s'", c->name, s->name);
		if (s->letter)
			printf(" | '%s -%c'", c->name, s->letter);
		fputs(") ", stdout);
		if (s->kind == OPTION_CHOICE) {
			fputs("words='", stdout);
			for (const char *p = s->choices; *p; p++)
				putchar(*p == '|' ? ' ' : *p);
			puts("' ;;");
		} else if (strcmp(s->value, "FILE") == 0 || strcmp(s->value, "FOLDER") == 0) {
			puts("files=1 ;;");
		} else {
			puts("free_text=1 ;;");
		}
	}
}

static void
put_report_names(void)
{
	const char *last = "";

	for (size_t i = 0; i < sizeof(report_names) / sizeof(report_names[0]); i++) {
		if (strcmp(last, report_names[i]) != 0)
			printf(" %s", report_names[i]);
		last = report_names[i];
	}
	printf(" %s", dossier_report.name);
}

static void
put_command_words(void)
{
	for (size_t i = 0; commands[i]; i++) {
		printf("    %s) words='", commands[i]->name);
		put_words(commands[i]->options);
		put_words(global_option_specs);
		if (strcmp(commands[i]->name, "report") == 0)
			put_report_names();
		printf("'%s ;;\n", strcmp(commands[i]->name, "load") == 0 ? " files=1" : "");
	}
}

static void
put_completion(void)
{
	puts("# bash completion for profdepot, generated from its option tables.\n"
	     "# shellcheck shell=bash\n"
	     "_profdepot() {\n"
	     "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
	     "    local command='' words='' files='' free_text='' i\n"
	     "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
	     "        case ${COMP_WORDS[i]} in\n"
	     "        --db) ((i++)) ;;\n"
	     "        -*) ;;\n"
	     "        *) command=${COMP_WORDS[i]}; break ;;\n"
	     "        esac\n"
	     "    done\n"
	     "    COMPREPLY=()\n"
	     "    case \"$command $before\" in");
	for (size_t i = 0; commands[i]; i++)
		put_values(commands[i]);
	puts("    *' --db') free_text=1 ;;\n"
	     "    esac\n"
	     "    [ -z \"$free_text\" ] || return 0\n"
	     "    [ -n \"$words$files\" ] || case $command in");
	fputs("    '') words='--version", stdout);
	put_words(global_option_specs);
	for (size_t i = 0; commands[i]; i++)
		printf(" %s", commands[i]->name);
	puts("' ;;");
	put_command_words();
	puts("    esac\n"
	     "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
	     "    if [ -n \"$files\" ]; then\n"
	     "        mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -f -- \"$word\")\n"
	     "        compopt -o filenames 2>/dev/null\n"
	     "    fi\n"
	     "}\n"
	     "complete -F _profdepot profdepot");
}

int
main(int argc, char **argv)
{
	const struct command *c;

	if (argc == 2 && strcmp(argv[1], "completion") == 0) {
		put_completion();
	} else if (argc >= 3 && strcmp(argv[1], "page") == 0) {
		c = find(argv[2]);
		if (!c && strcmp(argv[2], "-") != 0) {
			fprintf(stderr, "mkman: unknown command %s\n", argv[2]);
			return 1;
		}
		put_page(c, argc > 3 ? argv[3] : NULL);
	} else {
		fputs("usage: mkman page COMMAND [FILE] | completion\n", stderr);
		return 2;
	}
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
