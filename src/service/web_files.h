/* The pages: files of one folder, found and read once, when the server starts. */
#ifndef PROFDEPOT_SERVICE_WEB_FILES_H
#define PROFDEPOT_SERVICE_WEB_FILES_H

#include "base/arena.h"

struct web_file {
	const char *path; /* below the folder: "index.html", "vendor/d3.min.js" */
	const char *content_type;
	const char *policy; /* Content-Security-Policy; NULL: the answer's usual one */
	const char *etag;
	const char *modified; /* as HTTP dates are written */
	struct text content;
};

struct web_files {
	const struct web_file *items; /* ordered by path */
	size_t count;
};

/* The folder asked for; dir NULL: the one beside the program, or the one installed. No pages at all
 * is no error unless a folder was asked for: count is 0 then. ERROR_FILE, ERROR_LIMIT. */
bool web_files_read(struct arena *a, const char *dir, struct web_files *out, struct error *err);

/* NULL when there is none of that path; nothing but what was found at the start is ever given out.
 */
const struct web_file *web_file_find(const struct web_files *w, struct text path);

#endif
