/* Values of DHAT's JSON; one of the wrong type is refused with its key. */
#include "dhat_private.h"

#include <inttypes.h>
#include <stdarg.h>

enum {
	MESSAGE_BYTES = 128,
};

bool
dhat_refuse(struct dhat *d, uint64_t offset, const char *format, ...)
{
	char message[MESSAGE_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return error_set(
		d->err, ERROR_INPUT, "%s: offset %" PRIu64 ": %s", d->name, offset, message);
}

bool
dhat_expect(struct dhat *d, const char *key, enum json_type wanted, const char *noun)
{
	enum json_type type;

	if (!json_peek(d->json, &type, d->err))
		return false;
	return type == wanted || dhat_refuse(d, json_offset(d->json), "%s is %s, not %s", key,
					 json_type_name(type), noun);
}

bool
dhat_read_int(struct dhat *d, const char *key, int64_t *value)
{
	enum json_type type;
	bool whole = false;

	if (!json_peek(d->json, &type, d->err))
		return false;
	if (type == JSON_NUMBER && !json_read_int64(d->json, value, &whole, d->err))
		return false;
	return (whole && *value >= 0) || dhat_refuse(d, json_offset(d->json),
						 "\"%s\" is not a number from 0 to 2^63 - 1", key);
}

bool
dhat_enter_array(struct dhat *d, const char *key)
{
	return dhat_expect(d, key, JSON_ARRAY, "an array") && json_enter(d->json, d->err);
}
