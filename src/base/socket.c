/* Sends and receives whole messages and file descriptors over a socket. */
#include "base/socket.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

bool
socket_send(int fd, const void *bytes, size_t size)
{
	const char *p = bytes;

	while (size) {
		ssize_t n = send(fd, p, size, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		size -= (size_t)n;
	}
	return true;
}

bool
socket_receive(int fd, void *bytes, size_t size)
{
	char *p = bytes;

	while (size) {
		ssize_t n = recv(fd, p, size, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		size -= (size_t)n;
	}
	return true;
}

/* File descriptors cannot be sent alone, so one byte is sent with them. */
union space {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(sizeof(int) * SOCKET_MAX_FDS)];
};

bool
socket_send_fds(int fd, const int *fds, size_t count)
{
	union space space;
	char mark = 'F';
	struct iovec part = { &mark, 1 };
	struct msghdr m = { .msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = space.bytes,
		.msg_controllen = CMSG_SPACE(sizeof(int) * count) };
	struct cmsghdr *c = &space.header;
	ssize_t n;

	memset(&space, 0, sizeof(space));
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int) * count);
	memcpy(CMSG_DATA(c), fds, sizeof(int) * count);
	do
		n = sendmsg(fd, &m, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == 1;
}

bool
socket_receive_fds(int fd, int *fds, size_t count)
{
	union space space;
	char mark;
	struct iovec part = { &mark, 1 };
	struct msghdr m = { .msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = space.bytes,
		.msg_controllen = sizeof(space.bytes) };
	const struct cmsghdr *c;
	ssize_t n;

	for (size_t i = 0; i < count; i++)
		fds[i] = -1;
	do
		n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	c = CMSG_FIRSTHDR(&m);
	if (c && c->cmsg_type == SCM_RIGHTS && c->cmsg_len <= CMSG_LEN(sizeof(int) * count))
		memcpy(fds, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
	return true;
}
