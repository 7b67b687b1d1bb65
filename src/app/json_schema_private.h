#ifndef PROFDEPOT_APP_JSON_SCHEMA_PRIVATE_H
#define PROFDEPOT_APP_JSON_SCHEMA_PRIVATE_H

#include "base/error.h"

#include <cjson/cJSON.h>

/* Does the value fit the schema? If not, sets ERROR_INPUT, as "budgets: item 2: max_size: ...". */
bool json_schema_check(const cJSON *schema, const cJSON *value, struct error *err);

#endif
