/* File descriptor reads that are resumed after a signal. */
#ifndef PROFDEPOT_BASE_FD_H
#define PROFDEPOT_BASE_FD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Like read(2) and pread(2), but retry after EINTR. Return the number of bytes (at most `room`), 0
 * at the end, or -1 with errno. fd_read fails with ENOMEM once the thread's memory budget is
 * exceeded, because more input would need more memory. */
ssize_t fd_read(int fd, void *out, size_t room);
ssize_t fd_pread(int fd, void *out, size_t room, uint64_t offset);

/* Reads `size` bytes, or fewer if the input ends or an error occurs. Returns the number of bytes that were read. */
size_t fd_read_up_to(int fd, void *out, size_t size);

#endif
