/* External merge sort; see input/sort.h. */
#include "input/sort.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/fd.h"
#include "temp_private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	DEFAULT_BYTES = 16 * 1024 * 1024,
	WRITE_BYTES = 64 * 1024,
	READ_BYTES = 32 * 1024, /* a run's share of the memory while merging */
};

/* A sorted piece of a temporary file; positions are in records. */
struct run {
	uint64_t begin;
	uint64_t end;
};

/* A run during a merge, with a window of its records in memory. */
struct cursor {
	uint64_t next; /* next record to read from the file */
	uint64_t end;
	char *window;
	size_t at; /* records of the window: `at` were returned, `count` are available */
	size_t count;
};

struct merge {
	int fd;
	struct cursor *cursors;
	size_t *heap; /* indices of cursors, the smallest record first */
	size_t heap_count;
	size_t window_records;
};

struct sorter {
	size_t record_bytes;
	int (*compare)(const void *, const void *);
	size_t capacity; /* number of records that fit in memory if `copy` has the same size */
	char *records;
	char *copy;
	size_t count;
	size_t given; /* number of records returned so far; if records are on disk: 0, or 1 after the first */
	bool in_order;
	int fd; /* -1 until something is written */
	uint64_t written;
	struct run *runs;
	size_t run_count;
	size_t run_capacity;
	struct merge merge;
};

struct sorter *
sorter_new(size_t record_bytes, int (*compare)(const void *, const void *), size_t memory_bytes)
{
	struct sorter *s = xcalloc(1, sizeof(*s));

	assert(record_bytes > 0);
	if (memory_bytes == 0)
		memory_bytes = DEFAULT_BYTES;
	s->record_bytes = record_bytes;
	s->compare = compare;
	s->capacity = memory_bytes / 2 / record_bytes;
	if (s->capacity < 4)
		s->capacity = 4; /* a merge needs two windows and room to write */
	s->in_order = true;
	s->fd = -1;
	s->merge.fd = -1;
	return s;
}

static void
merge_end(struct merge *m)
{
	free(m->cursors);
	free(m->heap);
	*m = (struct merge){ .fd = -1 };
}

void
sorter_free(struct sorter *s)
{
	if (!s)
		return;
	merge_end(&s->merge);
	if (s->fd >= 0)
		close(s->fd);
	free(s->runs);
	free(s->records);
	free(s->copy);
	free(s);
}

static char *
record_at(const struct sorter *s, char *base, size_t i)
{
	return base + i * s->record_bytes;
}

/* Merges from[a..b) and from[b..c) into to[a..c); equal records keep their order. */
static void
merge_pieces(const struct sorter *s, char *from, char *to, const size_t bounds[3])
{
	size_t i = bounds[0];
	size_t j = bounds[1];
	char *out = record_at(s, to, bounds[0]);

	while (i < bounds[1] && j < bounds[2]) {
		char *left = record_at(s, from, i);
		char *right = record_at(s, from, j);
		bool take_right = s->compare(left, right) > 0;

		memcpy(out, take_right ? right : left, s->record_bytes);
		out += s->record_bytes;
		i += !take_right;
		j += take_right;
	}
	memcpy(out, record_at(s, from, i), (bounds[1] - i) * s->record_bytes);
	out += (bounds[1] - i) * s->record_bytes;
	memcpy(out, record_at(s, from, j), (bounds[2] - j) * s->record_bytes);
}

/* A bottom-up merge sort; the result is in s->records. */
static void
sort_memory(struct sorter *s)
{
	if (s->in_order)
		return;
	if (!s->copy)
		s->copy = xmalloc(s->capacity * s->record_bytes);
	for (size_t width = 1; width < s->count; width *= 2) {
		char *swap = s->records;

		for (size_t a = 0; a < s->count; a += 2 * width) {
			size_t b = a + width < s->count ? a + width : s->count;
			size_t c = b + width < s->count ? b + width : s->count;

			merge_pieces(s, s->records, s->copy, (size_t[]){ a, b, c });
		}
		s->records = s->copy;
		s->copy = swap;
	}
	s->in_order = true;
}

static void
add_run(struct sorter *s, uint64_t begin, uint64_t end)
{
	*ARRAY_ADD(s->runs, s->run_count, s->run_capacity) = (struct run){ begin, end };
}

/* Writes the records that are in memory to the file, as one run. */
static bool
spill(struct sorter *s, struct error *err)
{
	sort_memory(s);
	if (s->fd < 0 && (s->fd = temp_open(err)) < 0)
		return false;
	if (!temp_write(s->fd, s->records, s->count * s->record_bytes, err))
		return false;
	add_run(s, s->written, s->written + s->count);
	s->written += s->count;
	s->count = 0;
	return true;
}

bool
sorter_add(struct sorter *s, const void *record, struct error *err)
{
	if (s->count == s->capacity && !spill(s, err))
		return false;
	if (!s->records)
		s->records = xmalloc(s->capacity * s->record_bytes);
	if (s->count && s->in_order)
		s->in_order = s->compare(record_at(s, s->records, s->count - 1), record) <= 0;
	memcpy(record_at(s, s->records, s->count++), record, s->record_bytes);
	return true;
}

static bool
read_at(int fd, char *out, size_t size, uint64_t offset, struct error *err)
{
	while (size) {
		ssize_t n = fd_pread(fd, out, size, offset);

		if (n < 0)
			return error_set_errno(err, ERROR_FILE, "cannot read a temporary file");
		if (n == 0)
			return error_set(err, ERROR_FILE, "a temporary file is truncated");
		out += n;
		offset += (uint64_t)n;
		size -= (size_t)n;
	}
	return true;
}

