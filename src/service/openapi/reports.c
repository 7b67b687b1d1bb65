/* Schemas and parameters of reports, made from the tables of reports. */
#include "openapi_private.h"

#include "app/dossier.h"
#include "app/report_answer.h"
#include "base/char.h"

#include <stdio.h>
#include <string.h>

/* Makes the name of a schema from the report's file: "report/leaks_class" becomes "ReportLeaksClass". Reports
 * with the same file have the same columns, so they share a schema. */
static const char *
schema_name(char room[OPENAPI_NAME_BYTES], const struct report *r)
{
	bool upper = true;
	size_t n = 0;

	for (const char *c = r->file; *c && n + 1 < OPENAPI_NAME_BYTES; c++) {
		bool part = char_is_letter(*c) || char_is_digit(*c);

		if (part)
			room[n++] = (char)(upper ? char_upper(*c) : *c);
		upper = !part;
	}
	room[n] = '\0';
	return room;
}

void
openapi_add_reports(cJSON *schemas)
{
	const struct report *r;

	for (size_t i = 0; (r = report_at(i)); i++) {
		char name[OPENAPI_NAME_BYTES];
		struct table_head head;

		if (cJSON_GetObjectItemCaseSensitive(schemas, schema_name(name, r)))
			continue;
		report_head(r, &head);
		openapi_add_table(schemas, name, &head, "", r);
	}
}

cJSON *
openapi_report_type(const char *report)
{
	cJSON *either = cJSON_CreateObject();
	cJSON *choices = cJSON_AddArrayToObject(either, "anyOf");
	const struct report *r;
	const char *file = "";
	cJSON *only;

	for (size_t i = 0; (r = report_at(i)); i++) {
		char name[OPENAPI_NAME_BYTES];

		if (strcmp(r->name, report) != 0 || strcmp(r->file, file) == 0)
			continue;
		file = r->file;
		cJSON_AddItemToArray(choices, openapi_type(schema_name(name, r)));
	}
	if (cJSON_GetArraySize(choices) > 1)
		return either;
	only = cJSON_DetachItemFromArray(choices, 0);
	cJSON_Delete(either);
	return only;
}

const char *
openapi_next_report(const char *name)
{
	const struct report *r;
	bool found = name == NULL;

	for (size_t i = 0; (r = report_at(i)); i++) {
		if (found && (!name || strcmp(r->name, name) != 0))
			return r->name;
		found = found || strcmp(r->name, name) == 0;
	}
	return NULL;
}

static const struct report *
first_of(const char *name)
{
	const struct report *r;

	for (size_t i = 0; (r = report_at(i)); i++)
		if (strcmp(r->name, name) == 0)
			return r;
	return &dossier_report;
}

const char *
openapi_report_title(const char *name)
{
	return first_of(name)->title;
}

/* Returns whether this row of the report table accepts the parameter. */
static bool
takes(const struct report *r, const char *parameter)
{
	static const char *const suppressions[] = { "no_suppressions", "hide_standard_leaks",
		"gen_suppressions" };
	struct error ignored = ERROR_INIT;

	if (strcmp(parameter, "set") == 0 || strcmp(parameter, "format") == 0)
		return true;
	if (strcmp(parameter, "skip") == 0 || strcmp(parameter, "sort") == 0 ||
		strcmp(parameter, "cursor") == 0)
		return r->order_count > 0;
	if (strcmp(parameter, "top") == 0)
		return r->order_count > 0 || (!r->has_query && r->file);
	for (size_t i = 0; i < sizeof(suppressions) / sizeof(suppressions[0]); i++)
		if (strcmp(parameter, suppressions[i]) == 0)
			return report_check_suppressions(r, &ignored);
	for (size_t i = 0; i < r->param_count; i++)
		if (strcmp(report_param_infos[r->params[i]].name, parameter) == 0)
			return true;
	return false;
}

bool
openapi_report_takes(const char *name, const char *parameter)
{
	const struct report *r;
	char choices[OPENAPI_NAME_BYTES * 2];

	if (strcmp(parameter, "by") == 0)
		return *openapi_report_choices(choices, sizeof(choices), name) != '\0';
	if (strcmp(name, dossier_report.name) == 0)
		return strcmp(parameter, "set") != 0 &&
		       (takes(&dossier_report, parameter) ||
			       strcmp(parameter, "no_suppressions") == 0 ||
			       strcmp(parameter, "hide_standard_leaks") == 0);
	for (size_t i = 0; (r = report_at(i)); i++)
		if (strcmp(r->name, name) == 0 && takes(r, parameter))
			return true;
	return false;
}

const char *
openapi_report_choices(char *room, size_t size, const char *name)
{
	const struct report *r;
	size_t n = 0;

	*room = '\0';
	for (size_t i = 0; (r = report_at(i)) && n < size; i++)
		if (r->by && strcmp(r->name, name) == 0)
			n += (size_t)snprintf(room + n, size - n, "%s%s", n ? "|" : "", r->by);
	return room;
}
