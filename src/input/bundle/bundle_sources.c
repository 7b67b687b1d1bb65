/* Checks that the files of an input do not change while they are read. */
#include "base/array.h"
#include "base/clock.h"
#include "bundle_private.h"

#include <fcntl.h>
#include <unistd.h>

enum {
	TICK_MS = 20 /* longer than a tick of the kernel's timer, which sets file times */
};

struct bundle_source {
	const char *name; /* name in the folder; NULL if the input is a single file */
	struct stat stat;
};

void
bundle_note_source(struct bundle *b, const char *name, const struct stat *st)
{
	*ARRAY_ADD(b->sources, b->source_count, b->source_room) =
		(struct bundle_source){ .name = name, .stat = *st };
}

bool
bundle_note_file(struct bundle *b, int fd, struct error *err)
{
	struct stat st;

	b->source_fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (b->source_fd < 0 || fstat(fd, &st) != 0)
		return error_set_errno(err, ERROR_FILE, "cannot open %s", b->path);
	bundle_note_source(b, NULL, &st);
	return true;
}

static int64_t
milliseconds(const struct timespec *t)
{
	return (int64_t)t->tv_sec * 1000 + t->tv_nsec / 1000000;
}

/* A file's time does not change if the file is written again within the same tick of the clock. If
 * a file has just been written, this function therefore waits for longer than a tick, before any
 * byte is read. */
void
bundle_settle(const struct bundle *b)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	for (size_t i = 0; i < b->source_count; i++)
		if (milliseconds(&now) - milliseconds(&b->sources[i].stat.st_mtim) < TICK_MS) {
			clock_sleep_ms(TICK_MS);
			return;
		}
}

static bool
is_same(const struct stat *a, const struct stat *b)
{
	return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec && a->st_ino == b->st_ino;
}

bool
bundle_check_unchanged(const struct bundle *b, struct error *err)
{
	for (size_t i = 0; i < b->source_count; i++) {
		const struct bundle_source *s = &b->sources[i];
		struct stat now;
		const int r =
			s->name ? fstatat(b->dir_fd, s->name, &now, 0) : fstat(b->source_fd, &now);

		if (r == 0 && is_same(&s->stat, &now))
			continue;
		error_set(err, ERROR_INPUT, "%s%sthe file changed while it was read",
			s->name ? s->name : "", s->name ? ": " : "");
		return error_hint(err, "nothing was loaded; load it again when the program that "
				       "writes it has ended");
	}
	return true;
}
