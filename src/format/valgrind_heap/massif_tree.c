/*
 * massif's trees of calls: each node's bytes beside those of its callers are told with the
 * stack that leads there, so that the samples add up to the root.
 */
#include "heap_frame.h"
#include "massif_private.h"

#include <stdlib.h>

/* What a call holds beside its callers, with the stack that leads there. */
static bool
tell_node(struct massif *m, int64_t bytes)
{
	const struct decimal value = decimal_from_int64(bytes);
	bool peak = m->snapshot.number == m->peak;
	struct sample_row row = { .track = peak ? m->peak_track : m->last_track,
		.metric = peak ? m->peak_metric : m->last_metric,
		.values = &value,
		.value_count = 1 };
	size_t cut;

	stack_begin(m->frames_told);
	/* The root is no frame, but where it has no call. */
	for (size_t i = m->depth > 1 ? 1 : 0; i < m->depth; i++)
		stack_push_numbers(m->frames_told, m->nodes[i].numbers);
	if (!stack_end(m->frames_told, false, &row.stack, &cut, m->err))
		return false;
	if (cut && !massif_issue(m, ISSUE_STACK_TOO_DEEP, "a stack lost its outermost frames"))
		return false;
	return m->sink->sample(m->sink, m->set, &row, m->err);
}

/* The innermost open node is whole. */
static bool
close_node(struct massif *m)
{
	const struct massif_node *n = m->nodes ? &m->nodes[m->depth - 1] : NULL;
	int64_t own = n ? n->bytes - n->inner : 0;

	if (!n)
		return true;

	if (n->children &&
		!massif_issue(m, ISSUE_ODD_VALUE, "a tree lacks calls that it announced"))
		return false;
	if (own < 0 && !massif_issue(m, ISSUE_ODD_VALUE, "a call's callers hold more than itself"))
		return false;
	if (own && m->telling && !tell_node(m, own))
		return false;
	m->depth--;
	return true;
}

static void
add_node(struct massif *m, struct massif_node node)
{
	if (!m->nodes || m->depth == m->room) {
		m->room = m->room ? m->room * 2 : 64;
		m->nodes = xrealloc(m->nodes, m->room * sizeof(*m->nodes));
	}
	m->nodes[m->depth++] = node;
}

/* "n2: 48 0x1091BA: mk (t.c:5)" behind its blanks. */
static bool
parse_node(struct massif *m, struct text t, struct massif_node *node, struct text *frame)
{
	int64_t children = 0;

	if (!massif_take(&t, "n") || !massif_take_number(&t, &children) || !massif_take(&t, ": ") ||
		!massif_take_number(&t, &node->bytes) || (t.size && !massif_take(&t, " ")))
		return massif_refuse(
			m, "no line of a tree: \"n\", calls, \": \", bytes and a frame");
	node->children = (uint64_t)children;
	*frame = t;
	return true;
}

/* Below the node that is open at that depth. */
static bool
read_node(struct massif *m, size_t indent)
{
	struct text t = { m->line.text.data + indent, m->line.text.size - indent };
	struct massif_node node = { 0 };
	struct massif_node *parent;
	struct text text = TEXT_NULL;
	struct frame f;

	if (!parse_node(m, t, &node, &text))
		return false;
	if (indent > m->depth)
		return massif_refuse(m, "a call of the tree without one above it");
	while (m->depth > indent)
		if (!close_node(m))
			return false;
	parent = m->depth ? &m->nodes[m->depth - 1] : NULL;
	if (parent && !parent->children)
		return massif_refuse(m, "a call has more callers than it announced");
	if (parent) {
		parent->children--;
		if (__builtin_add_overflow(parent->inner, node.bytes, &parent->inner))
			return massif_refuse(m, "a tree holds more than 2^63 bytes");
	}
	if (!indent && !m->root.data)
		m->root = arena_text(&m->arena, text);
	f = heap_frame_parse(text);
	if (m->telling && !frame_intern(m->frames_told, &f, &node.numbers, m->err))
		return false;
	add_node(m, node);
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

/* The lines of a tree: as many as its root and calls announce. */
static bool
read_tree(struct massif *m)
{
	bool more;

	m->depth = 0;
	for (;;) {
		size_t indent;

		if (!massif_next_line(m, &more))
			return false;
		indent = more ? indent_of(m->line.text) : 0;
		if (!more || indent == m->line.text.size || m->line.text.data[indent] != 'n')
			break;
		if (!read_node(m, indent))
			return false;
	}
	while (m->depth)
		if (!close_node(m))
			return false;
	if (more)
		line_again(m->lines);
	return true;
}

static bool
pass_tree(struct massif *m)
{
	bool more;

	for (;;) {
		struct text t;
		size_t indent;

		if (!massif_next_line(m, &more))
			return false;
		t = m->line.text;
		indent = more ? indent_of(t) : 0;
		if (!more || indent == t.size || t.data[indent] != 'n')
			break;
	}
	if (more)
		line_again(m->lines);
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
		return massif_refuse(m, "heap_tree is neither empty nor detailed nor peak");
	if (m->telling)
		return s->number == m->peak || s->number == m->last ? read_tree(m) : pass_tree(m);
	if (peak) {
		m->peak = s->number;
		m->peak_time = s->time;
		m->peak_bytes = s->values[0];
	} else {
		m->last = s->number;
		m->last_time = s->time;
	}
	return read_tree(m);
}