static bool
cursor_fill(const struct sorter *s, const struct merge *m, struct cursor *c, struct error *err)
{
	uint64_t left = c->end - c->next;

	c->at = 0;
	c->count = left < m->window_records ? (size_t)left : m->window_records;
	if (!read_at(m->fd, c->window, c->count * s->record_bytes, c->next * s->record_bytes, err))
		return false;
	c->next += c->count;
	return true;
}

static const char *
cursor_record(const struct sorter *s, const struct cursor *c)
{
	return c->window + c->at * s->record_bytes;
}

/* Whether cursor a comes before b. If their records are equal, the record that was added earlier
 * comes first. */
static bool
comes_before(const struct sorter *s, const struct merge *m, size_t a, size_t b)
{
	int order = s->compare(cursor_record(s, &m->cursors[a]), cursor_record(s, &m->cursors[b]));

	return order < 0 || (order == 0 && a < b);
}

static void
sift_down(const struct sorter *s, struct merge *m, size_t i)
{
	for (;;) {
		size_t child = 2 * i + 1;
		size_t swap;

		if (child >= m->heap_count)
			return;
		if (child + 1 < m->heap_count &&
			comes_before(s, m, m->heap[child + 1], m->heap[child]))
			child++;
		if (!comes_before(s, m, m->heap[child], m->heap[i]))
			return;
		swap = m->heap[i];
		m->heap[i] = m->heap[child];
		m->heap[child] = swap;
		i = child;
	}
}

/* Starts merging runs of the file; their windows share `memory`. */
static bool
merge_begin(struct sorter *s, struct merge *m, const struct run *runs, size_t count, char *memory,
	size_t memory_records, struct error *err)
{
	*m = (struct merge){
		.fd = s->fd,
		.cursors = xcalloc(count, sizeof(*m->cursors)),
		.heap = xcalloc(count, sizeof(*m->heap)),
		.heap_count = count,
		.window_records = memory_records / count,
	};
	for (size_t i = 0; i < count; i++) {
		m->cursors[i] = (struct cursor){
			.next = runs[i].begin,
			.end = runs[i].end,
			.window = memory + i * m->window_records * s->record_bytes,
		};
		m->heap[i] = i;
		if (!cursor_fill(s, m, &m->cursors[i], err))
			return false;
	}
	for (size_t i = count / 2; i-- > 0;)
		sift_down(s, m, i);
	return true;
}

/* Moves past the smallest current record. */
static bool
merge_step(struct sorter *s, struct merge *m, struct error *err)
{
	struct cursor *c = &m->cursors[m->heap[0]];

	if (++c->at == c->count) {
		if (c->next < c->end) {
			if (!cursor_fill(s, m, c, err))
				return false;
		} else {
			m->heap[0] = m->heap[--m->heap_count];
		}
	}
	sift_down(s, m, 0);
	return true;
}

/* Merges some runs into one at the end of the file `out`. */
static bool
merge_to_file(struct sorter *s, const struct run *runs, size_t count, int out, struct error *err)
{
	size_t out_records = s->capacity / 2;
	char *gather = record_at(s, s->records, s->capacity - out_records);
	size_t filled = 0;
	struct merge m;
	bool ok = merge_begin(s, &m, runs, count, s->records, s->capacity - out_records, err);

	while (ok && m.heap_count) {
		memcpy(record_at(s, gather, filled++), cursor_record(s, &m.cursors[m.heap[0]]),
			s->record_bytes);
		ok = merge_step(s, &m, err);
		if (ok && (filled == out_records || m.heap_count == 0)) {
			ok = temp_write(out, gather, filled * s->record_bytes, err);
			filled = 0;
		}
	}
	merge_end(&m);
	return ok;
}

/* The number of runs that one merge can read with half of the memory. */
static size_t
fan_in(const struct sorter *s)
{
	size_t bytes = (s->capacity - s->capacity / 2) * s->record_bytes;
	size_t fan = bytes / READ_BYTES;
	size_t most = s->capacity - s->capacity / 2;

	if (fan < 16)
		fan = 16;
	return fan > most ? most : fan;
}

/* Merges neighbouring runs into fewer runs in a new file. */
static bool
merge_pass(struct sorter *s, size_t fan, struct error *err)
{
	struct run *old = s->runs;
	size_t old_count = s->run_count;
	int out = temp_open(err);
	bool ok = out >= 0;

	s->runs = NULL;
	s->run_count = s->run_capacity = 0;
	for (size_t i = 0; ok && i < old_count; i += fan) {
		size_t n = old_count - i < fan ? old_count - i : fan;

		ok = merge_to_file(s, old + i, n, out, err);
		add_run(s, old[i].begin, old[i + n - 1].end);
	}
	free(old);
	close(s->fd);
	s->fd = out;
	return ok;
}

bool
sorter_finish(struct sorter *s, struct error *err)
{
	size_t fan = fan_in(s);

	if (s->run_count == 0) {
		sort_memory(s);
		free(s->copy);
		s->copy = NULL;
		return true;
	}
	if (s->count && !spill(s, err))
		return false;
	free(s->copy);
	s->copy = NULL;
	while (s->run_count > fan)
		if (!merge_pass(s, fan, err))
			return false;
	return merge_begin(s, &s->merge, s->runs, s->run_count, s->records, s->capacity, err);
}

bool
sorter_next(struct sorter *s, const void **record, struct error *err)
{
	struct merge *m = &s->merge;

	*record = NULL;
	if (s->run_count == 0) {
		if (s->given < s->count)
			*record = record_at(s, s->records, s->given++);
		return true;
	}
	/* The caller borrowed the previous record until this call, so move past it only now. */
	if (s->given && m->heap_count && !merge_step(s, m, err))
		return false;
	s->given = 1;
	if (m->heap_count)
		*record = cursor_record(s, &m->cursors[m->heap[0]]);
	return true;
}
