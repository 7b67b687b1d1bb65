#ifndef PROFDEPOT_APP_JSON_SCHEMA_PRIVATE_H
#define PROFDEPOT_APP_JSON_SCHEMA_PRIVATE_H

#include "base/error.h"

#include <cjson/cJSON.h>

/* Fails with ERROR_INPUT if the value does not match the schema. The message begins with
 * the place: "budgets: item 2: ...". */
bool json_schema_check(const cJSON *schema, const cJSON *value, struct error *err);

#endif
