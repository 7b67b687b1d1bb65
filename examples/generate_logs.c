/*
 * Writes the memory blocks of a result set as other tools report them: a log of FastMM4 with the blocks that
 * Delphi code allocated, and a dump of Visual C++'s debug heap with those of C++ code. Such tools see no
 * handles, so objects without a size are left out. Where an export has a function of Windows, FastMM has
 * the memory manager.
 */
#include "generate.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CLASS_BYTES = 64,   /* granularity of FastMM's small blocks in the summary */
	SMALL_BYTES = 2560, /* larger blocks have no class of sizes */
	SMALL_CLASSES = SMALL_BYTES / CLASS_BYTES + 1,
	DUMP_BYTES = 256,
};

static const char head[] =
	"--------------------------------2025/11/14 9:41:07--------------------------------\r\n";

/* The stack's innermost frame in the program's own code; NULL if there is none. */
static const struct routine *
own_routine(const struct world *w, const struct stack *s)
{
	for (uint32_t k = 0; k < s->depth; k++) {
		const struct routine *r = &w->routines[w->frames[s->first + k].routine];

		if (r->file)
			return r;
	}
	return NULL;
}

/* Whether a tool for this language reports the object. */
static bool
is_reported(const struct world *w, const struct result_set *s, uint32_t object, bool cpp)
{
	const struct stack *stack = &w->stacks[s->objects[object] & ~(uint32_t)NO_STACK];
	const struct routine *own = own_routine(w, stack);

	return !(s->objects[object] & NO_STACK) && object_size(w, stack, object) && own &&
	       (strstr(own->file, ".cpp") != NULL) == cpp;
}

static FILE *
open_log(const char *path)
{
	FILE *out = fopen(path, "wb");

	if (!out)
		generate_fail("cannot write", path);
	return out;
}

static void
close_log(FILE *out, const char *path)
{
	if (ferror(out) || fclose(out) != 0)
		generate_fail("cannot write", path);
}

static uint32_t
call_line(const struct result_set *s, const struct routine *r, int32_t line)
{
	uint32_t first = r->line + export_line_shift(s, r);
	uint32_t k = (uint32_t)line;

	return line < 0 ? 0 : first + 2 + 3 * k + (first + k) % 2;
}

/* The part of a path after the last backslash. */
static const char *
file_name(const char *path)
{
	const char *slash = strrchr(path, '\\');

	return slash ? slash + 1 : path;
}

/* --- FastMM4 -------------------------------------------------------------- */

static void
fastmm_frame(FILE *out, const struct result_set *s, const struct routine *r, const struct frame *f)
{
	uint32_t line = call_line(s, r, f->line);

	fprintf(out, "%X ", 0x00401005 + 0x40 * f->routine + (r->line ? 0 : 0x74000000));
	if (r->file)
		fprintf(out, "[%s][%s]", file_name(r->file), r->unit);
	fprintf(out, "[%s%s%s]", r->class_name ? r->class_name : "", r->class_name ? "." : "",
		r->name);
	if (r->file && line)
		fprintf(out, "[%u]", line);
	fputs("\r\n", out);
}

static void
fastmm_dump(FILE *out, uint64_t address)
{
	fprintf(out, "\r\nCurrent memory dump of %d bytes starting at pointer address %X:\r\n",
		DUMP_BYTES, (unsigned)address);
	for (int row = 0; row < 8; row++) {
		for (int i = 0; i < DUMP_BYTES / 8; i++)
			fputs(i ? " 00" : "00", out);
		fputs("\r\n", out);
	}
	for (int row = 0; row < 8; row++) {
		for (int i = 0; i < DUMP_BYTES / 8; i++)
			fputs(i ? "  ." : ".", out);
		fputs("\r\n", out);
	}
}

