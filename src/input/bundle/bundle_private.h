/* Shared by the files of the bundle module. */
#ifndef PROFDEPOT_INPUT_BUNDLE_BUNDLE_PRIVATE_H
#define PROFDEPOT_INPUT_BUNDLE_BUNDLE_PRIVATE_H

#include "input/bundle/bundle.h"

#include <sys/stat.h>

/* A hint that says what an input is. bundle_hint gives another hint for a folder with folders inside it. */
#define BUNDLE_HINT \
	"an input is a file, or a folder or archive (zip, tar) of files; an AQTime export has " \
	"one file per table, such as INSTANCES.csv"

struct bundle_entry {
	struct bundle_member member;
	int fd;     /* descriptor of an unpacked or single file; -1 for a file in a folder */
	char *head; /* first bytes; NULL if not read */
	size_t head_size;
	struct json_shape *shape; /* in the bundle's arena; NULL if not read */
};

struct bundle {
	struct arena arena; /* path, names and folders */
	const char *path;
	struct bundle_options options;
	struct limits limits;
	int dir_fd;            /* the folder; -1 for an archive or file */
	const char *subfolder; /* the first folder inside the folder, or NULL */
	bool is_file;
	struct bundle_entry *entries;
	size_t count;
	size_t capacity;
	int64_t size;      /* bytes of all members */
	int64_t unpacked;  /* bytes written to temporary files, including those of packed members */
	int64_t packed;    /* size of the archive, or of the packed files of the folder so far */
	size_t heads_size; /* bytes of all heads in memory */
	/* The files that must not change, each with its state when the bundle was opened. */
	struct bundle_source *sources;
	size_t source_count, source_room;
	int source_fd; /* descriptor of a source that is a single file; -1 for a folder or stream */
};

/* Sets the hint of an error about the input as a whole. Returns false. */
bool bundle_hint(const struct bundle *b, struct error *err);

/* Adds the member and its fd without copying the names. The bundle owns the fd even on ERROR_LIMIT
 * (too many members). */
bool bundle_add(struct bundle *b, struct bundle_member member, int fd, struct error *err);

/* Stores the state of a file in the folder, or of the single file of the bundle. */
void bundle_note_source(struct bundle *b, const char *name, const struct stat *st);
bool bundle_note_file(struct bundle *b, int fd, struct error *err);
/* Waits if a file has just been written; see bundle_sources.c. Call it after the states of all files have
 * been stored, and before any file is read. */
void bundle_settle(const struct bundle *b);

/* Opens the same file again, with a separate offset, unlike dup(2). Returns -1 on error. */
int bundle_reopen(int fd);

/* Counts `more` unpacked bytes, and checks the limits. Call it before these bytes are written. `nested`
 * means that the packed file is a member of an archive. */
bool bundle_may_write(struct bundle *b, int64_t more, bool nested, struct error *err);

/* If the member is a file of a folder, counts its packed size. Returns whether the member is nested, that
 * is, a member of an archive. Call it before the member is unpacked or converted. */
bool bundle_count_packed(struct bundle *b, const struct bundle_entry *e);

/* Adds the members of the archive fd. If fd is not an archive, adds the file itself as `name`, and unpacks
 * it if it is compressed. The caller closes fd. */
bool bundle_unpack(struct bundle *b, int fd, const char *name, struct error *err);

/* Unpacks the compressed members of a folder or archive. */
bool bundle_expand_members(struct bundle *b, struct error *err);

/* Converts members that contain JSON in a zlib stream or in UTF-16 to JSON in UTF-8. */
bool bundle_plain_members(struct bundle *b, struct error *err);

/* Copies standard input or a FIFO to a temporary file, within the limits; -1 on error. */
int bundle_spool(struct bundle *b, int fd, struct error *err);

#endif
