#include "read_ahead.h"

#include "base/arena.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	BLOCKS = 4,
	BLOCK_BYTES = 128 * 1024,
	THREAD_FROM_BYTES = 2 * 1024 * 1024,
};

struct block {
	size_t size; /* of what was read */
	size_t taken;
	int error;
	char *bytes;
};

struct ahead_thread {
	int fd;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t moved;
	/* Guarded by the mutex: blocks [first, next) are full, the last of them empty at the end.
	 */
	size_t first, next;
	bool stop;
	struct block blocks[BLOCKS];
};

static ssize_t
read_again(int fd, char *out, size_t room)
{
	ssize_t n;

	do
		n = read(fd, out, room);
	while (n < 0 && errno == EINTR);
	return n;
}

static void
fill(const struct ahead_thread *a, struct block *b)
{
	ssize_t n = read_again(a->fd, b->bytes, BLOCK_BYTES);

	b->error = n < 0 ? errno : 0;
	b->size = n < 0 ? 0 : (size_t)n;
	b->taken = 0;
}

static void *
run(void *argument)
{
	struct ahead_thread *a = argument;
	bool more = true;

	pthread_mutex_lock(&a->mutex);
	while (more && !a->stop) {
		struct block *b = &a->blocks[a->next % BLOCKS];

		if (a->next - a->first == BLOCKS) {
			pthread_cond_wait(&a->moved, &a->mutex);
			continue;
		}
		pthread_mutex_unlock(&a->mutex);
		fill(a, b);
		more = b->size > 0;
		pthread_mutex_lock(&a->mutex);
		a->next++;
		pthread_cond_signal(&a->moved);
	}
	pthread_mutex_unlock(&a->mutex);
	return NULL;
}

/* NULL when fd is no regular file, or no thread can be had. */
static struct ahead_thread *
thread_new(int fd)
{
	struct stat st;
	struct ahead_thread *a;
	char *bytes;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return NULL;
	a = xcalloc(1, sizeof(*a));
	bytes = xmalloc(BLOCKS * (size_t)BLOCK_BYTES);
	a->fd = fd;
	for (size_t i = 0; i < BLOCKS; i++)
		a->blocks[i].bytes = bytes + i * BLOCK_BYTES;
	pthread_mutex_init(&a->mutex, NULL);
	pthread_cond_init(&a->moved, NULL);
	if (pthread_create(&a->thread, NULL, run, a) == 0)
		return a;
	pthread_cond_destroy(&a->moved);
	pthread_mutex_destroy(&a->mutex);
	free(bytes);
	free(a);
	return NULL;
}

static ssize_t
take(struct ahead_thread *a, char *out, size_t room)
{
	struct block *b = &a->blocks[a->first % BLOCKS];
	size_t n;

	pthread_mutex_lock(&a->mutex);
	while (a->first == a->next)
		pthread_cond_wait(&a->moved, &a->mutex);
	pthread_mutex_unlock(&a->mutex);
	if (b->error) {
		errno = b->error;
		return -1;
	}
	n = b->size - b->taken;
	n = n < room ? n : room;
	if (n)
		memcpy(out, b->bytes + b->taken, n);
	b->taken += n;
	if (b->size && b->taken == b->size) { /* the empty block stays: the end is told again */
		pthread_mutex_lock(&a->mutex);
		a->first++;
		pthread_cond_signal(&a->moved);
		pthread_mutex_unlock(&a->mutex);
	}
	return (ssize_t)n;
}

static void
thread_free(struct ahead_thread *a)
{
	pthread_mutex_lock(&a->mutex);
	a->stop = true;
	pthread_cond_signal(&a->moved);
	pthread_mutex_unlock(&a->mutex);
	pthread_join(a->thread, NULL);
	pthread_cond_destroy(&a->moved);
	pthread_mutex_destroy(&a->mutex);
	free(a->blocks[0].bytes);
	free(a);
}

ssize_t
read_ahead(struct read_ahead *a, char *out, size_t room)
{
	ssize_t n;

	if (a->thread)
		return take(a->thread, out, room);
	n = read_again(a->fd, out, room);
	a->bytes += n > 0 ? (size_t)n : 0;
	if (a->bytes >= THREAD_FROM_BYTES) {
		a->bytes = 0; /* where no thread can be had: tried again later */
		a->thread = thread_new(a->fd);
	}
	return n;
}

void
read_ahead_end(struct read_ahead *a)
{
	if (a->thread)
		thread_free(a->thread);
	a->thread = NULL;
}
