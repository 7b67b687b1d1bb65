/* The terminal's width. */
#include "base/terminal.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

size_t
terminal_width(FILE *out)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	int fd = fileno(out);
	long n = 0;

	if (fd < 0 || !isatty(fd))
		return 0;
	if (columns)
		n = strtol(columns, NULL, 10);
	if (n <= 0 && ioctl(fd, TIOCGWINSZ, &size) == 0)
		n = size.ws_col;
	return n > 0 && n < 10000 ? (size_t)n : 0;
}
