/* The progress meter. */
#include "base/progress.h"

#include "base/clock.h"
#include "base/terminal.h"

#include <stdio.h>
#include <unistd.h>

void
progress_begin(struct progress *p, const char *what, bool forced, bool quiet)
{
	bool terminal = isatty(STDERR_FILENO);

	*p = (struct progress){ .enabled = !quiet && (terminal || forced),
		.in_place = terminal,
		.what = what,
		.quiet = quiet,
		.started = clock_seconds() };
	p->last = p->started + 1.0;
}

void
progress_update(struct progress *p, int64_t done_bytes, int64_t total_bytes)
{
	double now;
	double share;
	double elapsed;

	if (!p->enabled || total_bytes <= 0)
		return;
	now = clock_seconds();
	if (now - p->last < 1.0)
		return;
	p->last = now;
	elapsed = now - p->started;
	share = (double)done_bytes / (double)total_bytes;
	if (share > 1.0)
		share = 1.0;
	if (p->in_place)
		putc('\r', stderr);
	terminal_print(stderr, text_from(p->what));
	fprintf(stderr, ": %3.0f %% of %.0f MB, %.0f MB/s", share * 100.0,
		(double)total_bytes / 1e6, (double)done_bytes / 1e6 / elapsed);
	if (share > 0.02)
		fprintf(stderr, ", %.0f s left", elapsed * (1.0 - share) / share);
	fputs(p->in_place ? "\x1b[K" : "\n", stderr);
	fflush(stderr);
	p->drawn = true;
}

void
progress_stream(struct progress *p, int64_t bytes)
{
	double now = clock_seconds();
	const bool first = !p->drawn && (p->enabled || (!bytes && !p->quiet && !p->waited));

	/* The first report ignores `last`, because progress_begin has set `last` to one second after the start. */
	if (now - p->started < 1.0 || (!first && (!p->enabled || now - p->last < 1.0)))
		return;
	p->last = now;
	if (!bytes) {
		p->waited = true;
		fprintf(stderr, "%s%s: no data yet, waiting", p->in_place ? "\r" : "", p->what);
	} else {
		fprintf(stderr, "%s%s: %.0f MB so far, %.0f MB/s", p->in_place ? "\r" : "", p->what,
			(double)bytes / 1e6, (double)bytes / 1e6 / (now - p->started));
	}
	fputs(p->in_place ? "\x1b[K" : "\n", stderr);
	fflush(stderr);
	p->drawn = true;
}

void
progress_end(struct progress *p)
{
	if (p->drawn && p->in_place)
		fputs("\r\x1b[K", stderr);
	p->drawn = false;
}
