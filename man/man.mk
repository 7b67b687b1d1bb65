# Manual pages (mdoc) and the shell completion. tools/mkman fills in the content of the program's tables; the relations are generated from the schema's COMMENTs. There is one page per command.
MAN_PAGES = \
	man/profdepot.1 \
	man/profdepot-budget.1 \
	man/profdepot-category.1 \
	man/profdepot-check.1 \
	man/profdepot-db.1 \
	man/profdepot-diff.1 \
	man/profdepot-events.5 \
	man/profdepot-export.1 \
	man/profdepot-flame.1 \
	man/profdepot-formats.1 \
	man/profdepot-history.1 \
	man/profdepot-label.1 \
	man/profdepot-list.1 \
	man/profdepot-load.1 \
	man/profdepot-owners.1 \
	man/profdepot-reindex.1 \
	man/profdepot-report.1 \
	man/profdepot-reports.1 \
	man/profdepot-review.1 \
	man/profdepot-retain.1 \
	man/profdepot-rm.1 \
	man/profdepot-schema.5 \
	man/profdepot-serve.1 \
	man/profdepot-show.1 \
	man/profdepot-sql.1 \
	man/profdepot-stream.1 \
	man/profdepot-token.1 \
	man/profdepot-trend.1 \
	man/profdepot-suppress.1 \
	man/profdepot-verify.1

man_MANS = $(MAN_PAGES)
CLEANFILES += $(MAN_PAGES) man/schema.mdoc
EXTRA_DIST += tools/schema2mdoc.awk \
	man/profdepot.1.in \
	man/profdepot-budget.1.in \
	man/profdepot-category.1.in \
	man/profdepot-check.1.in \
	man/profdepot-db.1.in \
	man/profdepot-diff.1.in \
	man/profdepot-events.5.in \
	man/profdepot-export.1.in \
	man/profdepot-flame.1.in \
	man/profdepot-formats.1.in \
	man/profdepot-history.1.in \
	man/profdepot-label.1.in \
	man/profdepot-list.1.in \
	man/profdepot-load.1.in \
	man/profdepot-owners.1.in \
	man/profdepot-reindex.1.in \
	man/profdepot-report.1.in \
	man/profdepot-reports.1.in \
	man/profdepot-review.1.in \
	man/profdepot-retain.1.in \
	man/profdepot-rm.1.in \
	man/profdepot-schema.5.in \
	man/profdepot-serve.1.in \
	man/profdepot-show.1.in \
	man/profdepot-sql.1.in \
	man/profdepot-token.1.in \
	man/profdepot-stream.1.in \
	man/profdepot-trend.1.in \
	man/profdepot-suppress.1.in \
	man/profdepot-verify.1.in

noinst_PROGRAMS += tools/mkman
tools_mkman_SOURCES = tools/mkman.c

SCHEMA_FILES = \
	schema/100_result_sets.sql \
	schema/110_runs.sql \
	schema/115_owners.sql \
	schema/120_settings.sql \
	schema/200_dictionaries.sql \
	schema/260_categories.sql \
	schema/275_retention.sql \
	schema/277_budgets.sql \
	schema/300_facts.sql \
	schema/400_stacks.sql \
	schema/440_further_stacks.sql \
	schema/500_functions.sql \
	schema/560_frames.sql \
	schema/600_flame.sql \
	schema/700_partitions.sql

man/schema.mdoc: $(SCHEMA_FILES) tools/schema2mdoc.awk
	$(AM_V_GEN)$(MKDIR_P) man && rm -f $@ $@.tmp && out=`pwd`/$@ && \
	(cd $(srcdir) && LC_ALL=C $(AWK) -f tools/schema2mdoc.awk $(SCHEMA_FILES)) > $$out.tmp && \
	mv $$out.tmp $$out

# profdepot-NAME.1 is the page of the command NAME, if that command exists.
SUFFIXES = .1 .1.in .5 .5.in
.1.in.1:
	$(AM_V_GEN)$(MKDIR_P) man && rm -f $@ $@.tmp && \
	name=`basename $@ .1 | sed 's/^profdepot-//; s/^profdepot$$/-/'` && \
	tools/mkman page $$name < $< > $@.tmp && mv $@.tmp $@
.5.in.5:
	$(AM_V_GEN)$(MKDIR_P) man && rm -f $@ $@.tmp && \
	tools/mkman page - man/schema.mdoc < $< > $@.tmp && mv $@.tmp $@
$(MAN_PAGES): tools/mkman$(EXEEXT)
man/profdepot-schema.5: man/schema.mdoc

bashcompletion_DATA = man/profdepot
man/profdepot: tools/mkman$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) man && rm -f $@ $@.tmp && tools/mkman completion > $@.tmp && mv $@.tmp $@
CLEANFILES += man/profdepot

SH_TESTS += tests/tools/man.sh
