/* The pages: the files of one folder, read when the server starts. */
#ifndef PROFDEPOT_SERVICE_WEB_FILES_H
#define PROFDEPOT_SERVICE_WEB_FILES_H

#include "base/arena.h"

struct web_file {
	const char *path; /* path below the folder: "index.html", "vendor/d3.min.js" */
	const char *content_type;
	const char *policy; /* Content-Security-Policy; NULL means the default policy */
	const char *etag;
	const char *modified; /* time as an HTTP date */
	struct text content;
	struct text packed; /* the content compressed by gzip; NULL if it is not smaller */
};

struct web_files {
	const struct web_file *items; /* sorted by path */
	size_t count;
};

/* Reads the folder `dir`; NULL means the folder next to the program or the installed folder. If `dir` is
 * NULL and there are no pages, out->count is 0. Fails with ERROR_FILE or ERROR_LIMIT. */
bool web_files_read(struct arena *a, const char *dir, struct web_files *out, struct error *err);

/* Finds a file in memory. Returns NULL if the path is unknown. */
const struct web_file *web_file_find(const struct web_files *w, struct text path);

#endif
