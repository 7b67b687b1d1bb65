/* Escapes, measures and truncates text for pictures, and formats figures for people. */
#include "flame_private.h"

#include "render_private.h"

#include <math.h>

void
flame_escape(struct strbuf *b, struct text t)
{
	struct strbuf visible = STRBUF_INIT(FLAME_TEXT_MAX_BYTES);

	render_visible(&visible, t);
	for (size_t i = 0; i < visible.size; i++) {
		const unsigned char *p = (const unsigned char *)visible.data + i;
		const char *entity = render_entity(visible.data[i]);

		/* XML does not allow U+FFFE and U+FFFF. */
		if (p[0] == 0xef && visible.size - i >= 3 && p[1] == 0xbf && p[2] >= 0xbe) {
			strbuf_append_str(b, p[2] == 0xbe ? "\\ufffe" : "\\uffff");
			i += 2;
		} else if (entity) {
			strbuf_append_str(b, entity);
		} else {
			strbuf_append_char(b, visible.data[i]);
		}
	}
	strbuf_release(&visible);
}

/* Widths of the characters from ' ' to '~', in thousandths of the font size. */
static const uint16_t widths[] = { 318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318,
	361, 318, 337, 636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838,
	531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 455, 656, 557, 863, 748, 787, 603,
	787, 695, 684, 616, 732, 684, 989, 685, 615, 685, 454, 454, 454, 838, 636, 500, 613, 635,
	550, 635, 615, 352, 635, 634, 278, 344, 592, 278, 974, 634, 612, 635, 635, 427, 521, 394,
	634, 592, 818, 592, 592, 525, 636, 454, 636, 838 };

enum {
	ELLIPSIS_WIDTH = 1000,
	OTHER_WIDTH = 660,
	WIDE_WIDTH = 1000
};

