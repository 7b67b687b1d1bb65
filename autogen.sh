#!/bin/sh
# Makes ./configure from configure.ac. Needed once in a clone, never in a release tarball.
set -e
cd "$(dirname "$0")"
exec autoreconf -fi "$@"
