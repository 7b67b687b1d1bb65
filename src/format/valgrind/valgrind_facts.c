/* Reads the leaves of an <error>. */
#include "valgrind_facts.h"

int64_t
valgrind_number_or_null(struct text t)
{
	uint64_t n;

	return valgrind_number(t, &n) && n < INT64_MAX ? (int64_t)n : MODEL_NULL;
}

static bool
add_note(struct vg_facts *f, size_t leaf, struct text t)
{
	if (f->note_count == VG_MAX_NOTES)
		return false;
	f->notes[f->note_count++] =
		(struct vg_note){ .text = t, .hthread = MODEL_NULL, .leaf = leaf };
	return true;
}

/* If struct vg_facts has a field for this leaf of <error> or <xwhat>, stores the leaf there. Otherwise returns
 * false. */
static bool
take_field(struct vg_facts *f, const struct vg_leaf *l, struct text t)
{
	static const struct {
		enum vg_element parent, element;
		size_t field;
	} fields[] = {
		{ VG_ERROR, VG_UNIQUE, offsetof(struct vg_facts, unique) },
		{ VG_ERROR, VG_TID, offsetof(struct vg_facts, tid) },
		{ VG_ERROR, VG_THREADNAME, offsetof(struct vg_facts, thread_name) },
		{ VG_ERROR, VG_KIND, offsetof(struct vg_facts, kind) },
		{ VG_ERROR, VG_WHAT, offsetof(struct vg_facts, what) },
		{ VG_ERROR, VG_FD, offsetof(struct vg_facts, fd) },
		{ VG_ERROR, VG_PATH, offsetof(struct vg_facts, path) },
		{ VG_XWHAT, VG_TEXT, offsetof(struct vg_facts, what) },
		{ VG_XWHAT, VG_LEAKEDBYTES, offsetof(struct vg_facts, bytes) },
		{ VG_XWHAT, VG_LEAKEDBLOCKS, offsetof(struct vg_facts, blocks) },
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (fields[i].parent == l->parent && fields[i].element == l->element) {
			struct text *field = (struct text *)(void *)((char *)f + fields[i].field);

			/* helgrind writes a <what> after <xwhat>: "with error code 16 (EBUSY)" */
			if (l->element == VG_WHAT && !text_is_null(*field))
				return false;
			*field = t;
			return true;
		}
	return false;
}

/* Reads a leaf of <error> that take_field did not store. Returns false if nothing uses the leaf. */
static bool
take_own(struct vg_facts *f, const struct vg_leaf *l, struct text t, size_t leaf)
{
	if (l->element == VG_AUXWHAT || l->element == VG_WHAT)
		return add_note(f, leaf, t);
	return (l->element == VG_OTHER_START || l->element == VG_OTHER_END) &&
	       text_is_empty(text_trim(t));
}

static bool
take_xwhat(struct vg_facts *f, const struct vg_leaf *l, struct text t)
{
	if (l->element != VG_HTHREADID || f->hthread != MODEL_NULL)
		return false;
	f->hthread = valgrind_number_or_null(t);
	return true;
}

/* Takes a leaf of an <xauxwhat>. A <text> begins a note; the leaves after it belong to this note. */
static bool
take_xauxwhat(struct vg_facts *f, const struct vg_leaf *l, struct text t, size_t leaf)
{
	struct vg_note *n = f->note_count ? &f->notes[f->note_count - 1] : NULL;

	if (l->element == VG_TEXT)
		return add_note(f, leaf, t);
	if (!n)
		return false;
	switch ((int)l->element) {
	case VG_HTHREADID:
		n->hthread = valgrind_number_or_null(t);
		return true;
	case VG_DIR:
		n->dir = t;
		return true;
	case VG_FILE:
		n->file = t;
		return true;
	case VG_LINE:
		n->line = t;
		return true;
	default:
		return false;
	}
}

/* Makes a note from the two leaves of drd's <first_observed_at>: an object and its address. */
static bool
take_observed(struct vg_document *d, struct vg_facts *f, const struct vg_leaf *l, struct text t,
	size_t leaf)
{
	struct vg_note *n;

	if (l->element == VG_WHAT)
		return add_note(f, leaf, t);
	n = f->note_count ? &f->notes[f->note_count - 1] : NULL;
	if (l->element != VG_ADDRESS || !n)
		return false;
	n->text.data = arena_printf(&d->waiting, "%.*s at %.*s was first observed",
		text_precision(n->text, 100), n->text.data, text_precision(t, 40), t.data);
	n->text.size = strlen(n->text.data);
	return true;
}

void
valgrind_facts(
	struct vg_document *d, const struct vg_record *r, struct vg_note *notes, struct vg_facts *f)
{
	struct strbuf *others = &d->notes;
	bool taken;

	*f = (struct vg_facts){ .hthread = MODEL_NULL, .notes = notes };
	strbuf_reset(others);
	for (size_t i = 0; i < r->leaf_count; i++) {
		const struct vg_leaf *l = &r->leaves[i];
		struct text t = vg_leaf_text(r, l);

		if (take_field(f, l, t))
			continue;
		switch ((int)l->parent) {
		case VG_ERROR:
			taken = take_own(f, l, t, i);
			break;
		case VG_XWHAT:
			taken = take_xwhat(f, l, t);
			break;
		case VG_XAUXWHAT:
			taken = take_xauxwhat(f, l, t, i);
			break;
		case VG_FIRST_OBSERVED:
			taken = take_observed(d, f, l, t, i);
			break;
		case VG_SUPPRESSION:
			if (l->element == VG_RAWTEXT)
				f->suppression = text_trim(t);
			taken = true;
			break;
		default:
			/* Ignore the leaves of a suppression's frames, because the suppression's text
			 * also contains the frames. */
			taken = strcmp(r->text.data + l->parent_name, "sframe") == 0;
		}
		if (!taken)
			valgrind_pair(others, r->text.data + l->name, t);
	}
	/* In XML, some texts end with a line feed. */
	if (!text_is_null(f->what))
		f->what = text_trim(f->what);
}

/* Begins the next element of the array `key`, which has n elements so far. If n is 0, begins the
 * array first. */
static void
begin_element(struct strbuf *b, const char *key, size_t n)
{
	if (n) {
		strbuf_append_char(b, ',');
		return;
	}
	members_key(b, key);
	strbuf_append_char(b, '[');
}

static void
add_notes(struct strbuf *b, const struct vg_facts *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->note_count; i++) {
		const struct vg_note *note = &f->notes[i];

		if (note->used)
			continue;
		begin_element(b, "notes", n++);
		if (text_is_null(note->file)) {
			valgrind_string(b, note->text);
			continue;
		}
		strbuf_append_str(b, "{\"text\":");
		valgrind_string(b, note->text);
		valgrind_member(b, "dir", note->dir);
		valgrind_member(b, "file", note->file);
		valgrind_member_number(b, "line", note->line);
		strbuf_append_char(b, '}');
	}
	if (n)
		strbuf_append_char(b, ']');
}

