#ifndef PROFDEPOT_BASE_TERMINAL_H
#define PROFDEPOT_BASE_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

/* The number of columns of the terminal `out`: the variable COLUMNS, or else the terminal's own
 * width. 0 if it is not a terminal or its width is unknown. */
size_t terminal_width(FILE *out);

#endif
