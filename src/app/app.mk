# Layer app: public headers and sources, sorted.
libprofdepot_a_SOURCES += \
	include/app/budget_file.h \
	include/app/catalogue.h \
	include/app/check/check.h \
	include/app/check/kept_budgets.h \
	include/app/depot_owners.h \
	include/app/dossier.h \
	include/app/exports.h \
	include/app/facts.h \
	include/app/import.h \
	include/app/partition.h \
	include/app/removal.h \
	include/app/report_answer.h \
	include/app/report_rows.h \
	include/app/rows_table.h \
	include/app/run_gap.h \
	include/app/set_json.h \
	include/app/suppressions.h \
	include/app/suppressions_kept.h \
	include/app/trees.h \
	src/app/budget_file.c \
	src/app/catalogue.c \
	src/app/check/check.c \
	src/app/check/check_history.c \
	src/app/check/check_merge.c \
	src/app/check/check_private.h \
	src/app/check/check_record.c \
	src/app/check/check_stacks.c \
	src/app/check/check_texts.c \
	src/app/check/kept_budgets.c \
	src/app/diff/diff_classes.c \
	src/app/diff/diff_classes.h \
	src/app/diff/diff_figures.c \
	src/app/diff/diff_plan.c \
	src/app/diff/diff_private.h \
	src/app/diff/diff_report.c \
	src/app/diff/diff_samples.c \
	src/app/diff/diff_stacks.c \
	src/app/depot_owners.c \
	src/app/dossier.c \
	src/app/exports.c \
	include/app/history/history.h \
	include/app/history/review.h \
	src/app/history/history.c \
	src/app/history/history_finding.c \
	src/app/history/history_json.c \
	src/app/history/history_read.c \
	src/app/history/history_private.h \
	src/app/history/review.c \
	src/app/facts.c \
	src/app/import.c \
	src/app/import_input.c \
	src/app/import_input.h \
	src/app/json_schema.c \
	src/app/json_schema_private.h \
	src/app/partition.c \
	src/app/removal.c \
	src/app/report_answer.c \
	src/app/report_rows.c \
	src/app/rows_table.c \
	src/app/run_gap.c \
	src/app/set_json.c \
	src/app/suppression_files.c \
	src/app/suppression_notes.c \
	src/app/suppression_report.c \
	src/app/suppression_sink.c \
	src/app/suppressions.c \
	src/app/suppressions_kept.c \
	src/app/suppressions_private.h \
	src/app/tree_report.c \
	src/app/trees.c \
	src/app/trend_report.c

# Texts in the program: the runtime leaks that --hide-standard-leaks hides, and the budget file schema.
APP_TEXTS = src/app/standard_leaks.supp share/budget.schema.json
EXTRA_DIST += src/app/standard_leaks.supp
nodist_libprofdepot_a_SOURCES += src/app/texts.c
CLEANFILES += src/app/texts.c src/app/texts.c.tmp
src/app/texts.c: $(APP_TEXTS) tools/text2c.awk
	$(AM_V_GEN)$(MKDIR_P) src/app && rm -f $@ $@.tmp && out=`pwd`/$@ && \
	(cd $(srcdir) && LC_ALL=C $(AWK) -f tools/text2c.awk $(APP_TEXTS)) > $$out.tmp && \
	mv $$out.tmp $$out
