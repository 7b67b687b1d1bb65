/* Whole messages over a socket between two processes of this program. */
#ifndef PROFDEPOT_BASE_SOCKET_H
#define PROFDEPOT_BASE_SOCKET_H

#include <stdbool.h>
#include <stddef.h>

enum {
	SOCKET_MAX_FDS = 4
};

/* These return false if the other process has closed the socket or has ended. */
bool socket_send(int fd, const void *bytes, size_t size);
bool socket_receive(int fd, void *bytes, size_t size);

/* Sends up to SOCKET_MAX_FDS file descriptors. The caller still owns them. False with errno on error. */
bool socket_send_fds(int fd, const int *fds, size_t count);
/* Receives as many file descriptors as were sent; the rest of fds is -1. The caller closes them. */
bool socket_receive_fds(int fd, int *fds, size_t count);

#endif