static void
fastmm_block(FILE *out, const struct world *w, const struct result_set *s, uint32_t object,
	uint64_t number)
{
	const struct stack *stack = &w->stacks[s->objects[object]];

	fprintf(out,
		"\r\n%sA memory block has been leaked. The size is: %llu\r\n\r\n"
		"This block was allocated by thread 0x%X, and the stack trace (return addresses) at "
		"the time was:\r\n"
		"40B2C7 [FastMM4.pas][FastMM4][DebugGetMem][9089]\r\n"
		"404A1E [System.pas][System][@GetMem][4843]\r\n",
		head, (unsigned long long)object_size(w, stack, object),
		export_thread_id(s, object_thread(w, stack, object)));
	for (uint32_t k = 0; k < stack->depth; k++) {
		const struct frame *f = &w->frames[stack->first + k];

		if (k)
			fastmm_frame(out, s, &w->routines[f->routine], f);
	}
	fprintf(out,
		"\r\nThe block is currently used for an object of class: Unknown\r\n\r\n"
		"The allocation number is: %llu\r\n",
		(unsigned long long)number);
	fastmm_dump(out, object_address(stack, object));
}

static void
fastmm_summary(
	FILE *out, const uint32_t counts[SMALL_CLASSES], const uint64_t *large, uint32_t larges)
{
	fprintf(out,
		"\r\n%sThis application has leaked memory. The small block leaks are (excluding "
		"expected leaks registered by pointer):\r\n\r\n",
		head);
	for (unsigned k = 0; k < SMALL_CLASSES; k++)
		if (counts[k])
			fprintf(out, "%u - %u bytes: Unknown x %u\r\n", k * CLASS_BYTES + 1,
				(k + 1) * CLASS_BYTES, counts[k]);
	if (larges)
		fputs("\r\nThe sizes of leaked medium and large blocks are (excluding expected leaks "
		      "registered by pointer): ",
			out);
	for (uint32_t k = 0; k < larges; k++)
		fprintf(out, "%s%llu", k ? ", " : "", (unsigned long long)large[k]);
	fputs("\r\n\r\nNote: Memory leak detail is logged to a text file in the same folder as this "
	      "application. To disable this memory leak check, undefine "
	      "\"EnableMemoryLeakReporting\".\r\n",
		out);
}

void
fastmm_write(const struct world *w, const struct result_set *s, const char *path)
{
	FILE *out = open_log(path);
	uint64_t *large = generate_alloc(s->object_count, sizeof(*large));
	uint32_t counts[SMALL_CLASSES] = { 0 };
	uint32_t larges = 0;
	uint64_t number = 0;

	for (uint32_t i = 0; i < s->object_count; i++) {
		uint64_t size;

		number += export_number_step(w, i);
		if (!is_reported(w, s, i, false))
			continue;
		size = object_size(w, &w->stacks[s->objects[i]], i);
		if (size <= SMALL_BYTES)
			counts[(size - 1) / CLASS_BYTES]++;
		else
			large[larges++] = size;
		fastmm_block(out, w, s, i, number);
	}
	fastmm_summary(out, counts, large, larges);
	free(large);
	close_log(out, path);
}

/* --- Visual C++ ------------------------------------------------------------ */

static void
crt_block(FILE *out, const struct world *w, const struct result_set *s, uint32_t object,
	uint64_t number)
{
	const struct stack *stack = &w->stacks[s->objects[object]];
	const struct routine *own = own_routine(w, stack);
	uint32_t k = 0;

	while (&w->routines[w->frames[stack->first + k].routine] != own)
		k++;
	fprintf(out,
		"%s(%u) : {%llu} normal block at 0x%08X, %llu bytes long.\r\n"
		" Data: <                > 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 \r\n",
		own->file, call_line(s, own, w->frames[stack->first + k].line),
		(unsigned long long)number, (unsigned)object_address(stack, object),
		(unsigned long long)object_size(w, stack, object));
}

/* The dump begins with the newest block. */
void
crt_write(const struct world *w, const struct result_set *s, const char *path)
{
	FILE *out = open_log(path);
	uint64_t number = 0;

	fputs("Detected memory leaks!\r\nDumping objects ->\r\n", out);
	for (uint32_t i = 0; i < s->object_count; i++)
		number += export_number_step(w, i);
	for (uint32_t i = s->object_count; i-- > 0;) {
		if (is_reported(w, s, i, true))
			crt_block(out, w, s, i, number);
		number -= export_number_step(w, i);
	}
	fputs("Object dump complete.\r\n", out);
	close_log(out, path);
}
