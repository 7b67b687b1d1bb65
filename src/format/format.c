/* The list of formats, and the detection of an input's format. */
#include "format/format.h"

#include "foreign.h"
#include "format/formats.h"
#include "input/bundle/bundle.h"
#include "input/json/json_shape.h"

#include <string.h>

#define FORMAT_ROW(name) &format_##name,
const struct format *const formats[] = { FORMAT_TABLE(FORMAT_ROW) NULL };
#undef FORMAT_ROW

enum {
	KEYS_SHOWN = 8,
	KEY_SHOWN_BYTES = 40
};

const struct format *
format_find(const char *name)
{
	for (size_t i = 0; formats[i]; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	return NULL;
}

/* Appends to a text of fixed size; cuts what does not fit. */
static void
append(char *out, size_t size, const char *piece)
{
	size_t used = strlen(out);

	snprintf(out + used, size - used, "%s", piece);
}

/* Describes the top level, for example: an array of objects with the keys "a", "b". */
static void
describe_json(const struct json_shape *shape, char *out, size_t size)
{
	bool array = shape->top == JSON_TOP_ARRAY;

	out[0] = '\0';
	if (shape->top == JSON_TOP_OTHER) {
		append(out, size, "a single value");
		return;
	}
	if (shape->key_count == 0) {
		append(out, size, array ? "an array without objects" : "an empty object");
		return;
	}
	append(out, size, array ? "an array of objects with the keys" : "an object with the keys");
	for (size_t i = 0; i < shape->key_count && i < KEYS_SHOWN; i++) {
		char key[KEY_SHOWN_BYTES + 8];

		snprintf(key, sizeof(key), "%s \"%.*s\"", i ? "," : "",
			text_precision(shape->keys[i], KEY_SHOWN_BYTES), shape->keys[i].data);
		for (char *p = key; *p; p++)
			if ((unsigned char)*p < 0x20 || *p == 0x7F)
				*p = '?';
		append(out, size, key);
	}
	if (shape->key_count > KEYS_SHOWN)
		append(out, size, " ...");
}

/* The number of keys that f->known_by contains. */
static size_t
count_known(const struct format *f, const struct json_shape *shape)
{
	size_t count = 0;

	for (size_t i = 0; i < shape->key_count; i++) {
		char quoted[KEY_SHOWN_BYTES + 8];

		snprintf(quoted, sizeof(quoted), "\"%.*s\"",
			text_precision(shape->keys[i], KEY_SHOWN_BYTES), shape->keys[i].data);
		count += shape->keys[i].size > 0 && strstr(f->known_by, quoted) != NULL;
	}
	return count;
}

/* The format that has the most of these keys; NULL if no format has a key. */
static const struct format *
nearest(const struct json_shape *shape)
{
	const struct format *best = NULL;
	size_t most = 0;

	for (size_t i = 0; formats[i]; i++) {
		size_t count = formats[i]->json ? count_known(formats[i], shape) : 0;

		if (count > most) {
			most = count;
			best = formats[i];
		}
	}
	return best;
}

static const char lists_all[] =
	"\"profdepot formats\" lists the formats; with --output json also what identifies each";

/* Adds the formats' hints about an input that no format recognises. */
static void
hint_nearly(const struct format_source *source, char *out, size_t size)
{
	for (size_t i = 0; formats[i]; i++) {
		const char *nearly = formats[i]->nearly ? formats[i]->nearly(source) : NULL;

		append(out, size, nearly ? nearly : "");
		append(out, size, nearly ? "; " : "");
	}
}

static void
hint_json(char *out, size_t size)
{
	append(out, size, "looked for");
	for (size_t i = 0, n = 0; formats[i]; i++) {
		if (!formats[i]->json)
			continue;
		append(out, size, n++ ? "; " : " ");
		append(out, size, formats[i]->name);
		append(out, size, ": ");
		append(out, size, formats[i]->known_by);
	}
}

static bool
refuse(const struct format_source *source, struct error *err)
{
	bool json = source->shape && source->shape->top != JSON_TOP_NONE;
	const struct format *near = json ? nearest(source->shape) : NULL;
	char top[KEYS_SHOWN * (KEY_SHOWN_BYTES + 8) + 64];
	char hint[sizeof(err->hint)] = "";

	if (foreign_refuse(source, err))
		return false;
	if (json) {
		describe_json(source->shape, top, sizeof(top));
		error_set(err, ERROR_INPUT,
			"%s: JSON, but not in a format that profdepot reads: %s", source->path,
			top);
	} else {
		error_set(
			err, ERROR_INPUT, "%s: not in a format that profdepot reads", source->path);
	}
	if (near)
		return error_hint(err, "the nearest is %s: %s; \"profdepot formats\" lists all",
			near->name, near->known_by);
	hint_nearly(source, hint, sizeof(hint));
	if (json)
		hint_json(hint, sizeof(hint));
	else
		append(hint, sizeof(hint), lists_all);
	return error_hint(err, "%s", hint);
}

/* The first format whose search succeeds in an input that no probe recognised. */
static const struct format *
search(const struct format_source *source)
{
	for (size_t i = 0; formats[i]; i++)
		if (formats[i]->reads && formats[i]->search && formats[i]->search(source))
			return formats[i];
	return NULL;
}

const struct format *
format_detect(const struct format_source *source, struct error *err)
{
	const struct format *best = NULL;
	int most = 0;

	for (size_t i = 0; formats[i]; i++) {
		int bits = formats[i]->reads ? format_probe(formats[i], source) : 0;

		if (bits > most) {
			most = bits;
			best = formats[i];
		}
	}
	if (!best && source->bundle && (bundle_is_file(source->bundle) || !source->shape))
		best = search(source);
	if (!best)
		refuse(source, err);
	return best;
}
