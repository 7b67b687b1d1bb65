/*
 * Errors. The function that finds the cause sets an error, callers add prefixes, and main prints it
 * once.
 *
 * A function that can fail returns false or NULL on failure; its last parameter is `err`. The
 * struct has a fixed size, so reporting an error needs no memory. Messages are lower case without a
 * full stop: what is wrong, with which item, where.
 */
#ifndef PROFDEPOT_BASE_ERROR_H
#define PROFDEPOT_BASE_ERROR_H

#include <stdbool.h>
#include <stdio.h>

/*
 * The columns: code, name in messages and JSON, exit status, HTTP status.
 * Exit statuses: 0 done, 1 findings or an exceeded budget, 2 usage error or no verdict possible, 3
 * input rejected, 4 database error, 5 partly done.
 */
#define ERROR_TABLE(X) \
	X(ERROR_NONE, "none", 0, 200) \
	X(ERROR_USAGE, "usage", 2, 400) \
	X(ERROR_CURSOR, "invalid-cursor", 2, 400) \
	X(ERROR_STALE_CURSOR, "stale-cursor", 2, 409) \
	X(ERROR_NOT_FOUND, "not found", 2, 404) \
	X(ERROR_INPUT, "input refused", 3, 422) \
	X(ERROR_LIMIT, "limit", 3, 413) \
	X(ERROR_MEMORY, "memory-limit", 3, 413) \
	X(ERROR_TIME, "time-limit", 3, 413) \
	X(ERROR_DISK, "disk-limit", 3, 413) \
	X(ERROR_FILE, "file", 3, 500) \
	X(ERROR_DATABASE, "database", 4, 503) \
	X(ERROR_PARTLY, "partly done", 5, 500) \
	X(ERROR_INTERNAL, "internal", 4, 500)

enum error_code {
#define ERROR_ENUM(code, name, exit_status, http_status) code,
	ERROR_TABLE(ERROR_ENUM)
#undef ERROR_ENUM
};

struct error {
	enum error_code code;
	char message[1024];
	char hint[4096];  /* what the user can do; empty if there is no hint */
	char sqlstate[6]; /* the server's SQLSTATE, or empty */
	/* Where in the statement the server found the error: a character's position, from 1; 0: unknown. */
	unsigned position;
};

#define ERROR_INIT ((struct error){ .code = ERROR_NONE })

#ifdef __GNUC__
#define ERROR_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define ERROR_PRINTF(f, a)
#endif

/* Sets code and message and clears hint and sqlstate. Always returns false, so that `return
 * error_set(...)` works. Truncates a message that is too long. */
bool error_set(struct error *err, enum error_code code, const char *format, ...) ERROR_PRINTF(3, 4);

/* Like error_set, but also appends ": " and strerror(errno). */
bool error_set_errno(struct error *err, enum error_code code, const char *format, ...)
	ERROR_PRINTF(3, 4);

/* Sets the hint, which says what the user can do. Always returns false. */
bool error_hint(struct error *err, const char *format, ...) ERROR_PRINTF(2, 3);

/* Puts context and ": " before the message. Always returns false. */
bool error_prefix(struct error *err, const char *format, ...) ERROR_PRINTF(2, 3);

/* The static analyzer sees one file at a time. These macros tell it that the result is always
 * false. */
#ifdef __clang_analyzer__
#define error_set(...) ((error_set)(__VA_ARGS__), false)
#define error_set_errno(...) ((error_set_errno)(__VA_ARGS__), false)
#define error_hint(...) ((error_hint)(__VA_ARGS__), false)
#define error_prefix(...) ((error_prefix)(__VA_ARGS__), false)
#endif

void error_clear(struct error *err);

/* Prints the line "profdepot: MESSAGE" and, if there is a hint, the line "hint: HINT". */
void error_print(const struct error *err, FILE *out);

const char *error_code_name(enum error_code code);
int error_exit_status(enum error_code code);
int error_http_status(enum error_code code);

#endif
