/*
 * Refuses inputs that come from AQTime but that profdepot cannot read: tables without INSTANCES, tables
 * of other profilers, Access databases, and result files that only AQTime can read. The error names the
 * input, and its hint describes the next step.
 */
#include "aqtime_private.h"

#include "base/strbuf.h"
#include "input/bundle/bundle.h"

#include <string.h>

enum {
	ACCESS_PATH_BYTES = 1000,
};

size_t
aqtime_other_profiler(const char *table)
{
	static const char *const words[] = { "_PROFILER_", "_TRACER_", "_EMULATOR_",
		"FUNCTION_TRACE_", "PLATFORM_COMPLIANCE_" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *at = strstr(table, words[i]);

		if (at && strncmp(table, "RESOURCE_PROFILER_", 18) != 0)
			return (size_t)(at - table) + strlen(words[i]) - 1;
	}
	return 0;
}

static bool
refuse_tables(const char *path, const struct rowset *s, struct error *err)
{
	for (size_t i = 0; i < s->table_count; i++)
		if (strncmp(s->tables[i], "RESOURCE_PROFILER_", 18) == 0) {
			error_set(err, ERROR_INPUT,
				"%s has tables of AQTime's Resource profiler, such as %s, but not the "
				"table INSTANCES",
				path, s->tables[i]);
			error_hint(err,
				"INSTANCES lists the result sets: export it from the same database "
				"into the same folder (INSTANCES.csv), and load the folder");
			return true;
		}
	for (size_t i = 0; i < s->table_count; i++) {
		size_t size = aqtime_other_profiler(s->tables[i]);

		if (!size)
			continue;
		error_set(err, ERROR_INPUT,
			"%s has tables of another AQTime profiler (%.*s_*), and profdepot reads only "
			"the Resource profiler's",
			path, (int)size, s->tables[i]);
		error_hint(err,
			"in AQTime, choose the Resource profiler in the list of profilers, "
			"run it, and export its result set; \"profdepot formats\" lists the "
			"other tools' files");
		return true;
	}
	return false;
}

/* Returns whether this is the beginning of an Access database. Such a file begins with four bytes and the name of the
 * database engine. */
static bool
is_access(struct text head)
{
	return head.size >= 19 && memcmp(head.data, "\0\1\0\0Standard ", 13) == 0 &&
	       (memcmp(head.data + 13, "Jet DB", 6) == 0 ||
		       memcmp(head.data + 13, "ACE DB", 6) == 0);
}

/* The hint has the whole command, with the path in quotes. */
static bool
refuse_access(const struct format_source *source, size_t member, struct error *err)
{
	bool file = bundle_is_file(source->bundle);
	const char *name = file ? source->path : bundle_member(source->bundle, member)->name;
	struct strbuf quoted;

	strbuf_init(&quoted, (size_t)3 * ACCESS_PATH_BYTES);
	for (const char *c = name; *c; c++)
		strbuf_append_str(&quoted, *c == '\'' ? "'\\''" : (const char[]){ *c, '\0' });
	error_set(err, ERROR_INPUT,
		"%s: a database of Microsoft Access, which must be exported first", name);
	error_hint(err,
		"install mdbtools and export the tables: file='%s'; mkdir results && for t in "
		"$(mdb-tables -1 \"$file\"); do mdb-export \"$file\" \"$t\" >\"results/$t.csv\"; "
		"done; profdepot load results",
		quoted.failed ? "FILE" : strbuf_str(&quoted));
	strbuf_release(&quoted);
	return true;
}

static bool
refuse_aqr(const char *path, struct error *err)
{
	error_set(err, ERROR_INPUT, "%s: a result file that only AQTime can read", path);
	error_hint(err,
		"import it in AQTime, right-click the result set in the Explorer panel, choose "
		"Export to Database, and load that database");
	return true;
}

bool
aqtime_refuse(const struct format_source *source, struct error *err)
{
	if (text_ends_nocase(text_from(source->path), ".aqr"))
		return refuse_aqr(source->path, err);
	for (size_t i = 0; source->bundle && i < bundle_count(source->bundle); i++)
		if (is_access(bundle_head(source->bundle, i)))
			return refuse_access(source, i, err);
	return source->rowset && refuse_tables(source->path, source->rowset, err);
}
