/* A result set's dossier: its most important reports on one HTML page that can be sent by mail. */
#ifndef PROFDEPOT_APP_DOSSIER_H
#define PROFDEPOT_APP_DOSSIER_H

#include "app/suppressions.h"

/* Describes the dossier like a report, for report_check and for lists of reports. */
extern const struct report dossier_report;

/*
 * Writes the page. It contains the reports "summary", "leaks", "errors", "classes" and "hot". If
 * q->values[REPORT_BASE] names a base, it also contains "diff". Each report has at most 50 rows and shows
 * the total number of rows.
 * Call report_answer_begin first. q->inst_id must be set. Sets q->suppressions, which the caller frees,
 * even after a failure.
 */
bool dossier_write(struct db *db, struct arena *a, struct report_request *q,
	const struct suppressions_request *suppressions, FILE *out, struct error *err);

#endif
