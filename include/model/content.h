/* The kinds of content that a result set can have. Most export formats preserve only some of
 * them. */
#ifndef PROFDEPOT_MODEL_CONTENT_H
#define PROFDEPOT_MODEL_CONTENT_H

#include "base/text.h"

/* The columns: identifier, name in store/sql/export_contents.sql, and what an export loses if its
 * format does not preserve this content. */
#define CONTENT_TABLE(X) \
	X(CONTENT_OBJECTS, "objects", "objects") \
	X(CONTENT_OBJECT_DETAILS, "object_details", \
		"addresses, threads and leak kinds of objects") \
	X(CONTENT_CLASSES, "classes", "counters of classes") \
	X(CONTENT_ERRORS, "errors", "errors") \
	X(CONTENT_ERROR_DETAILS, "error_details", "descriptions and codes of errors") \
	X(CONTENT_FURTHER_STACKS, "further_stacks", \
		"further stacks of objects, errors and threads") \
	X(CONTENT_SUPPRESSIONS, "suppressions", "suppressions") \
	X(CONTENT_SAMPLES, "samples", "samples") \
	X(CONTENT_SPANS, "spans", "spans") \
	X(CONTENT_SPAN_DETAILS, "span_details", "attributes, commands and stacks of spans") \
	X(CONTENT_GRAPH, "graph", "the call graph") \
	X(CONTENT_LABELS, "labels", "labels") \
	X(CONTENT_RUN, "run", "the run and what it looked for")

enum content {
#define CONTENT_ENUM(id, name, title) id,
	CONTENT_TABLE(CONTENT_ENUM)
#undef CONTENT_ENUM
	CONTENTS
};

/* A set of kinds of content is a number with these bits. */
#define CONTENT_BIT(id) (1U << (id))
#define CONTENT_ALL (CONTENT_BIT(CONTENTS) - 1)

/* Returns CONTENTS if no kind of content has this name. */
enum content content_find(struct text name);
const char *content_title(enum content c);

#endif
