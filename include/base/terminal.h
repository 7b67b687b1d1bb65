#ifndef PROFDEPOT_BASE_TERMINAL_H
#define PROFDEPOT_BASE_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

/* Returns the width of the terminal `out` in columns: the variable COLUMNS, or else the terminal's
 * own width. Returns 0 if `out` is not a terminal or its width is unknown. */
size_t terminal_width(FILE *out);

#endif