/* Appends [stack,frame,"0xADDRESS"] at once, without printf, because stripped programs have many frames without a
 * function. */
static void
add_address(struct strbuf *b, size_t stack, size_t frame, uint64_t ip)
{
	char text[2 * 24 + 32];
	char *at = text;
	int bits = 64;

	*at++ = '[';
	at += number_format_int64((int64_t)stack, at);
	*at++ = ',';
	at += number_format_int64((int64_t)frame, at);
	memcpy(at, ",\"0x", 4);
	at += 4;
	while (bits > 4 && !(ip >> (bits - 4)))
		bits -= 4;
	for (; bits; bits -= 4)
		*at++ = "0123456789ABCDEF"[ip >> (bits - 4) & 15];
	memcpy(at, "\"]", 2);
	strbuf_append(b, text, (size_t)(at + 2 - text));
}

/* Adds the addresses of frames without a function. Stacks and frames are numbered from 0. */
static void
add_addresses(struct strbuf *b, const struct vg_record *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->stack_count; i++)
		for (size_t k = 0; k < r->stacks[i].count; k++) {
			uint64_t ip = r->frames[r->stacks[i].first + k].ip;

			if (!ip)
				continue;
			begin_element(b, "addresses", n++);
			add_address(b, i, k, ip);
		}
	if (n)
		strbuf_append_char(b, ']');
}

void
valgrind_attributes_begin(
	struct vg_document *d, const struct vg_record *r, const struct vg_facts *f)
{
	struct strbuf *b = &d->attributes;

	strbuf_reset(b);
	if (!d->log)
		valgrind_member(b, "unique", f->unique);
	valgrind_member_number(b, "tid", f->tid);
	valgrind_member(b, "threadname", f->thread_name);
	if (f->hthread != MODEL_NULL)
		members_number(b, "hthreadid", (uint64_t)f->hthread);
	valgrind_member_number(b, "fd", f->fd);
	valgrind_member(b, "path", f->path);
	add_notes(b, f);
	add_addresses(b, r);
	valgrind_member(b, "suppression", f->suppression);
	members_array(b, "others", strbuf_text(&d->notes));
}
