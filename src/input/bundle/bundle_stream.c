/* Copies standard input or a FIFO to a temporary file. */
#include "base/fd.h"
#include "bundle_private.h"
#include "input/temp_private.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	BLOCK_BYTES = 256 * 1024,
	WAIT_MS = 200, /* between two ticks */
	FIRST_JUDGE_BYTES = 1024 * 1024,
};

struct stream {
	struct bundle *bundle;
	int in, out;
	int64_t size;     /* bytes copied */
	int64_t judge_at; /* the next check is due at this size */
	char *block;
};

static bool
tick(const struct stream *s, struct error *err)
{
	const struct bundle_options *o = &s->bundle->options;

	return !o->tick || o->tick(o->tick_self, s->size, err);
}

/* Waits for bytes or for the end of the stream. A FIFO has neither until a process opens it for
 * writing. */
static bool
wait_for_bytes(const struct stream *s, struct error *err)
{
	struct pollfd p = { .fd = s->in, .events = POLLIN };
	int ready = 0;

	while (ready == 0) {
		ready = poll(&p, 1, WAIT_MS);
		if (ready < 0 && errno == EINTR)
			ready = 0;
		if (ready < 0)
			return error_set_errno(err, ERROR_FILE, "cannot read %s", s->bundle->path);
		if (!tick(s, err))
			return false;
	}
	return true;
}

/* Each time the length of the stream has doubled, checks whether the stream begins like a known
 * format. */
static bool
judge(struct stream *s, struct error *err)
{
	const struct bundle_options *o = &s->bundle->options;

	if (!o->judge_stream || s->size < s->judge_at || s->judge_at > BUNDLE_STREAM_HEAD_BYTES)
		return true;
	s->judge_at *= 2;
	return o->judge_stream(o->judge_self, s->out, err);
}

static bool
copy_block(struct stream *s, bool *more, struct error *err)
{
	const struct limits *max = &s->bundle->limits;
	ssize_t n;

	if (!wait_for_bytes(s, err))
		return false;
	n = fd_read(s->in, s->block, BLOCK_BYTES);
	*more = n != 0;
	if (n < 0 && errno == EAGAIN)
		return true;
	if (n < 0)
		return error_set_errno(err, ERROR_FILE, "cannot read %s", s->bundle->path);
	s->size += n;
	if (s->size > max->bytes)
		return limits_exceeded(max, "bytes", err, "%s: more than %" PRId64 " bytes",
			s->bundle->path, max->bytes);
	return temp_write(s->out, s->block, (size_t)n, err) && judge(s, err);
}

int
bundle_spool(struct bundle *b, int fd, struct error *err)
{
	struct stream s = {
		.bundle = b, .in = fd, .out = temp_open(err), .judge_at = FIRST_JUDGE_BYTES
	};
	bool more = true;
	bool ok = s.out >= 0;

	s.block = xmalloc(BLOCK_BYTES);
	while (ok && more)
		ok = copy_block(&s, &more, err);
	free(s.block);
	if (!ok && s.out >= 0)
		close(s.out);
	else if (ok)
		lseek(s.out, 0, SEEK_SET);
	return ok ? s.out : -1;
}
