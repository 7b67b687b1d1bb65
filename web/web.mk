# The pages. The project's own files are served directly. npm fetches third-party packages once into
# web/node_modules; their files for the browser are copied to web/vendor, which the tarball includes.
WEB_FILES = \
	web/index.html \
	web/icon.svg \
	web/style.css \
	web/api.js \
	web/base.js \
	web/budgets.js \
	web/categories.js \
	web/chart.js \
	web/compare.js \
	web/dom.js \
	web/edit.js \
	web/entry.js \
	web/events.js \
	web/facets.js \
	web/finding.js \
	web/flame.js \
	web/frames.js \
	web/history.js \
	web/home.js \
	web/jobs.js \
	web/main.js \
	web/notices.js \
	web/profile.js \
	web/report.js \
	web/retention.js \
	web/review.js \
	web/route.js \
	web/routines.js \
	web/run.js \
	web/set.js \
	web/sets.js \
	web/settings.js \
	web/spans.js \
	web/speedscope.js \
	web/sql.js \
	web/stream.js \
	web/summary.js \
	web/suppress.js \
	web/table.js \
	web/timeline.js \
	web/timings.js \
	web/token.js \
	web/tokens.js \
	web/tree.js \
	web/trend.js \
	web/upload.js \
	web/vendor.js
webdir = $(pkgdatadir)/web
dist_web_DATA = $(WEB_FILES)
EXTRA_DIST += web/package.json web/package-lock.json web/fetch-packages
WEB_VENDOR = $(srcdir)/web/vendor/done

# This target is not a prerequisite of the files above, so that a build without npm continues.
$(WEB_VENDOR): $(srcdir)/web/package-lock.json $(srcdir)/web/fetch-packages
	$(AM_V_GEN)NPM='$(NPM)' $(SHELL) $(srcdir)/web/fetch-packages $(srcdir)/web

# A program that is run before installation finds the pages in the build directory.
all-local: $(WEB_VENDOR)
	@test -e web || $(LN_S) '$(abs_srcdir)/web' web

install-data-local:
	@test ! -f $(WEB_VENDOR) || { \
		$(MKDIR_P) '$(DESTDIR)$(webdir)' && \
		(cd $(srcdir)/web && find vendor -type d) | while read d; do \
			$(MKDIR_P) "$(DESTDIR)$(webdir)/$$d" || exit 1; done && \
		(cd $(srcdir)/web && find vendor -type f) | while read f; do \
			$(INSTALL_DATA) "$(srcdir)/web/$$f" "$(DESTDIR)$(webdir)/$$f" || exit 1; done; }

uninstall-local:
	rm -rf '$(DESTDIR)$(webdir)/vendor'

dist-hook: $(WEB_VENDOR)
	@test -f $(WEB_VENDOR) || { \
		echo 'the tarball must contain web/vendor, which is missing: it needs npm' >&2; exit 1; }
	cp -pR $(srcdir)/web/vendor '$(distdir)/web/'

distclean-local:
	test ! -h web || rm -f web

maintainer-clean-local:
	rm -rf $(srcdir)/web/vendor $(srcdir)/web/node_modules
