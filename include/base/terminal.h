#ifndef PROFDEPOT_BASE_TERMINAL_H
#define PROFDEPOT_BASE_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

/* Returns the width of the terminal `out` in columns, taken from the variable COLUMNS or else from
 * the terminal itself. Returns 0 if `out` is not a terminal or its width is unknown. */
size_t terminal_width(FILE *out);

#endif
