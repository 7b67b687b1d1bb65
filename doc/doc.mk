# Documents in the tarball.
EXTRA_DIST += README.md CHANGELOG.md CONTRIBUTING.md
EXTRA_DIST += doc/api.md doc/aqtime.md doc/architecture.md doc/backup.md doc/citus.md doc/cookbook.md doc/delphi.md doc/ingest.md \
	doc/odbc.md doc/scale.md doc/testing.md
# A systemd unit, as an example for administrators.
dist_doc_DATA = doc/profdepot.service

# Pictures for README.md; `make screenshots' regenerates them with node and Chromium.
SCREENSHOTS = doc/screenshots/leaks.png doc/screenshots/leaks-dark.png \
	doc/screenshots/leaks-narrow.png doc/screenshots/errors.png doc/screenshots/diff.png \
	doc/screenshots/diff-dark.png \
	doc/screenshots/pages/compare.png doc/screenshots/pages/events.png \
	doc/screenshots/pages/flame-diff.png doc/screenshots/pages/flame.png \
	doc/screenshots/pages/home.png doc/screenshots/pages/leaks.png doc/screenshots/pages/profile.png \
	doc/screenshots/pages/result-sets.png doc/screenshots/pages/speedscope.png \
	doc/screenshots/pages/summary.png doc/screenshots/pages/timings.png \
	doc/screenshots/pages/trend.png
EXTRA_DIST += $(SCREENSHOTS)
.PHONY: screenshots
screenshots: profdepot
	$(AM_V_at)$(MKDIR_P) $(srcdir)/doc/screenshots/pages
	srcdir=$(abs_srcdir) PROFDEPOT=$(abs_builddir)/profdepot \
		HTML_SCREENSHOTS=$(abs_srcdir)/doc/screenshots $(srcdir)/tests/cli/render/html_browser.sh
	srcdir=$(abs_srcdir) PROFDEPOT=$(abs_builddir)/profdepot \
		BROWSER_SHOTS=$(abs_srcdir)/doc/screenshots/pages $(srcdir)/tests/browser/pages.sh
	srcdir=$(abs_srcdir) PROFDEPOT=$(abs_builddir)/profdepot \
		BROWSER_SHOTS=$(abs_srcdir)/doc/screenshots/pages $(srcdir)/tests/browser/home.sh
# The JSON schema of budget files, for editors.
dist_pkgdata_DATA = share/budget.schema.json
