/* Dates of the proleptic Gregorian calendar. */
#ifndef PROFDEPOT_BASE_CALENDAR_H
#define PROFDEPOT_BASE_CALENDAR_H

#include <stdint.h>

/* Returns the number of days from 1970-01-01 to the date. The month is 1 to 12; the day may be past
 * the month's end. */
int64_t calendar_days(int64_t year, int month, int day);

/* Computes the date that is `days` days after 1970-01-01. */
void calendar_date(int64_t days, int64_t *year, int *month, int *day);

#endif
