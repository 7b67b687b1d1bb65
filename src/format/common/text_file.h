/*
 * What the readers of text profiles share: each file of the bundle as a result
 * set of its own, lines with their place, and the words for what is wrong.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_TEXT_FILE_H
#define PROFDEPOT_FORMAT_COMMON_TEXT_FILE_H

#include "format/format.h"
#include "input/bundle/bundle.h"
#include "input/line_reader.h"
#include "format/common/reader.h"

/* One file while it is read. */
struct text_file {
	struct format_source *source;
	struct sink *sink;
	struct error *err;
	uint32_t set;
	size_t member;
	const char *name; /* of the member, for messages */
	bool lenient;
	bool wanted;      /* false: of a kind with documents, whose first set is known */
	bool again;       /* read returned false: the source's plan was changed, read anew */
	struct line line; /* the last one */

	struct line_reader *lines;
	int fd;
	int64_t before; /* bytes of the files before it */
};

/* A format whose files are read alone; one const table each. */
struct text_kind {
	const char *noun; /* "callgrind profile", for messages */
	bool documents;   /* a file may go on with further result sets: see text_file_set */
	/* Bits that the first lines show, 0 when it is none of this kind. The
	 * reader gives whole lines only; it is freed by the caller. */
	int (*look)(struct line_reader *head, const char *name);
	/* Tells the file's rows to its set; false: err, or f->again. */
	bool (*read)(struct text_file *f);
};

/* Of a single file; 0 for folders and archives with none of the kind. */
int text_files_probe(const struct format_source *source, const struct text_kind *kind);
enum format_result text_files_read(struct format_source *source, struct sink *sink,
	const struct text_kind *kind, struct error *err);

/* Lines from the file's start; max_line_bytes as in line_options. */
bool text_file_open(struct text_file *f, size_t max_line_bytes);
bool text_file_next(struct text_file *f, bool *more);
void text_file_close(struct text_file *f);

/* Begins a further result set of the file, with its number in f->set and f->wanted. */
bool text_file_set(struct text_file *f, const char *caption);

/* About the last line, whose bytes go with an issue. refuse returns false, and so does
 * bend: without --lenient, which makes it an issue. */
bool text_file_issue(struct text_file *f, enum issue_code code, const char *format, ...)
	ERROR_PRINTF(3, 4);
bool text_file_refuse(struct text_file *f, const char *format, ...) ERROR_PRINTF(2, 3);
bool text_file_bend(struct text_file *f, enum issue_code code, const char *format, ...)
	ERROR_PRINTF(3, 4);

/* A routine without any of its numbers but id. */
struct routine_row text_routine(int64_t id);

#endif
