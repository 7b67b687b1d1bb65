/* Names, severities and meanings of import issues. */
#include "model/issue.h"

static const struct {
	const char *name;
	enum issue_severity severity;
	const char *meaning;
} issues[] = {
#define ISSUE_ROW(code, name, severity, meaning) { name, severity, meaning },
	ISSUE_TABLE(ISSUE_ROW)
#undef ISSUE_ROW
};

const char *
issue_name(enum issue_code code)
{
	return issues[code].name;
}

enum issue_severity
issue_severity(enum issue_code code)
{
	return issues[code].severity;
}

const char *
issue_meaning(enum issue_code code)
{
	return issues[code].meaning;
}

const char *
issue_severity_name(enum issue_severity severity)
{
	static const char *const names[] = { "info", "warning", "error" };

	return names[severity];
}
