/* Helpers for commands on the depot. */
#include "cmd/depot.h"

#include "db/cluster.h"
#include "db/migrate.h"
#include "render/render.h"
#include "store/result_sets.h"

#include <pwd.h>
#include <unistd.h>

/* NULL if the depot is not in the private cluster. */
static struct cluster *
private_cluster(const struct command_call *call, struct arena *a)
{
	struct error ignored = ERROR_INIT;
	struct db_place place;

	if (db_resolve(call->global->db, &place, &ignored) && place.kind == DB_PLACE_PRIVATE)
		return cluster_describe(a, &ignored);
	return NULL;
}

void
depot_announce(const struct command_call *call)
{
	struct error ignored = ERROR_INIT;
	struct arena a =
		ARENA_INIT; /* not the command's arena, which the threads of a load share */
	struct cluster_status status;
	struct cluster *c = private_cluster(call, &a);

	if (c && cluster_status(c, &status, &ignored) && status.state == CLUSTER_ABSENT)
		fprintf(stderr,
			"profdepot: creating a private PostgreSQL cluster in %s; this takes a few "
			"seconds\n",
			status.home);
	arena_release(&a);
}

void
depot_use_reserve(const struct command_call *call)
{
	struct arena a = ARENA_INIT;
	const struct cluster *c = private_cluster(call, &a);

	if (c && cluster_use_reserve(c))
		fputs("profdepot: the disk is full; the removal uses the reserve of the private "
		      "cluster\n",
			stderr);
	arena_release(&a);
}

void
depot_keep_reserve(const struct command_call *call)
{
	struct arena a = ARENA_INIT;
	const struct cluster *c = private_cluster(call, &a);

	if (c)
		cluster_keep_reserve(c);
	arena_release(&a);
}

struct db *
depot_open(const struct command_call *call, enum db_role role, struct error *err)
{
	const struct db_target target = {
		.uri = call->global->db,
		.role = role,
		.verbose = call->global->verbose,
	};

	depot_announce(call);
	return migrate_open(&target, err);
}

int
depot_run(struct command_call *call, enum db_role role, depot_fn *run, struct error *err)
{
	struct db *db = depot_open(call, role, err);
	bool ok = db && run(call, db, err);

	db_close(db);
	return ok ? 0 : -1;
}

const char *
depot_user_name(struct arena *a)
{
	const struct passwd *p = getpwuid(geteuid());

	return p ? arena_strdup(a, p->pw_name) : NULL;
}

bool
depot_inst_ids(const struct command_call *call, size_t min, int64_t **inst_ids, struct error *err)
{
	size_t count = call->operands.count;

	if (count < min) {
		error_set(err, ERROR_USAGE, "no INST_ID was given");
		return error_hint(err, "\"profdepot list\" shows the result set numbers");
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
	for (size_t i = 0; i < db_result_rows(listed); i++)
		if (db_result_int64(listed, i, RESULT_SET_INST_ID, 0) == inst_id)
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

bool
depot_print(const struct command_call *call, const char *output, const struct table_head *head,
	const struct rows_table *sets, size_t set_count, struct error *err)
{
	const struct renderer *renderer = renderer_find(output);
	struct render_options options = screen_options(call, call->out);

	options.several_sets = set_count > 1;
	if (!renderer)
		return error_set(err, ERROR_INTERNAL, "there is no renderer \"%s\"", output);
	return rows_table_write(call->out, renderer, &options, head, sets, set_count, err);
}

bool
depot_print_rows(struct command_call *call, const char *output, const struct table_head *head,
	struct db_result *rows, struct error *err)
{
	const struct rows_table set = { .rows = rows };
	bool ok = rows && depot_print(call, output, head, &set, 1, err);

	db_result_free(rows);
	return ok;
}
