/*
 * A thread sends full buffers to the server while the caller produces the next rows. The thread is
 * started when the first buffer is full, so in small loads the caller itself sends the rows.
 * copy_queue_wait and copy_queue_drop end the concurrent use of the connection.
 */
#include "copy_private.h"

#include "base/arena.h"
#include "base/disk_budget.h"
#include "base/memory.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static void
drop_buffer(struct copy_buffer *b)
{
	free(b->data);
	*b = (struct copy_buffer){ NULL };
}

/* Keeps the memory of a sent buffer for later rows. */
static void
keep_spare(struct copy_queue *q, struct copy_buffer b)
{
	b.size = 0;
	if (q->spare.data || b.capacity / 2 > COPY_BUFFER_BYTES)
		drop_buffer(&b);
	else
		q->spare = b;
}

static void *
run(void *self)
{
	struct copier *c = self;
	struct copy_queue *q = &c->queue;

	memory_budget_use(q->budget);
	disk_budget_use(q->disk);
	pthread_mutex_lock(&q->mutex);
	while (!q->stopping) {
		struct error failure = q->failure;

		if (!q->count) {
			pthread_cond_wait(&q->changed, &q->mutex);
			continue;
		}
		pthread_mutex_unlock(&q->mutex);
		if (failure.code == ERROR_NONE)
			copy_rows(c->db, &c->relations[q->jobs[0].relation], q->jobs[0].buffer.data,
				q->jobs[0].buffer.size, &failure);
		pthread_mutex_lock(&q->mutex);
		/* copy_queue_drop may have set a failure while the mutex was unlocked. */
		if (q->failure.code == ERROR_NONE)
			q->failure = failure;
		q->bytes -= q->jobs[0].buffer.capacity;
		keep_spare(q, q->jobs[0].buffer);
		q->count--;
		memmove(q->jobs, q->jobs + 1, q->count * sizeof(*q->jobs));
		pthread_cond_broadcast(&q->changed);
	}
	pthread_mutex_unlock(&q->mutex);
	return NULL;
}

/* Starts the queue's thread. The new thread blocks all signals, so that only the other threads receive them. */
static bool
start(struct copier *c)
{
	struct copy_queue *q = &c->queue;
	sigset_t all;
	sigset_t before;

	if (q->started)
		return true;
	q->budget = memory_budget_in_use();
	q->disk = disk_budget_in_use();
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	q->started = pthread_create(&q->thread, NULL, run, c) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return q->started;
}

static bool
has_room(const struct copy_queue *q, size_t bytes)
{
	return q->count < COPY_QUEUE_LENGTH && (!q->count || q->bytes + bytes <= COPY_QUEUE_BYTES);
}

bool
copy_queue_push(struct copier *c, size_t relation)
{
	struct copy_queue *q = &c->queue;
	struct copy_buffer *b = &c->buffers[relation];

	if (!start(c))
		return false;
	pthread_mutex_lock(&q->mutex);
	while (!has_room(q, b->capacity))
		pthread_cond_wait(&q->changed, &q->mutex);
	q->jobs[q->count++] = (struct copy_job){ relation, *b };
	q->bytes += b->capacity;
	c->total_bytes -= b->capacity;
	*b = q->spare;
	c->total_bytes += b->capacity;
	q->spare = (struct copy_buffer){ NULL };
	if (q->failure.code != ERROR_NONE && c->failure.code == ERROR_NONE)
		c->failure = q->failure;
	pthread_cond_broadcast(&q->changed);
	pthread_mutex_unlock(&q->mutex);
	return true;
}

void
copy_queue_wait(struct copier *c)
{
	struct copy_queue *q = &c->queue;

	pthread_mutex_lock(&q->mutex);
	while (q->count)
		pthread_cond_wait(&q->changed, &q->mutex);
	if (q->failure.code != ERROR_NONE && c->failure.code == ERROR_NONE)
		c->failure = q->failure;
	pthread_mutex_unlock(&q->mutex);
}

void
copy_queue_drop(struct copier *c)
{
	struct copy_queue *q = &c->queue;

	pthread_mutex_lock(&q->mutex);
	if (q->failure.code == ERROR_NONE)
		error_set(&q->failure, ERROR_INTERNAL, "rows were dropped");
	pthread_mutex_unlock(&q->mutex);
	copy_queue_wait(c);
}

void
copy_queue_init(struct copy_queue *q)
{
	pthread_mutex_init(&q->mutex, NULL);
	pthread_cond_init(&q->changed, NULL);
	q->failure = ERROR_INIT;
}

void
copy_queue_release(struct copier *c)
{
	struct copy_queue *q = &c->queue;

	if (q->started) {
		pthread_mutex_lock(&q->mutex);
		q->stopping = true;
		pthread_cond_broadcast(&q->changed);
		pthread_mutex_unlock(&q->mutex);
		pthread_join(q->thread, NULL);
	}
	drop_buffer(&q->spare);
	pthread_cond_destroy(&q->changed);
	pthread_mutex_destroy(&q->mutex);
}
