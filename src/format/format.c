#include "format/format.h"

#include "format/formats.h"
#include "input/bundle.h"
#include "input/json_shape.h"

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

/* Appends to a text of a fixed size; what does not fit is cut. */
static void
append(char *out, size_t size, const char *piece)
{
	size_t used = strlen(out);

	snprintf(out + used, size - used, "%s", piece);
}

/* What stands at the top: "an array of objects with the keys "a", "b"". */
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
		append(out, size, array ? "an array that holds no object" : "an empty object");
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

static bool
refuse(const struct format_source *source, struct error *err)
{
	bool json = source->shape && source->shape->top != JSON_TOP_NONE;
	char top[KEYS_SHOWN * (KEY_SHOWN_BYTES + 8) + 64];
	char looked_for[sizeof(err->hint)] = "looked for ";

	if (json) {
		describe_json(source->shape, top, sizeof(top));
		error_set(err, ERROR_INPUT, "%s: JSON, but of no format that profdepot reads: %s",
			source->path, top);
	} else {
		error_set(err, ERROR_INPUT, "%s: no format that profdepot reads", source->path);
	}
	for (size_t i = 0, n = 0; formats[i]; i++) {
		if (!formats[i]->reads || !formats[i]->known_by || (json && formats[i]->tables))
			continue;
		append(looked_for, sizeof(looked_for), n++ ? "; " : "");
		append(looked_for, sizeof(looked_for), formats[i]->name);
		append(looked_for, sizeof(looked_for), ": ");
		append(looked_for, sizeof(looked_for), formats[i]->known_by);
	}
	return error_hint(err, "%s", looked_for);
}

/* The first format that finds itself anywhere in the input; its begin was no one's. */
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
		int bits = formats[i]->reads ? formats[i]->probe(source) : 0;

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
