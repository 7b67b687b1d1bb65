/* Unnamed temporary files. */
#include "temp_private.h"

#include "base/arena.h"
#include "base/disk_budget.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static const char *
temp_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/var/tmp";
}

int
temp_open(struct error *err)
{
	struct arena a = ARENA_INIT;
	char *path = arena_printf(&a, "%s/profdepot.XXXXXX", temp_folder());
	int fd = mkstemp(path);
	const bool files = errno == EMFILE || errno == ENFILE;

	if (fd < 0) {
		error_set_errno(
			err, ERROR_FILE, "cannot create a temporary file in %s", temp_folder());
		if (files)
			error_hint(err, "too many files are open: raise the limit (ulimit -n)");
		else
			error_hint(err, "TMPDIR names the folder for temporary files");
	} else {
		unlink(path);
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	arena_release(&a);
	return fd;
}

bool
temp_write(int fd, const void *data, size_t size, struct error *err)
{
	const char *p = data;

	if (!disk_budget_take(size, err))
		return false;
	while (size) {
		ssize_t n = write(fd, p, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			error_set_errno(err, ERROR_FILE, "cannot write a temporary file in %s",
				temp_folder());
			return error_hint(err, "set TMPDIR to a folder with more room (and quota)");
		}
		p += n;
		size -= (size_t)n;
	}
	return true;
}
