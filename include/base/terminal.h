#ifndef PROFDEPOT_BASE_TERMINAL_H
#define PROFDEPOT_BASE_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

/* Columns of the terminal `out`: COLUMNS, or else what the terminal reports. 0 if it is not a terminal
 * or its width is unknown. */
size_t terminal_width(FILE *out);

#endif
