#include "cmd/depot.h"

#include "base/number.h"
#include "db/migrate.h"
#include "render/render.h"
#include "store/result_sets.h"

struct db *
depot_open(const struct command_call *call, enum db_role role, struct error *err)
{
	const struct db_target target = {
		.uri = call->global->db,
		.role = role,
		.verbose = call->global->verbose,
	};

	return migrate_open(&target, err);
}

bool
depot_inst_ids(const struct command_call *call, size_t min, int64_t **inst_ids, struct error *err)
{
	size_t count = call->operands.count;

	if (count < min) {
		error_set(err, ERROR_USAGE, "no INST_ID was given");
		return error_hint(err, "\"profdepot list\" shows the numbers of the result sets");
	}
	*inst_ids = arena_alloc_array(call->arena, count, sizeof(**inst_ids));
	for (size_t i = 0; i < count; i++)
		if (!inst_id_parse(call->operands.items[i], &(*inst_ids)[i], err))
			return false;
	return true;
}

static bool
is_listed(int64_t inst_id, const struct db_result *listed)
{
	char digits[24];
	struct text key = { digits, number_format_int64(inst_id, digits) };

	for (size_t i = 0; i < db_result_rows(listed); i++)
		if (text_equal(db_result_value(listed, i, RESULT_SET_INST_ID), key))
			return true;
	return false;
}

bool
depot_check_listed(
	const int64_t *inst_ids, size_t count, const struct db_result *listed, struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (!is_listed(inst_ids[i], listed))
			return result_set_not_found(inst_ids[i], err);
	return true;
}

void
depot_print_text(FILE *out, struct text t)
{
	for (size_t i = 0; i < t.size; i++) {
		unsigned char c = (unsigned char)t.data[i];
		unsigned char next = i + 1 < t.size ? (unsigned char)t.data[i + 1] : 0;

		if (c < 0x20 || c == 0x7f) {
			fprintf(out, "\\x%02x", c);
		} else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {
			fprintf(out, "\\x%02x", next);
			i++;
		} else {
			putc(c, out);
		}
	}
}

/* --- tables ---------------------------------------------------------------------------------- */

static bool
print_rows(struct table_sink *sink, const struct table_head *head, const struct db_result *rows,
	struct table_cell *cells, struct error *err)
{
	for (size_t i = 0; i < db_result_rows(rows); i++) {
		for (size_t j = 0; j < head->column_count; j++)
			cells[j] = (struct table_cell){ .text = db_result_value(rows, i, j) };
		if (!sink->row(sink, cells, err))
			return false;
	}
	return true;
}

static bool
print_set(struct table_sink *sink, const struct table_head *head,
	const struct depot_table_set *from, struct arena *a, struct error *err)
{
	static const char *const no_notes[] = { NULL };
	uint64_t rows = db_result_rows(from->rows);
	struct table_cell *cells = arena_alloc_array(a, head->column_count, sizeof(*cells));
	struct table_cell *totals = arena_alloc_array(a, head->column_count, sizeof(*totals));
	char digits[24];
	struct table_set set = {
		.inst_id = from->inst_id ? (struct text){ digits,
						   number_format_int64(from->inst_id, digits) }
					 : TEXT_NULL,
		.caption = from->caption,
	};
	struct table_foot foot = { .rows = rows,
		.all_rows = rows,
		.totals = totals,
		.notes = from->notes ? from->notes : no_notes };

	return sink->set_begin(sink, &set, err) && print_rows(sink, head, from->rows, cells, err) &&
	       sink->set_end(sink, &foot, err);
}

bool
depot_print(FILE *out, const char *output, const struct table_head *head,
	const struct depot_table_set *sets, size_t set_count, struct error *err)
{
	const struct renderer *renderer = renderer_find(output);
	const struct render_options options = { render_terminal_width(out), set_count > 1 };
	struct arena a = ARENA_INIT;
	struct table_sink *sink;
	bool ok;

	if (!renderer)
		return error_set(err, ERROR_INTERNAL, "there is no renderer \"%s\"", output);
	sink = renderer->sink_new(out, &options);
	ok = sink->begin(sink, head, err);
	for (size_t i = 0; ok && i < set_count; i++)
		ok = print_set(sink, head, &sets[i], &a, err);
	ok = ok && sink->end(sink, err);
	renderer->sink_free(sink);
	arena_release(&a);
	return ok;
}
