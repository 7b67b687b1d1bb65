/* What a process does on signals. */
#ifndef PROFDEPOT_BASE_SIGNALS_H
#define PROFDEPOT_BASE_SIGNALS_H

/* Like signal(2), but with the same meaning on every system. */
void signals_set(int number, void (*handler)(int));

/* For a process that only starts other processes for a service. The process then ignores signals to its whole
 * group: they stop the service, which then ends this process. Its children leave no zombies, so it need not
 * wait for them. */
void signals_for_starter(void);

#endif
