/* Values of DHAT's JSON; one of the wrong type is refused with its key. */
#include "dhat_private.h"

bool
dhat_expect(struct dhat *d, const char *key, enum json_type wanted, const char *noun)
{
	enum json_type type;

	if (!json_peek(d->json, &type, d->in->err))
		return false;
	return type == wanted || reader_refuse_at(d->in, json_offset(d->json), "%s is %s, not %s",
					 key, json_type_name(type), noun);
}

bool
dhat_read_int(struct dhat *d, const char *key, int64_t *value)
{
	enum json_type type;
	bool whole = false;

	if (!json_peek(d->json, &type, d->in->err))
		return false;
	if (type == JSON_NUMBER && !json_read_int64(d->json, value, &whole, d->in->err))
		return false;
	return (whole && *value >= 0) || reader_refuse_at(d->in, json_offset(d->json),
						 "\"%s\" is not a number from 0 to 2^63 - 1", key);
}

bool
dhat_enter_array(struct dhat *d, const char *key)
{
	return dhat_expect(d, key, JSON_ARRAY, "an array") && json_enter(d->json, d->in->err);
}
