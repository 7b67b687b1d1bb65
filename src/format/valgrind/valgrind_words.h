/*
 * The elements and phrases in valgrind's XML.
 */
#ifndef PROFDEPOT_FORMAT_VALGRIND_VALGRIND_WORDS_H
#define PROFDEPOT_FORMAT_VALGRIND_VALGRIND_WORDS_H

#include "format/common/json_members.h"

/* Sorted, because names are looked up by bisection. */
#define VG_ELEMENT_TABLE(X) \
	X(ADDRESS, "address") \
	X(ALLOCATION, "allocation_context") \
	X(ANNOUNCE, "announcethread") \
	X(ARGS, "args") \
	X(ARGV, "argv") \
	X(AUXWHAT, "auxwhat") \
	X(BLOCKS, "blocks") \
	X(BYTES, "bytes") \
	X(CLIENTMSG, "clientmsg") \
	X(COUNT, "count") \
	X(DEFINITELY, "definitely_lost") \
	X(DIR, "dir") \
	X(ERROR, "error") \
	X(ERROR_CONTEXTS, "error_contexts") \
	X(ERROR_SUMMARY, "error_summary") \
	X(ERRORCOUNTS, "errorcounts") \
	X(ERRORS, "errors") \
	X(EVENT, "event") \
	X(EXE, "exe") \
	X(FATAL_SIGNAL, "fatal_signal") \
	X(FD, "fd") \
	X(FILE, "file") \
	X(FIRST_OBSERVED, "first_observed_at") \
	X(FN, "fn") \
	X(FRAME, "frame") \
	X(HEAP_SUMMARY, "heap_summary") \
	X(HTHREADID, "hthreadid") \
	X(IN_BLOCKS, "in_blocks") \
	X(INDIRECTLY, "indirectly_lost") \
	X(IP, "ip") \
	X(IS_ROOT, "isrootthread") \
	X(KIND, "kind") \
	X(LEAK_SUMMARY, "leak_summary") \
	X(LEAKEDBLOCKS, "leakedblocks") \
	X(LEAKEDBYTES, "leakedbytes") \
	X(LINE, "line") \
	X(NAME, "name") \
	X(OBJ, "obj") \
	X(OTHER_END, "other_segment_end") \
	X(OTHER_START, "other_segment_start") \
	X(PAIR, "pair") \
	X(PATH, "path") \
	X(PID, "pid") \
	X(POSSIBLY, "possibly_lost") \
	X(PPID, "ppid") \
	X(PREAMBLE, "preamble") \
	X(PROTOCOLTOOL, "protocoltool") \
	X(PROTOCOLVERSION, "protocolversion") \
	X(RAWTEXT, "rawtext") \
	X(SIGNAME, "signame") \
	X(SIGNO, "signo") \
	X(STACK, "stack") \
	X(STATE, "state") \
	X(STATUS, "status") \
	X(STILL_REACHABLE, "still_reachable") \
	X(SUPPCOUNTS, "suppcounts") \
	X(SUPPRESSION, "suppression") \
	X(TEXT, "text") \
	X(THREADNAME, "threadname") \
	X(TID, "tid") \
	X(TIME, "time") \
	X(TOOL, "tool") \
	X(UNIQUE, "unique") \
	X(USERCOMMENT, "usercomment") \
	X(ROOT, "valgrindoutput") \
	X(VARGV, "vargv") \
	X(WHAT, "what") \
	X(XAUXWHAT, "xauxwhat") \
	X(XWHAT, "xwhat")

enum vg_element {
#define VG_ELEMENT_ENUM(id, name) VG_##id,
	VG_ELEMENT_TABLE(VG_ELEMENT_ENUM)
#undef VG_ELEMENT_ENUM
	VG_OTHER
};

enum vg_element valgrind_element(const char *name);

/* Whether the element is always a child of the document element. */
bool valgrind_is_record(enum vg_element e);

enum vg_mark {
	VG_MARK_NONE,
	VG_MARK_DOCUMENT, /* an XML declaration or the document element */
	VG_MARK_RECORD,
	VG_MARK_END, /* the document element's end */
};

enum {
	VG_MARK_BYTES = 32 /* enough to recognise any mark */
};

enum vg_mark valgrind_mark(const char *data, size_t size);

/* Reads "0x1F" or "1,234". Fails for NULL, for text that is not a number, and for numbers of more than
 * 64 bits. */
bool valgrind_number(struct text t, uint64_t *out);

/* Parts of "1,192 (48 direct, 1,144 indirect) bytes in 3 blocks are definitely lost in loss
 * record 5 of 9"; a number may be followed by its growth: "3 (+1)". */
struct vg_leak_text {
	uint64_t total, direct, indirect, blocks;
	bool has_direct;          /* the text has `direct` and `indirect` */
	uint64_t record, records; /* loss record number, and number of loss records; 0 if absent */
};

/* Parses such a text. Returns false if t does not have this form. */
bool valgrind_leak_text(struct text t, struct vg_leak_text *out);

enum vg_leak {
	VG_DEFINITE,
	VG_INDIRECT,
	VG_POSSIBLE,
	VG_REACHABLE,
	VG_LEAKS
};

/* Returns the model's word for a kind such as Leak_DefinitelyLost, and sets *leak. Returns NULL if the
 * kind is not a leak. For an unknown leak kind, returns "" and sets *leak to VG_LEAKS. */
const char *valgrind_leak_kind(struct text kind, enum vg_leak *leak);

/* The role (model/rows.h) of the stack that follows an <auxwhat> with this text. */
const char *valgrind_role(struct text auxwhat);

/* Appends a JSON string. */
void valgrind_string(struct strbuf *b, struct text value);
/* Appends the element ["name","value"]. */
void valgrind_pair(struct strbuf *elements, const char *name, struct text value);
/* Add a member unless its value is NULL. valgrind_member_number writes whole numbers as JSON numbers. */
void valgrind_member(struct strbuf *b, const char *key, struct text value);
void valgrind_member_number(struct strbuf *b, const char *key, struct text value);

#endif
