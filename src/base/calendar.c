/*
 * Conversion of dates to day numbers and back. Algorithms: "chrono-Compatible Low-Level Date
 * Algorithms" by Howard Hinnant, https://howardhinnant.github.io/date_algorithms.html. In these
 * algorithms years begin in March, and an era has 400 years.
 */
#include "base/calendar.h"

enum {
	ERA_DAYS = 146097,
	EPOCH_DAYS = 719468 /* from 0000-03-01 to 1970-01-01 */
};

int64_t
calendar_days(int64_t year, int month, int day)
{
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t era = (y >= 0 ? y : y - 399) / 400;
	int64_t year_of_era = y - era * 400;
	int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;

	return era * ERA_DAYS + day_of_era - EPOCH_DAYS;
}

void
calendar_date(int64_t days, int64_t *year, int *month, int *day)
{
	int64_t z = days + EPOCH_DAYS;
	int64_t era = (z >= 0 ? z : z - (ERA_DAYS - 1)) / ERA_DAYS;
	int64_t day_of_era = z - era * ERA_DAYS;
	int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 -
				      day_of_era / (ERA_DAYS - 1)) /
			      365;
	int64_t day_of_year =
		day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	int64_t march_month = (5 * day_of_year + 2) / 153;

	*day = (int)(day_of_year - (153 * march_month + 2) / 5 + 1);
	*month = (int)(march_month < 10 ? march_month + 3 : march_month - 9);
	*year = year_of_era + era * 400 + (*month <= 2);
}
