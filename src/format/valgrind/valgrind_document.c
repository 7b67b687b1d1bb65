/* A document's result set and its import issues. */
#include "valgrind_private.h"

#include <stdarg.h>
#include <stdlib.h>

void
valgrind_document_init(struct vg_document *d, struct reader *in)
{
	*d = (struct vg_document){
		.in = in, .arena = ARENA_INIT, .waiting = ARENA_INIT, .leak_check = 1
	};
	strbuf_init(&d->head, VG_ARRAY_MAX_BYTES);
	strbuf_init(&d->clients, VG_ARRAY_MAX_BYTES);
	strbuf_init(&d->loose, VG_ARRAY_MAX_BYTES);
	strbuf_init(&d->others, VG_ARRAY_MAX_BYTES);
	strbuf_init(&d->notes, VG_MAX_RECORD_BYTES);
	strbuf_init(&d->attributes, (size_t)2 * VG_MAX_RECORD_BYTES);
}

void
valgrind_document_release(struct vg_document *d)
{
	frame_dictionary_free(d->frames);
	free(d->routines);
	free(d->count_values);
	free(d->known_frames);
	pair_map_release(&d->frame_index);
	pair_map_release(&d->counts);
	valgrind_threads_release(&d->threads);
	strbuf_release(&d->head);
	strbuf_release(&d->clients);
	strbuf_release(&d->loose);
	strbuf_release(&d->others);
	strbuf_release(&d->notes);
	strbuf_release(&d->attributes);
	arena_release(&d->arena);
	arena_release(&d->waiting);
}

bool
valgrind_document_set(struct vg_document *d)
{
	struct reader *in = d->in;
	const struct set_row row = { .source_inst_id = MODEL_NULL,
		.file = text_from(in->name),
		.line = d->log ? in->line.number : 0 };

	if (d->about.has_set)
		return true;
	if (!in->sink->set(in->sink, &row, &in->set, &d->wanted, in->err))
		return false;
	d->about.has_set = true;
	d->about.set = in->set;
	if (d->wanted)
		d->frames = frame_dictionary_new(in->sink, in->set);
	return true;
}

bool
valgrind_issue(struct vg_document *d, enum issue_code code, uint64_t line, uint64_t offset,
	const char *format, ...)
{
	const struct issue issue = { .code = code, .line = line, .offset = offset };
	char message[256];
	va_list args;

	d->damaged |= code == ISSUE_RECORD_BROKEN || code == ISSUE_UNFINISHED;
	if (!valgrind_document_set(d))
		return false;
	if (!d->wanted)
		return true;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return reader_issue_like(d->in, &issue, "%s", message);
}

struct text
valgrind_leaf(const struct vg_record *r, enum vg_element element)
{
	for (size_t i = 0; i < r->leaf_count; i++)
		if (r->leaves[i].element == element)
			return vg_leaf_text(r, &r->leaves[i]);
	return TEXT_NULL;
}
