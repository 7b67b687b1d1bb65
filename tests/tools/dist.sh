#!/usr/bin/env bash
# The tarball contains every file of a checkout. DISTFILES comes from `make check'.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"

cd "$srcdir" || exit 1
top=$(git rev-parse --show-toplevel 2>/dev/null) || skip_all "this is no git checkout"
[ "$top" = "$(pwd -P)" ] || skip_all "this is no git checkout"

# In a VPATH build, make names some files by their full path.
dist=$(tr ' ' '\n' <<<"$DISTFILES" | sed "s|^$srcdir/||; s|^\(\.\.*/\)*||" | LC_ALL=C sort -u)
# Files that only git reads are not in the tarball.
tracked=$(git ls-files | grep -vE '(^|/)\.git(ignore|attributes)$' | LC_ALL=C sort)
isnt "$tracked" "" "git lists the files"
is "$(LC_ALL=C comm -13 <(printf '%s\n' "$dist") <(printf '%s\n' "$tracked"))" "" "the tarball contains every file that git lists"
done_testing
