/* What a process does on signals. */
#include "base/signals.h"

#include <signal.h>
#include <stddef.h>

void
signals_set(int number, void (*handler)(int))
{
	const struct sigaction action = { .sa_handler = handler };

	sigaction(number, &action, NULL);
}

void
signals_for_starter(void)
{
	signals_set(SIGINT, SIG_IGN);
	signals_set(SIGTERM, SIG_IGN);
	signals_set(SIGPIPE, SIG_IGN);
	signals_set(SIGCHLD, SIG_IGN); /* no zombies */
}
