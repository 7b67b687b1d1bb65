/*
 * The client of bench/ingest: posts events, or copies the same rows into a plain table.
 *
 *	ingest_client post HOST:PORT PATH CONNECTIONS BATCH EVENTS
 *	ingest_client copy TABLE GROUP EVENTS	(to the server that libpq's environment names)
 *
 * The events have 3,000 distinct stacks of 6 to 20 frames, and 40 processes. Bodies are created
 * before the clock starts. The client prints "EVENTS SECONDS", where EVENTS is the number of
 * acknowledged events (status 200 and a complete answer).
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
	STACKS = 3000,
	PROCESSES = 40,
	BODIES = 8, /* different bodies per connection, sent in turn */
	ROW_BYTES = 1200,
	CONNECTIONS_MAX = 256,
	TRIES = 200, /* attempts to open a connection if the server refuses it */
};

struct client {
	pthread_t thread;
	int number;
	char *requests[BODIES];
	size_t sizes[BODIES];
	long batches, acknowledged;
};

static struct {
	struct sockaddr_in address;
	const char *path;
	int connections, batch;
	long events;
} options;

static void
fail(const char *what)
{
	fprintf(stderr, "ingest_client: %s: %s\n", what, strerror(errno));
	exit(1);
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint32_t
mix(uint32_t x)
{
	x ^= x >> 16;
	x *= 0x7feb352dU;
	x ^= x >> 15;
	x *= 0x846ca68bU;
	return x ^ x >> 16;
}

static char *
put_stack(char *p, uint32_t stack)
{
	uint32_t depth = 6 + mix(stack) % 15;

	for (uint32_t i = 0; i < depth; i++)
		p += sprintf(p, "%skernel_fn_%u", i ? ";" : "",
			i + 3 < depth ? mix(stack * 31 + i) % 1500 : depth - i);
	return p;
}

struct event {
	uint32_t stack, process, pid, elapsed;
};

static struct event
make_event(uint64_t i)
{
	uint32_t r = mix((uint32_t)i);

	return (struct event){ r % STACKS, r % PROCESSES, 1000 + r % (PROCESSES * 4),
		mix(r) % 100000 };
}

/* --- posting ---------------------------------------------------------------------------------- */

static void
make_request(struct client *c, int k)
{
	char *body = malloc((size_t)options.batch * ROW_BYTES + 1000);
	char *p = body;
	char head[500];
	size_t n;

	if (!body)
		fail("memory");
	p += sprintf(p,
		"{\"hostname\": \"bench\", \"time\": \"2026-01-31 17:00:%02d.%06d\", \"offcputime\": [",
		k, c->number + 1);
	for (int i = 0; i < options.batch; i++) {
		struct event e = make_event(
			((uint64_t)c->number * BODIES + (uint64_t)k) * (uint64_t)options.batch +
			(uint64_t)i);

		p += sprintf(p, "%s{\"process\": \"proc_%u\", \"pid\": %u, \"stack\": \"",
			i ? ", " : "", e.process, e.pid);
		p = put_stack(p, e.stack);
		p += sprintf(p, "\", \"elapsed\": %u}", e.elapsed);
	}
	p += sprintf(p, "]}");
	n = (size_t)sprintf(head,
		"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
		"Content-Length: %zu\r\n\r\n",
		options.path, (size_t)(p - body));
	c->sizes[k] = n + (size_t)(p - body);
	c->requests[k] = malloc(c->sizes[k]);
	memcpy(c->requests[k], head, n);
	memcpy(c->requests[k] + n, body, (size_t)(p - body));
	free(body);
}

static int
open_socket(void)
{
	const struct timespec moment = { 0, 10L * 1000 * 1000 };
	int one = 1;

	for (int i = 0; i < TRIES; i++) {
		int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

		if (fd >= 0 && connect(fd, (struct sockaddr *)&options.address,
				       sizeof(options.address)) == 0) {
			setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
			return fd;
		}
		close(fd);
		nanosleep(&moment, NULL);
	}
	fail("connect");
	return -1;
}

static int
send_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t n = send(fd, data, size, MSG_NOSIGNAL);

		if (n <= 0)
			return 0;
		data += n;
		size -= (size_t)n;
	}
	return 1;
}

/* Returns 1 if the batch is acknowledged. *keep is true if the connection stays open. */
static int
read_answer(int fd, int *keep)
{
	char b[8192];
	size_t size = 0;
	char *end = NULL;
	char *length;
	long body = -1;
	int good;
	ssize_t n;

	while (!end && size < sizeof(b) - 1 &&
		(n = recv(fd, b + size, sizeof(b) - 1 - size, 0)) > 0) {
		size += (size_t)n;
		b[size] = '\0';
		end = strstr(b, "\r\n\r\n");
	}
	*keep = 0;
	b[size] = '\0';
	good = strncmp(b, "HTTP/1.", 7) == 0 && strncmp(b + 8, " 200", 4) == 0;
	length = strcasestr(b, "\r\nContent-Length:");
	if (end && length && length < end)
		body = strtol(length + 17, NULL, 10);
	if (end && body >= 0) {
		size -= (size_t)(end + 4 - b);
		while (size < (size_t)body && (n = recv(fd, b, sizeof(b) - 1, 0)) > 0)
			size += (size_t)n;
		*keep = size == (size_t)body;
		return *keep && good;
	}
	/* kernelscope's logger sends no Content-Length; it closes the connection after its answer. */
	while ((n = recv(fd, b, sizeof(b), 0)) > 0)
		;
	return good;
}

