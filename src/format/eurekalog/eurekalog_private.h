/* Parts of the reader of EurekaLog's reports. */
#ifndef PROFDEPOT_FORMAT_EUREKALOG_PRIVATE_H
#define PROFDEPOT_FORMAT_EUREKALOG_PRIVATE_H

#include "base/text.h"

enum eureka_column {
	EUREKA_ADDRESS,
	EUREKA_MODULE,
	EUREKA_OFFSET,
	EUREKA_SOURCE,
	EUREKA_UNIT,
	EUREKA_CLASS,
	EUREKA_ROUTINE,
	EUREKA_LINE,
	EUREKA_OTHER, /* such as Methods, Details and Stack */
	EUREKA_MAX_COLUMNS = 16
};

/* The columns of a table of call stacks. */
struct eureka_table {
	size_t count; /* 0 if the table has other contents */
	enum eureka_column columns[EUREKA_MAX_COLUMNS];
	size_t bars[EUREKA_MAX_COLUMNS + 1]; /* offsets of the bars in the head */
};

/* eurekalog_table.c */

/* Reads the head of a table. If the names of the columns are translated, the number of
 * columns shows which columns they are. */
void eureka_table_read(struct eureka_table *table, struct text head);
/* Splits a row. Returns false if `row` is not a row of this table. */
bool eureka_table_split(
	const struct eureka_table *table, struct text row, struct text cells[EUREKA_OTHER]);

#endif
