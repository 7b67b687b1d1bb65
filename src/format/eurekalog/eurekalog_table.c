/* Reads the tables of call stacks in EurekaLog's reports; see eurekalog.c. */
#include "eurekalog_private.h"

static const char *const names[EUREKA_OTHER] = { "Address", "Module", "Offset", "Source", "Unit",
	"Class", "Procedure/Method", "Line" };

/* Finds the bars of a row. Returns their number, or max + 1 if there are more. */
static size_t
find_bars(struct text row, size_t *bars, size_t max)
{
	size_t count = 0;

	for (size_t i = 0; i < row.size && count <= max; i++) {
		if (row.data[i] != '|')
			continue;
		if (count < max)
			bars[count] = i;
		count++;
	}
	return count;
}

static struct text
cell_at(struct text row, const size_t *bars, size_t i)
{
	return text_trim(text_up_to(text_from_at(row, bars[i] + 1), bars[i + 1] - bars[i] - 1));
}

/* Sets the columns to those that EurekaLog 6 and 7 write. Returns false if the number of columns is
 * different. */
static bool
take_usual_columns(struct eureka_table *t)
{
	size_t skipped = t->count >= 10 ? 3 : 0;
	enum eureka_column column = EUREKA_ADDRESS;

	if (t->count != 6 && t->count != 10 && t->count != 11)
		return false;
	for (size_t i = 0; i < t->count; i++) {
		if (i < skipped) {
			t->columns[i] = EUREKA_OTHER;
			continue;
		}
		if ((column == EUREKA_OFFSET && t->count == 6) ||
			(column == EUREKA_SOURCE && t->count == 10))
			column++;
		if (column == EUREKA_SOURCE && t->count == 6)
			column++;
		t->columns[i] = column++;
	}
	return true;
}

void
eureka_table_read(struct eureka_table *t, struct text head)
{
	size_t found = 0;
	size_t bars = find_bars(head, t->bars, EUREKA_MAX_COLUMNS + 1);

	t->count = 0;
	if (bars < 2 || bars > EUREKA_MAX_COLUMNS + 1)
		return;
	t->count = bars - 1;
	for (size_t i = 0; i < t->count; i++) {
		size_t at = text_among(cell_at(head, t->bars, i), names, EUREKA_OTHER);

		t->columns[i] = (enum eureka_column)at;
		found += at == EUREKA_ADDRESS || at == EUREKA_UNIT || at == EUREKA_ROUTINE;
	}
	if (found != 3 && !take_usual_columns(t))
		t->count = 0;
}

bool
eureka_table_split(const struct eureka_table *t, struct text row, struct text cells[EUREKA_OTHER])
{
	size_t own[EUREKA_MAX_COLUMNS + 1];
	const size_t *bars = own;

	/* If a routine's name contains a bar, the row is split at the positions of the head's
	 * bars. */
	if (find_bars(row, own, t->count + 1) != t->count + 1) {
		bars = t->bars;
		for (size_t i = 0; i <= t->count; i++)
			if (bars[i] >= row.size || row.data[bars[i]] != '|')
				return false;
	}
	for (size_t i = 0; i < EUREKA_OTHER; i++)
		cells[i] = TEXT_NULL;
	for (size_t i = 0; i < t->count; i++)
		if (t->columns[i] != EUREKA_OTHER)
			cells[t->columns[i]] = cell_at(row, bars, i);
	return true;
}
