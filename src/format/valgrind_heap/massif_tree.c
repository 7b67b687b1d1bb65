/*
 * massif's call trees. Each sample has the stack of a node. Its value is the node's bytes minus the
 * bytes of the node's callers. The samples therefore add up to the root's bytes.
 */
#include "base/array.h"
#include "heap_frame.h"
#include "massif_private.h"

bool
massif_issue(struct massif *m, enum issue_code code, const char *message)
{
	return !m->emitting || reader_issue(m->in, code, "%s", message);
}

bool
massif_next_line(struct massif *m, bool *more)
{
	if (!reader_next_line(m->in, more))
		return false;
	if (*more && m->in->line.cut)
		return reader_refuse(m->in, "line has more than %d bytes", MASSIF_MAX_LINE_BYTES);
	if (*more && m->in->line.bad_utf8)
		return massif_issue(m, ISSUE_BAD_UTF8, "invalid UTF-8 replaced by U+FFFD");
	return true;
}

static bool
emit_node(struct massif *m, int64_t bytes)
{
	const struct decimal value = decimal_from_int64(bytes);
	bool peak = m->snapshot.number == m->peak;
	struct sample_row row = { .track = peak ? m->peak_track : m->last_track,
		.metric = peak ? m->peak_metric : m->last_metric,
		.values = &value,
		.value_count = 1 };

	stack_begin(m->frames);
	/* The root is a frame only if the tree has no other node. */
	for (size_t i = m->depth > 1 ? 1 : 0; i < m->depth; i++)
		stack_push_numbers(m->frames, m->nodes[i].numbers);
	if (!stack_end_reported(m->frames, m->in, &row.stack))
		return false;
	return emit_sample(m->in, &row);
}

/* Completes the innermost open node. */
static bool
close_node(struct massif *m)
{
	const struct massif_node *n = m->nodes ? &m->nodes[m->depth - 1] : NULL;
	int64_t own = n ? n->bytes - n->inner : 0;

	if (!n)
		return true;
	if (n->children &&
		!massif_issue(m, ISSUE_ODD_VALUE, "the tree has fewer calls than it announces"))
		return false;
	if (own < 0 && !massif_issue(m, ISSUE_ODD_VALUE,
			       "the callers of a call hold more bytes than the call"))
		return false;
	if (own && m->emitting && !emit_node(m, own))
		return false;
	m->depth--;
	return true;
}

/* "n2: 48 0x1091BA: mk (t.c:5)" */
static bool
parse_node(struct massif *m, struct text t, struct massif_node *node, struct text *frame)
{
	int64_t children = 0;

	if (!scan_word(&t, "n") || !scan_int64(&t, &children) || !scan_word(&t, ": ") ||
		!scan_int64(&t, &node->bytes) || (t.size && !scan_word(&t, " ")))
		return reader_refuse(
			m->in, "expected a line of a tree: \"n\", calls, \": \", bytes, frame");
	node->children = (uint64_t)children;
	*frame = t;
	return true;
}

/* Reads a line of the tree. The number of blanks before it is the depth of the node. */
static bool
read_node(struct massif *m, size_t indent)
{
	struct text t = { m->in->line.text.data + indent, m->in->line.text.size - indent };
	struct massif_node node = { 0 };
	struct massif_node *parent;
	struct text text = TEXT_NULL;
	struct frame f;

	if (!parse_node(m, t, &node, &text))
		return false;
	if (indent > m->depth)
		return reader_refuse(m->in, "a call of the tree has no parent");
	while (m->depth > indent)
		if (!close_node(m))
			return false;
	parent = m->depth ? &m->nodes[m->depth - 1] : NULL;
	if (parent && !parent->children)
		return reader_refuse(m->in, "a call has more callers than it announces");
	if (parent) {
		parent->children--;
		if (__builtin_add_overflow(parent->inner, node.bytes, &parent->inner))
			return reader_refuse(m->in, "a tree holds more than 2^63 bytes");
	}
	if (!indent && !m->root.data)
		m->root = arena_text(&m->arena, text);
	f = heap_frame_parse(text);
	if (m->emitting && !frame_intern(m->frames, &f, &node.numbers, m->in->err))
		return false;
	*ARRAY_ADD(m->nodes, m->depth, m->room) = node;
	return true;
}

static size_t
indent_of(struct text t)
{
	size_t n = 0;

	while (n < t.size && t.data[n] == ' ')
		n++;
	return n;
}

/* Reads the lines of a tree, or skips them if the tree is not `wanted`. */
static bool
read_tree(struct massif *m, bool wanted)
{
	bool more;

	m->depth = 0;
	for (;;) {
		size_t indent;

		if (!massif_next_line(m, &more))
			return false;
		indent = more ? indent_of(m->in->line.text) : 0;
		if (!more || indent == m->in->line.text.size ||
			m->in->line.text.data[indent] != 'n')
			break;
		if (wanted && !read_node(m, indent))
			return false;
	}
	while (m->depth)
		if (!close_node(m))
			return false;
	if (more)
		line_again(m->in->lines);
	return true;
}

bool
massif_read_heap_tree(struct massif *m, struct text rest)
{
	struct massif_snapshot *s = &m->snapshot;
	bool peak = text_equal(rest, TEXT_LITERAL("peak"));

	if (text_equal(rest, TEXT_LITERAL("empty")))
		return true;
	if (!peak && !text_equal(rest, TEXT_LITERAL("detailed")))
		return reader_refuse(m->in, "heap_tree is not empty, detailed or peak");
	if (m->emitting)
		return read_tree(m, s->number == m->peak || s->number == m->last);
	if (peak) {
		m->peak = s->number;
		m->peak_time = s->time;
		m->peak_bytes = s->values[0];
	} else {
		m->last = s->number;
		m->last_time = s->time;
	}
	return read_tree(m, true);
}
