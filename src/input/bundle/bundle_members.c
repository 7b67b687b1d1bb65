/* The members of a bundle: the list, and opening them. */
#include "base/array.h"
#include "base/fd.h"
#include "bundle_private.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

bool
bundle_add(struct bundle *b, struct bundle_member member, int fd, struct error *err)
{
	*ARRAY_ADD(b->entries, b->count, b->capacity) = (struct bundle_entry){ member, fd };
	b->size += member.size;
	if ((int64_t)b->count > b->limits.max_members) {
		error_set(err, ERROR_LIMIT, "%s: more than %" PRId64 " files", b->path,
			b->limits.max_members);
		return error_hint(err, BUNDLE_HINT);
	}
	return true;
}

int
bundle_reopen(int fd)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_RDONLY | O_CLOEXEC);
}

void
bundle_close(struct bundle *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->count; i++)
		if (b->entries[i].fd >= 0)
			close(b->entries[i].fd);
	if (b->dir_fd >= 0)
		close(b->dir_fd);
	free(b->entries);
	arena_release(&b->arena);
	free(b);
}

const char *
bundle_path(const struct bundle *b)
{
	return b->path;
}

bool
bundle_is_file(const struct bundle *b)
{
	return b->is_file;
}

size_t
bundle_count(const struct bundle *b)
{
	return b->count;
}

const struct bundle_member *
bundle_member(const struct bundle *b, size_t i)
{
	return &b->entries[i].member;
}

int
bundle_open_member(struct bundle *b, size_t i, struct error *err)
{
	const struct bundle_entry *e = &b->entries[i];
	int fd = e->fd >= 0 ? bundle_reopen(e->fd)
			    : openat(b->dir_fd, e->member.name, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		error_set_errno(err, ERROR_FILE, "cannot open %s of %s", e->member.name, b->path);
	return fd;
}

size_t
bundle_read_head(struct bundle *b, size_t i, void *head, size_t size)
{
	struct error ignored = ERROR_INIT;
	int fd = bundle_open_member(b, i, &ignored);
	size_t have;

	if (fd < 0)
		return 0;
	have = fd_read_up_to(fd, head, size);
	close(fd);
	return have;
}

int64_t
bundle_size(const struct bundle *b)
{
	return b->size;
}
