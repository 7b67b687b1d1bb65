/*
 * Limits the requests per second of each address. Each address has one token bucket in a table of
 * fixed size. The bucket of an address can be at only WAYS places of the table. A new address
 * replaces the least recently used of the buckets at these places.
 */
#include "base/clock.h"
#include "base/hash.h"
#include "http_private.h"

#include <string.h>

enum {
	WAYS = 8,
	BURST_SECONDS = 2, /* a burst may use up the requests of this many seconds */
};

static struct http_bucket *
bucket_of(struct http_rate *r, uint64_t key, double now, double burst)
{
	struct http_bucket *set = &r->buckets[key % (HTTP_RATE_BUCKETS / WAYS) * WAYS];
	struct http_bucket *oldest = set;

	for (size_t i = 0; i < WAYS; i++) {
		if (set[i].key == key && set[i].used > 0)
			return &set[i];
		if (set[i].used < oldest->used)
			oldest = &set[i];
	}
	*oldest = (struct http_bucket){ .key = key, .used = now, .left = burst };
	return oldest;
}

double
http_rate_wait(struct http_rate *r, const char *address, int64_t per_second)
{
	struct hash128 h = hash128_seeded(address, strlen(address), r->seed);
	double burst = (double)per_second * BURST_SECONDS;
	double now = clock_seconds();
	double wait = 0;
	struct http_bucket *b;

	pthread_mutex_lock(&r->mutex);
	b = bucket_of(r, h.low, now, burst);
	b->left += (now - b->used) * (double)per_second;
	if (b->left > burst)
		b->left = burst;
	b->used = now;
	if (b->left >= 1)
		b->left--;
	else
		wait = (1 - b->left) / (double)per_second;
	pthread_mutex_unlock(&r->mutex);
	return wait;
}
