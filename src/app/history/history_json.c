/* Writes the members that a JSON answer about history has besides its rows. */
#include "history_private.h"

#include "analysis/history.h"
#include "base/json_writer.h"

/* Writes a member with a text. An unknown text, which is NULL or empty, becomes null. */
static void
put(struct json_writer *w, const char *key, struct text t)
{
	json_key_text(w, key, text_is_empty(t) ? TEXT_NULL : t);
}

static void
put_run(struct json_writer *w, const struct history *h, const char *prefix, uint32_t group)
{
	const struct history_run *r = history_run_of_group(h, group);
	char key[32];

	snprintf(key, sizeof(key), "%s_inst_id", prefix);
	if (r)
		json_key_int(w, key, r->inst_id);
	else
		json_key_null(w, key);
	snprintf(key, sizeof(key), "%s_version", prefix);
	put(w, key, r ? r->version : TEXT_NULL);
}

/* Returns the size of the first label of a stream's labels, which are separated by blanks. A word without "=" belongs
 * to the value before it. */
static size_t
label_size(struct text labels)
{
	size_t size = labels.size;

	for (size_t i = size; i-- > 1;) {
		size_t word = labels.data[i] == ' ' ? i + 1 : 0;

		if (word && memchr(labels.data + word, '=', size - word))
			size = i;
	}
	return size;
}

static void
put_labels(struct json_writer *w, struct arena *a, struct text labels)
{
	json_key_object(w, "labels");
	while (labels.size) {
		struct text label = { labels.data, label_size(labels) };
		size_t key = text_find(label, "=");

		labels = text_from_at(labels, label.size + (label.size < labels.size));
		if (key == TEXT_NOT_FOUND)
			continue;
		json_key(w, arena_text(a, text_up_to(label, key)).data);
		json_text(w, text_from_at(label, key + 1));
	}
	json_end_object(w);
}

static void
put_stream(struct json_writer *w, const struct history *h)
{
	struct arena a = ARENA_INIT;

	json_key_object(w, "stream");
	json_key_text(w, "application", h->application);
	put_labels(w, &a, h->labels);
	put(w, "parent", h->parent);
	json_key_int(w, "runs", h->group_count - h->own_group);
	json_end_object(w);
	json_key_int(w, "ledger_no", h->ledger_no);
	arena_release(&a);
}

static void
put_finding(struct json_writer *w, const struct history_members *m)
{
	const struct history_finding *f = m->finding;
	struct arena a = ARENA_INIT;

	json_key_object(w, "finding");
	json_key_text(w, "identity", history_identity_text(&a, f));
	json_key_string(w, "state", history_state_names[f->state]);
	json_key_bool(w, "was_fixed", f->was_fixed);
	put(w, "kind", f->kind);
	put(w, "name", f->name);
	put(w, "class", f->class_name);
	put(w, "routine", history_routine(&a, f));
	put(w, "module", f->module_name);
	put(w, "source_file", f->source_file);
	put(w, "owner", m->owner);
	json_key_int(w, "runs", f->group_count);
	put_run(w, m->h, "first", f->first_seen);
	put_run(w, m->h, "last", f->last_seen);
	json_end_object(w);
	arena_release(&a);
}

static void
put_reviews(struct json_writer *w, const struct history_finding *f)
{
	json_key_array(w, "reviews");
	for (const struct history_review *r = f->review; r; r = r->older) {
		json_begin_object(w);
		json_key_int(w, "ledger_no", r->ledger_no);
		json_key_string(w, "status", review_status_names[r->status]);
		json_key_text(w, "fixed_in", r->fixed_in);
		json_key_text(w, "author", r->author);
		json_key_text(w, "reason", r->reason);
		json_key_text(w, "ticket", r->ticket);
		json_key_text(w, "until", r->until);
		json_key_bool(w, "expired", r->expired);
		json_key_text(w, "reviewed_at", r->reviewed_at);
		json_end_object(w);
	}
	json_end_array(w);
}

static void
put_stack(struct json_writer *w, const struct history_stack *stack)
{
	json_key_object(w, "stack");
	json_key_int(w, "inst_id", stack->inst_id);
	json_key_array(w, "frames");
	for (size_t i = 0; i < stack->count; i++) {
		const struct history_frame *f = &stack->frames[i];

		json_begin_object(w);
		put(w, "module", f->module);
		put(w, "class", f->class_name);
		put(w, "routine", f->routine);
		put(w, "file", f->source_file);
		json_key(w, "line");
		if (f->source_line > 0)
			json_int(w, f->source_line);
		else
			json_null(w);
		json_end_object(w);
	}
	json_end_array(w);
	json_end_object(w);
}

/* Writes the number of findings in each state. */
static void
put_states(struct json_writer *w, const struct history *h)
{
	int64_t counts[HISTORY_STATES] = { 0 };

	for (size_t i = 0; i < h->finding_count; i++)
		counts[h->findings[i].state]++;
	json_key_object(w, "states");
	for (int i = 0; i < HISTORY_STATES; i++)
		json_key_int(w, history_state_names[i], counts[i]);
	json_end_object(w);
}

void
history_put_members(struct json_writer *w, const void *members)
{
	const struct history_members *m = members;

	put_stream(w, m->h);
	if (!m->finding) {
		put_states(w, m->h);
		return;
	}
	put_finding(w, m);
	put_reviews(w, m->finding);
	if (m->stack->count)
		put_stack(w, m->stack);
	else
		json_key_null(w, "stack");
}
