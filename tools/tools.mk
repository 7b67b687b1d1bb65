# Checks of the source tree that `make check' runs. tests/tools/checks.sh tests that they find violations.
CHECKS = tools/check-layers tools/check-layer-table tools/check-headers tools/check-size tools/check-banned \
	tools/check-comments tools/check-cycles tools/check-sql tools/check-words
TESTS += $(CHECKS)
EXTRA_DIST += $(CHECKS) tools/check-sql.awk tools/dictionary.txt tools/layer-table tools/layers.tab tools/prose.awk tools/words.tab tools/banned.tab

SH_TESTS += tests/tools/checks.sh

EXTRA_DIST += tools/lint tools/cppcheck.suppress tools/count-tests

.PHONY: lint format
lint:
	@CLANG_FORMAT='$(CLANG_FORMAT)' CLANG_TIDY='$(CLANG_TIDY)' CPPCHECK='$(CPPCHECK)' \
		SHELLCHECK='$(SHELLCHECK)' \
		LINT_CPPFLAGS='-Iinclude -Isrc -I. -I$(abs_builddir)/include -I$(abs_builddir)/src -I$(abs_builddir) $(CHECK_DEFS)' \
		$(BASH) $(srcdir)/tools/lint
format:
	@CLANG_FORMAT='$(CLANG_FORMAT)' $(BASH) $(srcdir)/tools/lint --format

EXTRA_DIST += tools/remake-initial
.PHONY: migration-0001
migration-0001:
	LC_ALL=C $(BASH) $(srcdir)/tools/remake-initial
