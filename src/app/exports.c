/* Exports: chooses a format for result sets, and checks the options. */
#include "app/exports.h"

#include "format/aqtime/aqtime_write.h"
#include "input/bundle/bundle.h"
#include "store/export/depot_rowset.h"
#include "store/export/depot_source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct format *
export_named_format(const char *name, struct error *err)
{
	const struct format *f = format_find(name);

	if (f && f->writes)
		return f;
	error_set(err, ERROR_USAGE, "profdepot does not write a format \"%s\"", name);
	error_hint(err, "\"profdepot formats\" lists them");
	return NULL;
}

/* Returns the name of the format that the result set was loaded from; NULL if SQL statements wrote the
 * result set. */
static const char *
own_name(struct source *s, uint32_t set)
{
	const char *name = s->format(s, set);
	const struct format *f = name ? format_find(name) : NULL;

	return f && f->written_as ? f->written_as : name;
}

const struct format *
export_own_format(struct source *s, struct error *err)
{
	const char *name = NULL;

	for (uint32_t i = 0; i < s->set_count; i++) {
		const char *own = own_name(s, i);

		if (own && name && strcmp(own, name) != 0) {
			error_set(err, ERROR_USAGE,
				"the result sets have different formats, %s and %s", name, own);
			error_hint(err, "choose one with --format NAME");
			return NULL;
		}
		name = own ? own : name;
	}
	if (!name)
		name = "aqtime";
	if (format_find(name) && format_find(name)->writes)
		return format_find(name);
	return export_named_format("speedscope", err);
}

const char *
export_type(const struct format *f)
{
	if (!f->write)
		return "application/x-tar";
	return text_ends(text_from(f->extension), "json") ? "application/json"
							  : "application/octet-stream";
}

static void
print_losses(FILE *out, unsigned lost)
{
	const char *separator = "";

	for (unsigned c = 0; c < CONTENTS; c++) {
		if (!(lost & CONTENT_BIT(c)))
			continue;
		fprintf(out, "%s%s", separator, content_title((enum content)c));
		separator = "; ";
	}
}

bool
export_report_losses(
	struct depot_source *depot, const struct format *f, FILE *out, struct error *err)
{
	struct source *s = depot_source_interface(depot);

	for (uint32_t i = 0; i < s->set_count; i++) {
		const char *own = own_name(s, i);
		unsigned carried = f->carries;
		unsigned contents;

		if (own && strcmp(own, f->name) == 0)
			carried |= CONTENT_OF_FILES;
		if (!depot_source_contents(depot, i, &contents, err))
			return false;
		if (!(contents & ~carried))
			continue;
		fprintf(out,
			"note: the format %s cannot carry everything in the result set. Not exported: ",
			f->name);
		print_losses(out, contents & ~carried);
		fprintf(out, ". \"--format aqtime\" exports everything\n");
	}
	return true;
}

/* A search for the metric that --metric names. */
struct metric_search {
	struct sink sink; /* must be first: callbacks cast the sink to this struct */
	const char *name;
	bool found;
	char others[200];
};

static bool
see_metric(struct sink *s, uint32_t set, const struct metric_row *row, metric_number *number,
	struct error *err)
{
	struct metric_search *m = (struct metric_search *)s;
	size_t used = strlen(m->others);

	(void)set;
	(void)number;
	(void)err;
	m->found |= text_equal(row->name, text_from(m->name));
	snprintf(m->others + used, sizeof(m->others) - used, "%s%.*s", used ? ", " : "",
		text_precision(row->name, 60), row->name.data);
	return true;
}

bool
export_check_metric(struct depot_source *depot, const char *name, struct error *err)
{
	struct metric_search m = { .sink = { .metric = see_metric }, .name = name };
	struct source *s = depot_source_interface(depot);

	for (uint32_t i = 0; name && i < s->set_count; i++)
		if (!s->emit(s, i, SOURCE_SET, SOURCE_EVERY_TRACK, &m.sink, err))
			return false;
	if (!name || m.found)
		return true;
	m.others[text_utf8_prefix(m.others, strlen(m.others))] = '\0';
	error_set(err, ERROR_USAGE, "the result set has no metric \"%s\"", name);
	return !m.others[0] ? false : error_hint(err, "it has %s", m.others);
}

bool
export_write(struct depot_source *s, const struct format *f,
	const struct format_write_options *options, FILE *out, struct error *err)
{
	depot_source_watch(s, out);
	return f->write(depot_source_interface(s), out, options, err);
}

bool
export_write_tar(struct db *db, const int64_t *inst_ids, size_t count, FILE *out, struct error *err)
{
	const char *where = getenv("TMPDIR");
	struct arena a = ARENA_INIT;
	char *temporary = arena_printf(
		&a, "%s/profdepot-export.XXXXXX", where && *where ? where : "/var/tmp");
	const char *folder;
	struct depot_rowset *rows;
	bool ok;

	if (!mkdtemp(temporary)) {
		error_set_errno(err, ERROR_FILE, "cannot make a temporary folder");
		arena_release(&a);
		return false;
	}
	folder = arena_printf(&a, "%s/tables", temporary);
	rows = depot_rowset_new(db, inst_ids, count, err);
	ok = rows && aqtime_write(depot_rowset_interface(rows), folder, false, NULL, err) &&
	     bundle_move_to_tar(folder, out, err);
	depot_rowset_free(rows);
	rmdir(temporary);
	arena_release(&a);
	return ok;
}
