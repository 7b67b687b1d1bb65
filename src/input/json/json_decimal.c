#include "json_private.h"

static bool
ends_number(char c)
{
	return c == ',' || c == ']' || c == '}' || c == ' ';
}

const char *
json_scan_decimal(const char *p, struct decimal *v)
{
	const char *begin = p;
	int64_t n = 0;
	unsigned scale = 0;

	while (*p >= '0' && *p <= '9' && p - begin < DECIMAL_MAX_SCALE)
		n = n * 10 + (*p++ - '0');
	if (p == begin || (*begin == '0' && p > begin + 1))
		return NULL;
	if (*p == '.') {
		const char *fraction = ++p;

		while (*p >= '0' && *p <= '9' && p - begin < DECIMAL_MAX_SCALE + 1)
			n = n * 10 + (*p++ - '0');
		if (p == fraction)
			return NULL;
		scale = (unsigned)(p - fraction);
	}
	if (!ends_number(*p))
		return NULL;
	*v = (struct decimal){ .mantissa = n, .scale = (uint8_t)scale, .kind = DECIMAL_COMPACT };
	return p;
}

bool
json_read_decimal(struct json_reader *r, struct decimal *value, bool *ok, struct error *err)
{
	const char *here = json_window(r).data;
	const char *end = json_scan_decimal(here, value);
	struct text t;

	/* Nearly all numbers need one look. */
	if (end && (size_t)(end - here) <= r->max_string) {
		json_take(r, (size_t)(end - here));
		*ok = true;
		return true;
	}
	if (!json_read_number(r, &t, err))
		return false;
	*ok = decimal_parse(t, value) == DECIMAL_OK;
	return true;
}