static void *
run_client(void *argument)
{
	struct client *c = argument;
	int fd = -1;

	for (long i = 0; i < c->batches; i++) {
		int k = (int)(i % BODIES);
		int keep;

		if (fd < 0)
			fd = open_socket();
		if (send_all(fd, c->requests[k], c->sizes[k]) && read_answer(fd, &keep))
			c->acknowledged += options.batch;
		else
			keep = 0;
		if (!keep) {
			close(fd);
			fd = -1;
		}
	}
	if (fd >= 0)
		close(fd);
	return NULL;
}

static int
post(char **argv)
{
	static struct client clients[CONNECTIONS_MAX];
	char *colon = strrchr(argv[0], ':');
	long acknowledged = 0;
	double started;

	options.connections = (int)strtol(argv[2], NULL, 10);
	if (!colon || options.connections < 1 || options.connections > CONNECTIONS_MAX)
		fail("arguments");
	*colon = '\0';
	options.address.sin_family = AF_INET;
	options.address.sin_port = htons((uint16_t)strtol(colon + 1, NULL, 10));
	if (inet_pton(AF_INET, argv[0], &options.address.sin_addr) != 1)
		fail("address");
	options.path = argv[1];
	options.batch = (int)strtol(argv[3], NULL, 10);
	options.events = strtol(argv[4], NULL, 10);
	for (int i = 0; i < options.connections; i++) {
		clients[i].number = i;
		clients[i].batches = options.events / options.batch / options.connections;
		for (int k = 0; k < BODIES; k++)
			make_request(&clients[i], k);
	}
	started = now();
	for (int i = 0; i < options.connections; i++)
		pthread_create(&clients[i].thread, NULL, run_client, &clients[i]);
	for (int i = 0; i < options.connections; i++) {
		pthread_join(clients[i].thread, NULL);
		acknowledged += clients[i].acknowledged;
	}
	printf("%ld %.3f\n", acknowledged, now() - started);
	return 0;
}

/* --- COPY ---------------------------------------------------------------------------------------
 */

/* A group's rows as text, created before the clock starts. */
static char *
make_rows(long from, long count, size_t *size)
{
	char *rows = malloc((size_t)count * ROW_BYTES);
	char *p = rows;

	if (!rows)
		fail("memory");
	for (long i = from; i < from + count; i++) {
		struct event e = make_event((uint64_t)i);

		p += sprintf(
			p, "bench\t2026-01-31 17:00:00.000001\tproc_%u\t%u\t", e.process, e.pid);
		p = put_stack(p, e.stack);
		p += sprintf(p, "\t%u\n", e.elapsed);
	}
	*size = (size_t)(p - rows);
	return rows;
}

static void
copy_group(PGconn *db, const char *sql, const char *rows, size_t size)
{
	PGresult *r = PQexec(db, sql);

	if (PQresultStatus(r) != PGRES_COPY_IN || PQputCopyData(db, rows, (int)size) != 1 ||
		PQputCopyEnd(db, NULL) != 1)
		fail(PQerrorMessage(db));
	PQclear(r);
	while ((r = PQgetResult(db))) {
		if (PQresultStatus(r) != PGRES_COMMAND_OK)
			fail(PQerrorMessage(db));
		PQclear(r);
	}
}

static int
copy(char **argv)
{
	enum {
		GROUPS = 8
	};
	long group = strtol(argv[1], NULL, 10);
	long events = strtol(argv[2], NULL, 10) / group * group;
	PGconn *db = PQconnectdb("");
	char *rows[GROUPS];
	size_t sizes[GROUPS];
	char sql[300];
	double started;

	if (PQstatus(db) != CONNECTION_OK)
		fail(PQerrorMessage(db));
	snprintf(sql, sizeof(sql),
		"COPY %s (hostname, time, process, pid, stack, elapsed) FROM STDIN", argv[0]);
	for (int k = 0; k < GROUPS; k++)
		rows[k] = make_rows(k * group, group, &sizes[k]);
	started = now();
	for (long i = 0; i < events / group; i++)
		copy_group(db, sql, rows[i % GROUPS], sizes[i % GROUPS]);
	printf("%ld %.3f\n", events, now() - started);
	PQfinish(db);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc == 7 && strcmp(argv[1], "post") == 0)
		return post(argv + 2);
	if (argc == 5 && strcmp(argv[1], "copy") == 0)
		return copy(argv + 2);
	fprintf(stderr, "usage: ingest_client post HOST:PORT PATH CONNECTIONS BATCH EVENTS\n"
			"       ingest_client copy TABLE GROUP EVENTS\n");
	return 2;
}
