/* The pages: the files of one folder, read when the server starts. */
#ifndef PROFDEPOT_SERVICE_WEB_FILES_H
#define PROFDEPOT_SERVICE_WEB_FILES_H

#include "base/arena.h"

struct web_file {
	const char *path; /* below the folder: "index.html", "vendor/d3.min.js" */
	const char *content_type;
	const char *policy; /* Content-Security-Policy; NULL means the usual one */
	const char *etag;
	const char *modified; /* as HTTP dates are written */
	struct text content;
};

struct web_files {
	const struct web_file *items; /* sorted by path */
	size_t count;
};

/* Reads `dir`, or if it is NULL, the folder next to the program or the installed one. count is 0 if
 * there are no pages; for a given folder this is an error. ERROR_FILE, ERROR_LIMIT. */
bool web_files_read(struct arena *a, const char *dir, struct web_files *out, struct error *err);

/* NULL if the path is unknown. Never touches the disk. */
const struct web_file *web_file_find(const struct web_files *w, struct text path);

#endif
