/* The terminal's width, and text that is safe to print on it. */
#include "base/terminal.h"

#include "base/char.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

size_t
terminal_width(FILE *out)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	int fd = fileno(out);
	long n = columns ? strtol(columns, NULL, 10) : 0;

	if (n <= 0 && fd >= 0 && isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0)
		n = size.ws_col;
	return n > 0 && n < 10000 ? (size_t)n : 0;
}

/* The length of a C1 control character at the start of UTF-8 text, or 0. */
static size_t
c1_size(const char *p, size_t size)
{
	return size > 1 && (unsigned char)p[0] == 0xc2 && (unsigned char)p[1] < 0xa0 ? 2 : 0;
}

static void
print_valid(FILE *out, struct text t, const char *kept)
{
	for (size_t i = 0; i < t.size; i++) {
		char c = t.data[i];

		if (c1_size(t.data + i, t.size - i))
			fprintf(out, "\\x%02x", (unsigned char)t.data[++i]);
		else if (char_is_control(c) && !(c && strchr(kept, c)))
			fprintf(out, "\\x%02x", (unsigned char)c);
		else
			putc(c, out);
	}
}

static void
print(FILE *out, struct text t, const char *kept)
{
	while (t.size) {
		size_t valid = text_utf8_prefix(t.data, t.size);

		print_valid(out, text_up_to(t, valid), kept);
		t = text_from_at(t, valid);
		if (!t.size)
			return;
		fprintf(out, "\\x%02x", (unsigned char)t.data[0]);
		t = text_from_at(t, 1);
	}
}

void
terminal_print(FILE *out, struct text t)
{
	print(out, t, "");
}

void
terminal_print_lines(FILE *out, struct text t)
{
	print(out, t, "\n\t");
}

void
terminal_printf(FILE *out, const char *format, ...)
{
	char line[4096];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	terminal_print_lines(out, text_from(line));
}
