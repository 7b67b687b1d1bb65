#ifndef PROFDEPOT_APP_JSON_SCHEMA_PRIVATE_H
#define PROFDEPOT_APP_JSON_SCHEMA_PRIVATE_H

#include "base/error.h"

#include <cjson/cJSON.h>

/* Does the value fit the schema? If not, ERROR_INPUT names the place: "budgets: item 2: ...". */
bool json_schema_check(const cJSON *schema, const cJSON *value, struct error *err);

#endif
