/* Names of the contents of result sets. */
#include "model/content.h"

enum content
content_find(struct text name)
{
	static const char *const names[CONTENTS] = {
#define CONTENT_NAME(id, name, title) [id] = name,
		CONTENT_TABLE(CONTENT_NAME)
#undef CONTENT_NAME
	};

	return (enum content)text_among(name, names, CONTENTS);
}

const char *
content_title(enum content c)
{
	static const char *const titles[CONTENTS] = {
#define CONTENT_TITLE(id, name, title) [id] = title,
		CONTENT_TABLE(CONTENT_TITLE)
#undef CONTENT_TITLE
	};

	return titles[c];
}
