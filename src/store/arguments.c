/* Arguments that name result sets: labels, ages and INST_IDs. */
#include "base/number.h"
#include "model/sink.h"
#include "store/result_sets.h"

bool
label_parse(const char *item, struct label *label, struct error *err)
{
	const char *equals = strchr(item, '=');

	if (!equals || equals == item) {
		error_set(err, ERROR_USAGE, "\"%s\" is not a label", item);
		return error_hint(err, "write KEY=VALUE");
	}
	if (equals - item > LABEL_KEY_MAX_BYTES)
		return error_set(
			err, ERROR_USAGE, "the label key exceeds %d bytes", LABEL_KEY_MAX_BYTES);
	label->key = (struct text){ item, (size_t)(equals - item) };
	label->value = text_from(equals + 1);
	return true;
}

bool
label_parse_new(const char *item, struct label *label, struct error *err)
{
	if (!label_parse(item, label, err))
		return false;
	if (!text_equal(label->key, TEXT_LITERAL("run")))
		return true;
	error_set(err, ERROR_USAGE, "a label cannot be named run");
	return error_hint(err, "load --run KEY names the run of a result set");
}

bool
age_parse(const char *item, int64_t *seconds, struct error *err)
{
	static const char units[] = "smhdw";
	static const int64_t unit_seconds[] = { 1, 60, 3600, 86400, 604800 };
	const int64_t max = (int64_t)1000 * 366 * 86400;
	size_t size = strlen(item);
	const char *unit = size ? strchr(units, item[size - 1]) : NULL;
	struct number n;
	int64_t v;

	if (!unit || number_parse((struct text){ item, size - 1 }, &n) != NUMBER_OK ||
		!number_to_int64(n, &v) || v < 0 || v > max / unit_seconds[unit - units]) {
		error_set(err, ERROR_USAGE, "\"%s\" is not an age", item);
		return error_hint(err, "write a number and s, m, h, d or w, such as 30d");
	}
	*seconds = v * unit_seconds[unit - units];
	return true;
}

bool
inst_id_parse(const char *item, int64_t *inst_id, struct error *err)
{
	struct number n;
	int64_t v;

	if (number_parse(text_from(item), &n) != NUMBER_OK || !number_to_int64(n, &v)) {
		error_set(err, ERROR_USAGE, "\"%s\" is not an INST_ID", item);
		return error_hint(err, "\"profdepot list\" shows the result set numbers");
	}
	*inst_id = v;
	return true;
}
