/* File descriptor reads that are resumed after a signal. */
#include "base/fd.h"

#include "base/memory.h"

#include <errno.h>
#include <unistd.h>

ssize_t
fd_read(int fd, void *out, size_t room)
{
	ssize_t n;

	if (memory_budget_exceeded()) {
		errno = ENOMEM;
		return -1;
	}
	do
		n = read(fd, out, room);
	while (n < 0 && errno == EINTR);
	return n;
}

ssize_t
fd_pread(int fd, void *out, size_t room, uint64_t offset)
{
	ssize_t n;

	do
		n = pread(fd, out, room, (off_t)offset);
	while (n < 0 && errno == EINTR);
	return n;
}

size_t
fd_read_up_to(int fd, void *out, size_t size)
{
	size_t have = 0;
	ssize_t n;

	while (have < size && (n = fd_read(fd, (char *)out + have, size - have)) > 0)
		have += (size_t)n;
	return have;
}
