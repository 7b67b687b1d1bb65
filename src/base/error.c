/* Setting, prefixing and printing errors. */
#include "base/error.h"
#include "base/terminal.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

/* Undefine the macros of error.h that only the static analyzer needs. */
#undef error_set
#undef error_set_errno
#undef error_hint
#undef error_prefix

static const struct {
	const char *name;
	int exit_status;
	int http_status;
} codes[] = {
#define ERROR_ROW(code, name, exit_status, http_status) { name, exit_status, http_status },
	ERROR_TABLE(ERROR_ROW)
#undef ERROR_ROW
};

/* Removes an incomplete character at the end, which vsnprintf leaves if it truncates. */
static void
trim_cut_character(char *s)
{
	size_t n = strlen(s);
	size_t tail = 0;

	while (tail < n && tail < 4 && ((unsigned char)s[n - 1 - tail] & 0xC0) == 0x80)
		tail++;
	if (tail < n) {
		unsigned char lead = (unsigned char)s[n - 1 - tail];
		size_t want = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;

		if (want > tail)
			s[n - 1 - tail] = '\0';
	}
}

ERROR_PRINTF(3, 0)
static void
format_into(char *out, size_t size, const char *format, va_list args)
{
	if (vsnprintf(out, size, format, args) >= (int)size)
		trim_cut_character(out);
}

ERROR_PRINTF(3, 0)
static void
set(struct error *err, enum error_code code, const char *format, va_list args)
{
	error_clear(err);
	err->code = code;
	format_into(err->message, sizeof(err->message), format, args);
}

bool
error_set(struct error *err, enum error_code code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set(err, code, format, args);
	va_end(args);
	return false;
}

bool
error_set_errno(struct error *err, enum error_code code, const char *format, ...)
{
	int saved = errno;
	size_t used;
	va_list args;

	va_start(args, format);
	set(err, code, format, args);
	va_end(args);
	used = strlen(err->message);
	snprintf(err->message + used, sizeof(err->message) - used, ": %s", strerror(saved));
	return false;
}

bool
error_hint(struct error *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	format_into(err->hint, sizeof(err->hint), format, args);
	va_end(args);
	return false;
}

bool
error_prefix(struct error *err, const char *format, ...)
{
	char old[sizeof(err->message)];
	size_t used;
	va_list args;

	memcpy(old, err->message, sizeof(old));
	va_start(args, format);
	format_into(err->message, sizeof(err->message), format, args);
	va_end(args);
	used = strlen(err->message);
	if (snprintf(err->message + used, sizeof(err->message) - used, ": %s", old) >=
		(int)(sizeof(err->message) - used))
		trim_cut_character(err->message);
	return false;
}

void
error_clear(struct error *err)
{
	err->code = ERROR_NONE;
	err->message[0] = '\0';
	err->hint[0] = '\0';
	err->sqlstate[0] = '\0';
	err->position = 0;
}

void
error_print(const struct error *err, FILE *out)
{
	fputs("profdepot: ", out);
	terminal_print_lines(out, text_from(err->message));
	if (err->hint[0]) {
		fputs("\nhint: ", out);
		terminal_print_lines(out, text_from(err->hint));
	}
	putc('\n', out);
}

const char *
error_code_name(enum error_code code)
{
	return codes[code].name;
}

int
error_exit_status(enum error_code code)
{
	return codes[code].exit_status;
}

int
error_http_status(enum error_code code)
{
	return codes[code].http_status;
}