/* The length of the UTF-8 character that begins with this (valid) byte. */
static size_t
char_bytes(unsigned char c)
{
	return c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

static unsigned
char_width(unsigned char c)
{
	if (c >= ' ' && c <= '~')
		return widths[c - ' '];
	/* From U+1000 on, characters such as CJK are square. */
	return c >= 0xe1 ? WIDE_WIDTH : OTHER_WIDTH;
}

static double
to_pixels(uint64_t width)
{
	return (double)width * FLAME_FONT_PX / 1000;
}

/* The text's width in pixels, in Verdana or DejaVu Sans with size FLAME_FONT_PX. */
static double
text_width(struct text t)
{
	uint64_t width = 0;

	for (size_t i = 0; i < t.size; i += char_bytes((unsigned char)t.data[i]))
		width += char_width((unsigned char)t.data[i]);
	return to_pixels(width);
}

bool
flame_text_cut(struct strbuf *b, struct text t, double pixels)
{
	struct strbuf visible = STRBUF_INIT(FLAME_TEXT_MAX_BYTES);
	uint64_t width = ELLIPSIS_WIDTH;
	size_t at = 0;
	size_t chars = 0;
	bool fits;

	render_visible(&visible, t);
	t = strbuf_text(&visible);
	fits = text_width(t) <= pixels;
	while (!fits && at < t.size) {
		width += char_width((unsigned char)t.data[at]);
		if (to_pixels(width) > pixels)
			break;
		at += char_bytes((unsigned char)t.data[at]);
		chars++;
	}
	if (fits) {
		strbuf_append_text(b, t);
	} else if (chars >= 3) {
		strbuf_append(b, t.data, at);
		strbuf_append_str(b, "…");
	}
	strbuf_release(&visible);
	return fits;
}

static double
to_double(wide_int v)
{
	return (double)v / 1e18;
}

static void
put_grouped(struct strbuf *b, double v)
{
	char digits[400];
	int n = snprintf(digits, sizeof(digits), fabs(v - round(v)) < 0.0005 ? "%.0f" : "%.3f", v);

	render_grouped(b, (struct text){ digits, (size_t)n });
}

struct step {
	const char *name;
	double size;
};

/* Appends v in the largest unit in which it is at least 1, with three significant digits. */
static void
put_scaled(struct strbuf *b, double v, const struct step *steps)
{
	double size = fabs(v);
	double scaled;

	while (steps[1].name && size >= steps[1].size * 0.9995)
		steps++;
	scaled = v / steps->size;
	if (fabs(scaled) >= 9999.5)
		put_grouped(b, round(scaled));
	else
		strbuf_printf(b, "%.*f",
			fabs(scaled - round(scaled)) < 0.005 ? 0
			: fabs(scaled) < 9.995               ? 2
			: fabs(scaled) < 99.95               ? 1
							     : 0,
			scaled);
	strbuf_printf(b, " %s", steps->name);
}

static const struct step bytes[] = { { "B", 1 }, { "KiB", 1024 }, { "MiB", 1048576 },
	{ "GiB", 1073741824 }, { "TiB", 1099511627776 }, { NULL, 0 } };
static const struct step times[] = { { "ns", 1 }, { "µs", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
	{ NULL, 0 } };

void
flame_figure(struct strbuf *b, struct text unit, wide_int v)
{
	static const struct step units[] = { { "nanoseconds", 1 }, { "microseconds", 1e3 },
		{ "milliseconds", 1e6 }, { "seconds", 1e9 }, { NULL, 0 } };

	if (text_equal(unit, TEXT_LITERAL("bytes"))) {
		put_scaled(b, to_double(v), bytes);
		return;
	}
	for (const struct step *u = units; u->name; u++) {
		if (!text_equal(unit, text_from(u->name)))
			continue;
		put_scaled(b, to_double(v) * u->size, times);
		return;
	}
	put_grouped(b, to_double(v));
}

void
flame_share(struct strbuf *b, wide_int v, wide_int all)
{
	double share = all ? 100 * (double)v / (double)all : 0;

	strbuf_printf(b, fabs(share - round(share)) < 0.005 ? "%.0f %%" : "%.2f %%", share);
}

void
flame_factor(struct strbuf *b, const struct tree *t, const char *before)
{
	if (t->base_factor > 0)
		strbuf_printf(b, "%sbase values × %.4g for equal totals", before, t->base_factor);
}

static void
put_set(struct strbuf *b, const struct tree_set *s)
{
	strbuf_append_text(b, s->inst_id);
	if (text_is_empty(s->caption))
		return;
	strbuf_append_char(b, ' ');
	strbuf_append_text(b, s->caption);
}

void
flame_title(struct strbuf *b, const struct tree *t, const struct flame_options *o)
{
	if (o->title) {
		strbuf_append_str(b, o->title);
		return;
	}
	strbuf_append_text(b, text_is_empty(t->title) ? t->metric : t->title);
	strbuf_append_str(b, t->inverted ? " by innermost frame: " : ": ");
	put_set(b, &t->set);
	if (!tree_is_compared(t))
		return;
	strbuf_append_str(b, " – before: ");
	put_set(b, &t->base);
}

void
flame_trimmed(struct strbuf *b, const struct tree *t, size_t drawn)
{
	size_t calls = t->all_nodes > drawn ? t->all_nodes - 1 : drawn - 1;

	put_grouped(b, (double)drawn - 1);
	if (t->all_nodes > drawn) {
		strbuf_append_str(b, " of ");
		put_grouped(b, (double)t->all_nodes - 1);
	}
	strbuf_append_str(b, calls == 1 ? " call drawn" : " calls drawn");
	if (t->all_nodes > t->count) {
		strbuf_append_str(b, "; ");
		put_grouped(b, (double)(t->all_nodes - t->count));
		strbuf_append_str(b, " were left out and are counted in ");
		strbuf_append_str(b, t->inverted ? "the calls they made" : "their callers");
	}
	if (t->more)
		strbuf_append_str(b, "; further callers were left out");
	if (t->count > drawn) {
		strbuf_append_str(b, "; ");
		put_grouped(b, (double)(t->count - drawn));
		strbuf_append_str(b, " are narrower than 0.1 px");
	}
}
