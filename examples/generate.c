#include "generate.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] =
	"usage: generate-example --out DIR [options]\n"
	"Writes an AQTime Resource profiler export of an imaginary application, one file per table.\n"
	"\n"
	"  --out DIR             output folder; created if missing\n"
	"  --objects N           live objects per result set (60)\n"
	"  --stacks N            distinct creation stacks (40)\n"
	"  --depth MIN-MAX       frames per stack (6-11)\n"
	"  --routines N          routines other than those of Windows, VCL and the leaks (100)\n"
	"  --sets N              result sets, INST_ID 1 to N (1)\n"
	"  --errors N            errors per result set (10)\n"
	"  --seed N              random seed (1)\n"
	"  --leak-profile WHICH  before, after or both (two result sets): adds seven leaks; \"after\"\n"
	"                        has one of them fixed, one grown and one new\n"
	"  --shuffled            stack rows in random order (--grouped: by object)\n"
	"  --fastmm FILE         also write the memory blocks of Delphi code as a log of FastMM4\n"
	"  --crt FILE            also write those of C++ code as a dump of Visual C++'s heap\n"
	"  --format NAME         plain, ssms (tab, UTF-16, NULL) or semicolon (BOM, CR LF)\n";

_Noreturn void
generate_fail(const char *what, const char *which)
{
	if (errno)
		fprintf(stderr, "generate-example: %s: %s: %s\n", what, which, strerror(errno));
	else
		fprintf(stderr, "generate-example: %s: %s\n", what, which);
	exit(2);
}

void *
generate_alloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);

	if (!p)
		generate_fail("out of memory", "calloc");
	return p;
}

/* Parses digits that are followed by `end`. */
static uint64_t
parse_number(const char *text, const char *end, uint64_t min, uint64_t max)
{
	uint64_t v = 0;
	const char *p = text;

	for (; p < end && *p >= '0' && *p <= '9' && v <= max; p++)
		v = v * 10 + (uint64_t)(*p - '0');
	if (p == text || p != end || v < min || v > max)
		generate_fail("not a number, or out of range", text);
	return v;
}

static uint32_t
parse_count(const char *text, uint32_t min, uint32_t max)
{
	return (uint32_t)parse_number(text, text + strlen(text), min, max);
}

static void
parse_depth(struct settings *s, const char *text)
{
	const char *dash = strchr(text, '-');

	if (!dash)
		generate_fail("not MIN-MAX", text);
	s->depth_min = (uint32_t)parse_number(text, dash, 2, DEPTH_MAX);
	s->depth_max = parse_count(dash + 1, s->depth_min, DEPTH_MAX);
}

/* Position of `text` in `choices`, which ends with NULL. */
static unsigned
parse_choice(const char *text, const char *const *choices)
{
	unsigned i = 0;

	while (choices[i] && strcmp(choices[i], text) != 0)
		i++;
	if (!choices[i])
		generate_fail("not one of the choices", text);
	return i;
}

static void
parse_option(struct settings *s, int option, const char *value)
{
	static const char *const formats[] = { "plain", "semicolon", "ssms", NULL };
	static const char *const profiles[] = { "none", "before", "after", "both", NULL };
	const struct {
		int option;
		uint32_t *count, min, max;
	} counts[] = {
		{ 'n', &s->objects, 1, 100000000 },
		{ 's', &s->stacks, 1, 10000000 },
		{ 'r', &s->routines, 1, 1000000 },
		{ 'i', &s->sets, 1, 1000 },
		{ 'e', &s->errors, 0, 10000000 },
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (counts[i].option == option) {
			*counts[i].count = parse_count(value, counts[i].min, counts[i].max);
			return;
		}
	switch (option) {
	case 'o':
		s->out = value;
		break;
	case 'm':
		s->fastmm = value;
		break;
	case 'c':
		s->crt = value;
		break;
	case 'd':
		parse_depth(s, value);
		break;
	case 'S':
		s->seed = parse_number(value, value + strlen(value), 0, UINT32_MAX);
		break;
	case 'l':
		s->profile = (enum profile)parse_choice(value, profiles);
		break;
	case 'u':
	case 'g':
		s->shuffled = option == 'u';
		break;
	case 'f':
		s->format = (enum csv_format)parse_choice(value, formats);
		break;
	case 'h':
		fputs(usage, stdout);
		exit(0);
	default:
		fputs(usage, stderr);
		exit(2);
	}
}

static void
parse(struct settings *s, int argc, char **argv)
{
	static const struct option options[] = {
		{ "out", required_argument, NULL, 'o' },
		{ "objects", required_argument, NULL, 'n' },
		{ "stacks", required_argument, NULL, 's' },
		{ "depth", required_argument, NULL, 'd' },
		{ "routines", required_argument, NULL, 'r' },
		{ "sets", required_argument, NULL, 'i' },
		{ "errors", required_argument, NULL, 'e' },
		{ "seed", required_argument, NULL, 'S' },
		{ "leak-profile", required_argument, NULL, 'l' },
		{ "shuffled", no_argument, NULL, 'u' },
		{ "grouped", no_argument, NULL, 'g' },
		{ "format", required_argument, NULL, 'f' },
		{ "fastmm", required_argument, NULL, 'm' },
		{ "crt", required_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		parse_option(s, option, optarg);
	if (!s->out || optind < argc)
		parse_option(s, '?', NULL);
	if (s->profile == PROFILE_BOTH)
		s->sets = 2;
}

int
main(int argc, char **argv)
{
	struct settings settings = {
		.objects = 60,
		.stacks = 40,
		.routines = 100,
		.errors = 10,
		.sets = 1,
		.depth_min = 6,
		.depth_max = 11,
		.seed = 1,
	};
	struct world world;

	parse(&settings, argc, argv);
	if (mkdir(settings.out, 0777) != 0 && errno != EEXIST)
		generate_fail("cannot make the folder", settings.out);
	errno = 0;
	world_build(&world, &settings);
	export_write(&world);
	world_release(&world);
	return 0;
}
