#include "json_private.h"

bool
json_read_decimal(struct json_reader *r, struct decimal *value, bool *ok, struct error *err)
{
	struct text t;

	if (!json_read_number(r, &t, err))
		return false;
	*ok = decimal_parse(t, value) == DECIMAL_OK;
	return true;
}
