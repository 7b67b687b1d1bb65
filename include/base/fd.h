/*
 * Reading from a descriptor when signals come.
 */
#ifndef PROFDEPOT_BASE_FD_H
#define PROFDEPOT_BASE_FD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* As read(2) and pread(2), but never interrupted: up to `room` bytes, 0 at the end, -1 with errno.
 */
ssize_t fd_read(int fd, void *out, size_t room);
ssize_t fd_pread(int fd, void *out, size_t room, uint64_t offset);

/* Bytes that came until `size` are there or the input ends; what cannot be read ends it, too. */
size_t fd_read_up_to(int fd, void *out, size_t size);

#endif
