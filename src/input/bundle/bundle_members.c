/* The members of a bundle: the list, and opening them. */
#include "base/array.h"
#include "base/fd.h"
#include "bundle_private.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	HEADS_MAX_BYTES = 64 * 1024 * 1024,
	RATIO_FROM_BYTES = 64 * 1024 * 1024
};

bool
bundle_add(struct bundle *b, struct bundle_member member, int fd, struct error *err)
{
	*ARRAY_ADD(b->entries, b->count, b->capacity) =
		(struct bundle_entry){ .member = member, .fd = fd };
	b->size += member.size;
	if ((int64_t)b->count > b->limits.files)
		return limits_exceeded(&b->limits, "files", err, "%s: more than %" PRId64 " files",
			b->path, b->limits.files);
	return true;
}

bool
bundle_may_write(struct bundle *b, int64_t more, bool nested, struct error *err)
{
	const bool strict = b->limits.ratio != 0;
	const int64_t ratio = strict ? b->limits.ratio : LIMIT_NESTED_RATIO;

	/* A member can be packed twice, so this counts the bytes that each unpacking step produces. */
	b->unpacked += more;
	if (b->unpacked > b->limits.bytes)
		return limits_exceeded(&b->limits, "bytes", err,
			"it unpacks to more than %" PRId64 " bytes", b->limits.bytes);
	if ((strict || nested) && b->unpacked > (strict ? RATIO_FROM_BYTES : LIMIT_NESTED_BYTES) &&
		b->unpacked / (b->packed ? b->packed : 1) >= ratio)
		return limits_exceeded(&b->limits, "ratio", err,
			"it unpacks to more than %" PRId64 " times its size", ratio);
	return !b->options.tick || b->options.tick(b->options.tick_self, b->unpacked, err);
}

bool
bundle_count_packed(struct bundle *b, const struct bundle_entry *e)
{
	if (b->dir_fd >= 0)
		b->packed += e->member.size;
	return b->dir_fd < 0;
}

int
bundle_reopen(int fd)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static void
forget_heads(struct bundle *b)
{
	for (size_t i = 0; i < b->count; i++) {
		free(b->entries[i].head);
		b->entries[i].head = NULL;
	}
	b->heads_size = 0;
}

void
bundle_close(struct bundle *b)
{
	if (!b)
		return;
	forget_heads(b);
	for (size_t i = 0; i < b->count; i++)
		if (b->entries[i].fd >= 0)
			close(b->entries[i].fd);
	if (b->dir_fd >= 0)
		close(b->dir_fd);
	if (b->source_fd >= 0)
		close(b->source_fd);
	free(b->sources);
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

static void
read_head(struct bundle *b, size_t i)
{
	struct bundle_entry *e = &b->entries[i];
	const size_t size =
		e->member.size < BUNDLE_HEAD_BYTES ? (size_t)e->member.size : BUNDLE_HEAD_BYTES;

	if (b->heads_size + size > HEADS_MAX_BYTES)
		forget_heads(b);
	e->head = xmalloc(size);
	e->head_size = bundle_read_head(b, i, e->head, size);
	b->heads_size += size;
}

struct text
bundle_head(struct bundle *b, size_t i)
{
	if (!b->entries[i].head)
		read_head(b, i);
	return (struct text){ b->entries[i].head, b->entries[i].head_size };
}

int64_t
bundle_size(const struct bundle *b)
{
	return b->size;
}
