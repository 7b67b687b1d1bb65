/* What a process does on signals. */
#ifndef PROFDEPOT_BASE_SIGNALS_H
#define PROFDEPOT_BASE_SIGNALS_H

/* Like signal(2), but with the same meaning on every system. */
void signals_set(int number, void (*handler)(int));

/* For a process that only starts other processes for a service. From this call on, the process ignores SIGINT
 * and SIGTERM. If they are sent to the whole process group, the service also receives them, stops, and ends
 * this process. The children of this process leave no zombies, so it need not wait for them. */
void signals_for_starter(void);

#endif
