#include "each_file.h"

static bool
leave_out(struct sink *sink, const struct each_file *each, const char *name, struct error *err)
{
	char message[128];
	const struct issue issue = { .code = ISSUE_NO_PROFILE, .source = name, .message = message };

	snprintf(message, sizeof(message), "no %s; it was left out", each->what);
	return sink->issue(sink, ISSUE_EVERY_SET, &issue, err);
}

static bool
read_one(struct format_source *source, struct sink *sink, const struct each_file *each,
	size_t member, struct error *err)
{
	struct set_row row = { .source_inst_id = MODEL_NULL };
	uint32_t set;
	bool wanted;

	row.file = text_from(bundle_member(source->bundle, member)->name);
	if (!sink->set(sink, &row, &set, &wanted, err))
		return false;
	return !wanted || each->read(source, sink, set, member, err);
}

enum format_result
each_file_read(struct format_source *source, struct sink *sink, const struct each_file *each,
	struct error *err)
{
	const size_t count = bundle_count(source->bundle);
	int64_t before = 0;
	size_t ours = 0;

	for (size_t i = 0; i < count; i++) {
		const struct bundle_member *m = bundle_member(source->bundle, i);
		const bool mine = count == 1 || each->is_ours(source, i);

		source->consumed = before;
		if (!(mine ? read_one(source, sink, each, i, err)
			   : leave_out(sink, each, m->name, err)))
			return FORMAT_FAILED;
		ours += mine;
		before += m->size;
		source->consumed = before;
	}
	if (!ours) {
		error_set(err, ERROR_INPUT, "%s: no %s in it", source->path, each->what);
		return FORMAT_FAILED;
	}
	return sink->end(sink, err) ? FORMAT_DONE : FORMAT_FAILED;
}

bool
name_ends_with(const char *name, const char *end)
{
	const struct text n = text_from(name), e = text_from(end);

	return n.size >= e.size &&
	       text_equal_nocase((struct text){ n.data + n.size - e.size, e.size }, e);
}
