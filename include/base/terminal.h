#ifndef PROFDEPOT_BASE_TERMINAL_H
#define PROFDEPOT_BASE_TERMINAL_H

#include "base/error.h"
#include "base/text.h"

#include <stddef.h>
#include <stdio.h>

/* Returns the width for output to `out` in columns: the variable COLUMNS or, if it is not set and `out` is a
 * terminal, the terminal's width. Returns 0 if the width is unknown. */
size_t terminal_width(FILE *out);

/* Prints text. Control characters and bytes that are not UTF-8 become escapes such as \x1b, so that a
 * terminal does not interpret them. NULL prints nothing. */
void terminal_print(FILE *out, struct text t);
/* Like terminal_print, but keeps line breaks and tabs. */
void terminal_print_lines(FILE *out, struct text t);
/* Formats at most 4,095 bytes, and prints them like terminal_print_lines. */
void terminal_printf(FILE *out, const char *format, ...) ERROR_PRINTF(2, 3);

#endif
