/* Opens the sockets that a server listens on. */
#define _DEFAULT_SOURCE /* NI_MAXHOST */
#include "http_private.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
	BACKLOG = 511
};

static bool
bad_address(const char *address, const char *why, struct error *err)
{
	error_set(err, ERROR_USAGE, "\"%s\": %s", address, why);
	return error_hint(err, "examples: 127.0.0.1:8080, [::1]:8080, localhost:0, unix:PATH");
}

/* Removes the socket that a crashed server left behind. */
static void
remove_stale(const char *path, const struct sockaddr_un *a)
{
	struct stat st;
	int fd;

	if (lstat(path, &st) != 0 || !S_ISSOCK(st.st_mode))
		return;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	if (connect(fd, (const struct sockaddr *)a, sizeof(*a)) != 0 && errno == ECONNREFUSED)
		unlink(path);
	close(fd);
}

static bool
listen_unix(struct listener *l, const char *address, struct error *err)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	const char *path = address + 5;

	if (!*path || strlen(path) >= sizeof(a.sun_path))
		return bad_address(address, "the path is empty or too long for a socket", err);
	memcpy(a.sun_path, path, strlen(path) + 1);
	remove_stale(path, &a);
	l->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	/* http_unlisten must not remove a name that somebody else created. */
	l->is_unix = l->fd >= 0 && bind(l->fd, (struct sockaddr *)&a, sizeof(a)) == 0;
	if (!l->is_unix || listen(l->fd, BACKLOG) != 0)
		return error_set_errno(err, ERROR_FILE, "cannot listen on %s", address);
	return true;
}

static bool
is_loopback(const struct sockaddr *a)
{
	if (a->sa_family == AF_INET)
		return ntohl(((const struct sockaddr_in *)a)->sin_addr.s_addr) >> 24 == 127;
	return a->sa_family == AF_INET6 &&
	       IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)a)->sin6_addr);
}

static bool
check_guarded(
	struct http_server *s, const char *address, const struct addrinfo *a, struct error *err)
{
	if (is_loopback(a->ai_addr) || s->options->guarded)
		return true;
	error_set(err, ERROR_USAGE, "other machines can reach %s, but there is no --token-file",
		address);
	return error_hint(
		err, "\"profdepot token add NAME --token-file FILE\" creates a token and its file");
}

static bool
listen_on(struct listener *l, const struct addrinfo *a)
{
	const int one = 1;

	l->fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, a->ai_protocol);
	if (l->fd < 0)
		return false;
	setsockopt(l->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(l->fd, a->ai_addr, a->ai_addrlen) == 0 && listen(l->fd, BACKLOG) == 0)
		return true;
	close(l->fd);
	l->fd = -1;
	return false;
}

static bool
name_socket(struct http_server *s, struct listener *l, struct error *err)
{
	struct sockaddr_storage a;
	socklen_t size = sizeof(a);
	char host[NI_MAXHOST];
	char port[NI_MAXSERV];

	if (getsockname(l->fd, (struct sockaddr *)&a, &size) != 0 ||
		getnameinfo((struct sockaddr *)&a, size, host, sizeof(host), port, sizeof(port),
			NI_NUMERICHOST | NI_NUMERICSERV) != 0)
		return error_set_errno(err, ERROR_INTERNAL, "cannot get a socket's address");
	l->name =
		arena_printf(&s->arena, a.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
	return true;
}

static bool
listen_tcp(struct http_server *s, struct listener *l, const char *address, struct error *err)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE };
	char *host = arena_strdup(&s->arena, address);
	char *port = strrchr(host, ':');
	struct addrinfo *found = NULL;
	bool ok;
	int status;

	if (!port || !port[1] || strspn(port + 1, "0123456789") != strlen(port + 1) ||
		strlen(port + 1) > 5 || strtol(port + 1, NULL, 10) > 65535)
		return bad_address(address, "no port from 0 to 65535 after the colon", err);
	*port++ = '\0';
	if (host[0] == '[' && host[strlen(host) - 1] == ']') {
		host[strlen(host) - 1] = '\0';
		host++;
	}
	if (!*host)
		return bad_address(address, "no address before the colon", err);
	status = getaddrinfo(host, port, &hints, &found);
	if (status != 0)
		return bad_address(address, gai_strerror(status), err);
	ok = check_guarded(s, address, found, err);
	if (ok && !listen_on(l, found))
		ok = error_set_errno(err, ERROR_FILE, "cannot listen on %s", address);
	freeaddrinfo(found);
	return ok && name_socket(s, l, err);
}

bool
http_listen(struct http_server *s, const char *address, bool legacy, struct error *err)
{
	struct listener *l = &s->listeners[s->listener_count];

	*l = (struct listener){ .server = s, .name = address, .fd = -1, .legacy = legacy };
	s->listener_count++;
	if (strncmp(address, "unix:", 5) == 0)
		return listen_unix(l, address, err);
	return listen_tcp(s, l, address, err);
}

void
http_unlisten(struct listener *l)
{
	if (l->is_unix && l->fd >= 0)
		unlink(l->name + 5);
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
}
