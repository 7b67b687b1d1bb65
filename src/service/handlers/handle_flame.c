/* Result set flame graphs and exports. */
#include "handle.h"

#include "analysis/trees.h"
#include "app/exports.h"
#include "app/trees.h"
#include "format/format.h"
#include "render/flame.h"
#include "store/export/depot_source.h"
#include "store/set_names.h"

#include <string.h>

enum {
	HOT_FRAMES = 20
};

static bool
make_request(struct http_call *c, struct db *db, int64_t inst_id, struct tree_request *q,
	struct error *err)
{
	const char *base = http_query_text(c, "base");
	const char *share = http_query_text(c, "min_share");

	*q = (struct tree_request){
		.inst_id = inst_id,
		.metric = http_query_text(c, "metric"),
		.inverted = http_query_flag(c, "invert"),
		.normalized = http_query_flag(c, "normalize"),
		.max_nodes = (size_t)http_query_int(c, "max_nodes", TREES_MAX_NODES),
	};
	http_query_list(c, "focus", &q->focus);
	http_query_list(c, "ignore", &q->ignore);
	if (share && !trees_parse_share(share, &q->min_share, err))
		return error_prefix(err, "min_share");
	if (q->normalized && !base)
		return error_set(err, ERROR_USAGE, "normalize needs a base to compare with");
	if (base && !set_name_find(db, base, set_name_is_relative(base) ? q->inst_id : 0,
			    &q->base_id, err))
		return error_prefix(err, "base");
	return true;
}

static bool
write_flame(
	struct http_call *c, const struct flame_writer *w, const struct tree *t, struct error *err)
{
	struct flame_options options = {
		.width = (unsigned)http_query_int(c, "width", FLAME_WIDTH),
		.title = http_query_text(c, "title"),
	};
	const char *layout = http_query_text(c, "layout");
	size_t frames;

	if (layout)
		options.layout = strcmp(layout, "flame") == 0 ? FLAME_ROOT_BELOW : FLAME_ROOT_ABOVE;
	if (strcmp(w->name, "html") == 0) {
		options.frames = tree_frames(c->arena, t, &frames);
		options.frame_count = frames < HOT_FRAMES ? frames : HOT_FRAMES;
	}
	if (strcmp(w->name, "folded") == 0 && flame_folded_scale(t))
		http_answer_field(c->answer, "X-Profdepot-Scale",
			arena_printf(c->arena, "1e%d", flame_folded_scale(t)));
	return w->write(c->answer->out, t, &options, err);
}

static bool
flame(struct http_call *c, const struct flame_writer *w, struct error *err)
{
	int64_t inst_id;
	struct db *db = handle_inst_id(c, &inst_id, err) ? handle_report_snapshot(c, err) : NULL;
	struct tree_request q;
	const struct tree *t;

	if (!db || !make_request(c, db, inst_id, &q, err))
		return false;
	t = trees_make(db, c->arena, &q, err);
	if (t && text_is_null(t->metric))
		return error_set(err, ERROR_NOT_FOUND, "result set %lld has no call tree",
			(long long)q.inst_id);
	return t && write_flame(c, w, t, err);
}

bool
handle_flame(struct http_call *c, struct error *err)
{
#define FLAME_TYPE(name, type) { #name, type },
	static const struct http_type types[] = { FLAME_TABLE(FLAME_TYPE) };
#undef FLAME_TYPE
	const struct http_type *t =
		http_choose_type(c, "format", types, sizeof(types) / sizeof(types[0]), err);

	if (!t)
		return false;
	if (strcmp(t->name, "svg") == 0 || strcmp(t->name, "html") == 0)
		handle_active(c);
	return flame(c, flame_writer_find(t->name), err) || handle_parameter_words(err);
}

static void
name_file(struct http_call *c, int64_t inst_id, const char *extension)
{
	http_answer_field(c->answer, "Content-Disposition",
		arena_printf(c->arena, "attachment; filename=\"profdepot-%lld.%s\"",
			(long long)inst_id, extension));
}

static bool
write_export(struct http_call *c, struct db *db, struct depot_source *s, const struct format *f,
	int64_t inst_id, struct error *err)
{
	const struct format_write_options options = { http_query_int(c, "track", 0),
		http_query_text(c, "metric") };

	c->answer->content_type = export_type(f);
	if (!f->write) {
		if (options.track || options.metric)
			return error_set(err, ERROR_USAGE,
				"track and metric only apply to formats with a single file");
		if (!export_write_tar(db, &inst_id, 1, c->answer->out, err))
			return false;
		name_file(c, inst_id, "tar");
		return true;
	}
	if (!export_check_metric(s, options.metric, err) ||
		!export_write(s, f, &options, c->answer->out, err))
		return false;
	name_file(c, inst_id, f->extension);
	return true;
}

static bool export(struct http_call *c, const char *name, int64_t inst_id, struct error *err)
{
	const struct format *f = strcmp(name, "own") == 0 ? NULL : export_named_format(name, err);
	struct depot_source *s;
	struct db *db;
	bool ok;

	if (!f && err->code) {
		c->answer->status = 404;
		err->code = ERROR_NOT_FOUND;
		return false;
	}
	db = handle_report_snapshot(c, err);
	s = db ? depot_source_new(db, &inst_id, 1, err) : NULL;
	if (!s)
		return false;
	if (!f)
		f = export_own_format(depot_source_interface(s), err);
	ok = f && write_export(c, db, s, f, inst_id, err);
	depot_source_free(s);
	return ok;
}

bool
handle_export(struct http_call *c, struct error *err)
{
	const char *name = http_field_find(&c->request->parts, "format").data;
	int64_t inst_id;

	if (!handle_inst_id(c, &inst_id, err))
		return false;
	if (strcmp(name, "folded") != 0)
		return export(c, name, inst_id, err) || handle_parameter_words(err);
	if (http_query_text(c, "track"))
		return error_set(err, ERROR_USAGE, "track does not apply to folded stacks");
	c->answer->content_type = "text/plain; charset=utf-8";
	if (!flame(c, flame_writer_find(name), err))
		return handle_parameter_words(err);
	name_file(c, inst_id, name);
	return true;
}
