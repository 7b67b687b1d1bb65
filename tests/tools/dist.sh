#!/usr/bin/env bash
# Tests that the tarball contains every file of a git checkout. `make check' sets DISTFILES.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"

cd "$srcdir" || exit 1
top=$(git rev-parse --show-toplevel 2>/dev/null) || skip_all "this is not a git checkout"
[ "$top" = "$(pwd -P)" ] || skip_all "this is not a git checkout"

# In a VPATH build, DISTFILES contains full paths of some files.
dist=$(tr ' ' '\n' <<<"$DISTFILES" | sed "s|^$srcdir/||; s|^\(\.\.*/\)*||" | LC_ALL=C sort -u)
# The files that only git reads are not in the tarball.
tracked=$(git ls-files | grep -vE '(^|/)\.git(ignore|attributes)$' | LC_ALL=C sort)
isnt "$tracked" "" "git lists the files"
is "$(LC_ALL=C comm -13 <(printf '%s\n' "$dist") <(printf '%s\n' "$tracked"))" "" "the tarball contains every file that git lists"
done_testing
