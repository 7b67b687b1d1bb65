/*
 * MiniProfiler between JSON and the model.
 *
 * A profile is a track; its steps, calls (custom timings and SQL timings) and
 * client timings are spans. Every producer has its own keys, and its own way
 * to say that there is nothing: no key, null, an empty list. What most objects
 * of a profile do is its shape, one text in the track's attributes; what an
 * object does otherwise, and what has no column, stands in its own attributes:
 *
 *	KEY	a value that no column gives back, as it was; it wins over the
 *		column. A key that begins with @ has one more
 *	@absent	keys of the shape that are not there
 *	@raw	members of JSON in strings: too deep for PostgreSQL's parser
 *	@list	true of a call in a list of SQL timings; comes first
 *	@keys	of a track: the shape, by kind of object. A word is a key, then what
 *		stands for no value: nothing for null, ? for no key, ~ for the empty
 *		text, list or object; : and how a time or number is written
 */
#ifndef PROFDEPOT_FORMAT_MINIPROFILER_MINIPROFILER_PRIVATE_H
#define PROFDEPOT_FORMAT_MINIPROFILER_MINIPROFILER_PRIVATE_H

#include "base/pair_map.h"
#include "format/format.h"
#include "miniprofiler_keys.h"

struct mini_reader {
	struct format_source *source;
	struct sink *sink;
	uint32_t set;
	metric_number metric;
	const char *member; /* file being read */
	int64_t next_span, next_routine, next_line;
	int32_t next_track;
	struct pair_map routines, lines, ids;
	struct arena scratch; /* of one span */
	struct strbuf attributes, raw, absent, key;
	uint64_t profiles;
	char reason[256]; /* why the first document was no profile */
};

/* A profile as spans; what is no profile becomes an issue. rebuilt: from
 * storage rows. False when the load must stop. */
bool mini_profile_tell(
	struct mini_reader *m, const struct json_node *n, bool rebuilt, struct error *err);

/* Numbers the stack of a snippet's routines; 0 when there is none. */
bool mini_stack_tell(struct mini_reader *m, struct text snippet, uint64_t offset,
	stack_number *number, struct error *err);
/* REC_ID of a routine, told on its first use; code is step, call or frame. */
bool mini_routine_tell(struct mini_reader *m, const char *code, struct text name, struct text file,
	int64_t *rec_id, struct error *err);
bool mini_issue(struct mini_reader *m, enum issue_code code, uint64_t offset, const char *message,
	struct text raw, struct error *err);

void mini_reader_init(struct mini_reader *m, struct format_source *source, struct sink *sink);
void mini_reader_release(struct mini_reader *m);
/* Tells the set and its metric. */
bool mini_reader_begin(struct mini_reader *m, bool *wanted, struct error *err);

/* The format has this name, or the storage's. */
bool mini_is_format(const char *name);

bool mini_write(struct source *source, FILE *out, const struct format_write_options *options,
	struct error *err);

#endif
