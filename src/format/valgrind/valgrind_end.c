#include "valgrind_private.h"

/* The end of a document: what waited, its attributes, and whether its sums are right. */

enum {
	ATTRIBUTES_MAX_BYTES = 8 * 1024 * 1024
};

static bool
check_leaks(struct vg_document *d, struct error *err)
{
	static const char *const names[] = { "definitely lost", "indirectly lost", "possibly lost",
		"still reachable" };

	for (int i = 0; i < VG_LEAKS; i++) {
		const struct vg_leak_sum *s = &d->leaks[i];

		/* Kinds that were not asked for have no records. */
		if (!s->told || !s->records ||
			(s->bytes == s->summary_bytes && s->blocks == s->summary_blocks))
			continue;
		if (!valgrind_issue(d, ISSUE_SUMMARY, 0, 0, err,
			    "%s: the records hold %llu bytes in %llu blocks, the leak summary says "
			    "%llu in %llu",
			    names[i], (unsigned long long)s->bytes, (unsigned long long)s->blocks,
			    (unsigned long long)s->summary_bytes,
			    (unsigned long long)s->summary_blocks))
			return false;
	}
	return true;
}

/* Which leaks count as errors is an option: so many are certain, and so many at most. */
static bool
check_errors(struct vg_document *d, struct error *err)
{
	uint64_t leaks = (uint64_t)d->objects;
	uint64_t contexts = (uint64_t)(d->errors - d->signals);

	if (!d->has_error_summary ||
		(d->summary_contexts >= contexts && d->summary_contexts <= contexts + leaks &&
			d->summary_errors >= d->sum_errors &&
			d->summary_errors <= d->sum_errors + leaks))
		return true;
	return valgrind_issue(d, ISSUE_SUMMARY, 0, 0, err,
		"the records hold %llu errors of %llu contexts and %llu leaks, the error summary "
		"says %llu of %llu",
		(unsigned long long)d->sum_errors, (unsigned long long)contexts,
		(unsigned long long)leaks, (unsigned long long)d->summary_errors,
		(unsigned long long)d->summary_contexts);
}

static void
add_list(struct strbuf *b, const char *key, const struct strbuf *elements)
{
	if (!elements->size)
		return;
	valgrind_json_key(b, text_from(key));
	strbuf_append_char(b, '[');
	strbuf_append_text(b, strbuf_text(elements));
	strbuf_append_char(b, ']');
}

static bool
tell(struct vg_document *d, const char *key, struct text value, struct error *err)
{
	return text_is_empty(value) || d->sink->metadata(d->sink, d->about.set, key, value, err);
}

static bool
tell_caption(struct vg_document *d, struct error *err)
{
	struct text application = d->about.application;
	char caption[160];

	if (text_is_empty(application) || text_is_empty(d->about.pid))
		return true;
	if (d->part)
		snprintf(caption, sizeof(caption), "%.*s, part %u behind process %.*s",
			text_precision(application, 80), application.data, d->part,
			text_precision(d->about.pid, 20), d->about.pid.data);
	else
		snprintf(caption, sizeof(caption), "%.*s, process %.*s",
			text_precision(application, 80), application.data,
			text_precision(d->about.pid, 20), d->about.pid.data);
	return tell(d, "caption", text_from(caption), err);
}

static bool
tell_about(struct vg_document *d, struct error *err)
{
	struct strbuf all;
	bool ok;

	strbuf_init(&all, ATTRIBUTES_MAX_BYTES);
	strbuf_append_text(&all, strbuf_text(&d->head));
	if (d->part) {
		valgrind_json_uint(&all, "part", d->part);
		valgrind_json_number(&all, "behind_pid", d->about.pid);
	}
	add_list(&all, "client_messages", &d->clients);
	add_list(&all, "open_file_stacks", &d->loose);
	add_list(&all, "others", &d->others);
	if (all.size) {
		struct strbuf object;

		strbuf_init(&object, ATTRIBUTES_MAX_BYTES + 2);
		strbuf_append_char(&object, '{');
		strbuf_append_text(&object, strbuf_text(&all));
		strbuf_append_char(&object, '}');
		ok = tell(d, "attributes", strbuf_text(&object), err);
		strbuf_release(&object);
	} else {
		ok = true;
	}
	strbuf_release(&all);
	return ok && tell(d, "application", d->about.application, err) &&
	       tell(d, "tool", d->about.tool, err) && tell_caption(d, err);
}

static bool
tell_threads(struct vg_document *d, struct error *err)
{
	for (size_t i = 0; i < d->threads.count; i++)
		if (!valgrind_thread_tell(&d->threads, (int64_t)i, d->sink, d->about.set, err))
			return false;
	return true;
}

bool
valgrind_document_end(struct vg_document *d, struct error *err)
{
	if (!d->wanted)
		return true;
	if (!valgrind_tell_waiting(d, err) || !tell_threads(d, err) || !tell_about(d, err) ||
		!check_leaks(d, err) || !check_errors(d, err))
		return false;
	return !d->left_out || valgrind_issue(d, ISSUE_ODD_LEFT_OUT, 0, 0, err,
				       "some of what the document says of itself is too much to "
				       "keep, and was left out");
}
