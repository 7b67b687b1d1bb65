# Documents that the tarball carries.
EXTRA_DIST += README.md CHANGELOG.md CONTRIBUTING.md doc/architecture.md
EXTRA_DIST += doc/cookbook.md doc/odbc.md
