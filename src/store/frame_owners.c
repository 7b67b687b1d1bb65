/* Asks the depot which frames belong to the system. */
#include "store/frame_owners.h"

#include "base/json_writer.h"
#include "store_private.h"

#include <stdlib.h>

enum {
	FRAMES_AT_ONCE = 20000 /* a few megabytes of names */
};

/* [["module", "class", "routine", "file"], ...]; the caller frees it. */
static char *
list_names(const struct table_frame *frames, size_t count)
{
	char *names = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&names, &size);
	struct json_writer w;
	bool failed;

	if (!out)
		return NULL;
	json_writer_init(&w, out, false);
	json_begin_array(&w);
	for (size_t i = 0; i < count; i++) {
		json_begin_array(&w);
		json_text(&w, frames[i].module_name);
		json_text(&w, frames[i].class_name);
		json_text(&w, frames[i].routine_name);
		json_text(&w, frames[i].source_file);
		json_end_array(&w);
	}
	json_end_array(&w);
	failed = ferror(out);
	if (fclose(out) == 0 && !failed)
		return names;
	free(names);
	return NULL;
}

static bool
find_some(struct db *db, const struct table_frame *frames, size_t count, struct frame_owner *owners,
	struct error *err)
{
	char *names = list_names(frames, count);
	struct db_result *r;

	if (!names)
		return error_set(err, ERROR_LIMIT, "no memory for the frame names");
	r = STORE_QUERY(db, "frame_owners", SQL_STORE_FRAME_OWNERS,
		err, [SQL_STORE_FRAME_OWNERS_NAMES] = names);
	free(names);
	if (!r)
		return false;
	for (size_t i = 0; i < count && i < db_result_rows(r); i++) {
		owners[i].system = db_result_bool(r, i, 0);
		owners[i].allocator = db_result_bool(r, i, 1);
	}
	db_result_free(r);
	return true;
}

bool
frame_owners_find(struct db *db, const struct table_frame *frames, size_t count,
	struct frame_owner *owners, struct error *err)
{
	for (size_t i = 0; i < count; i += FRAMES_AT_ONCE) {
		size_t n = count - i < FRAMES_AT_ONCE ? count - i : FRAMES_AT_ONCE;

		if (!find_some(db, frames + i, n, owners + i, err))
			return false;
	}
	return true;
}
