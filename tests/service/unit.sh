#!/usr/bin/env bash
# Tests that the systemd unit is valid and its sandbox is strict.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"

command -v systemd-analyze >/dev/null || skip_all "systemd-analyze is not installed"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
unit=$tmp/profdepot.service
sed "s#/usr/local/bin/profdepot#$PROFDEPOT#" "$srcdir/doc/profdepot.service" >"$unit"
# Ignores messages about other units on this machine.
is "$(systemd-analyze verify --man=no "$unit" 2>&1 | grep -F profdepot)" "" "systemd accepts the unit"
if systemd-analyze security --help 2>&1 | grep -q -e --offline; then
    said=$(systemd-analyze security --offline=true --threshold=20 "$unit" 2>&1)
    is $? 0 "the unit's exposure is 2.0 at most"
    diag "$(tail -n 1 <<<"$said")"
else
    skip "systemd-analyze cannot check files" "the unit's exposure is 2.0 at most"
fi
# Checks that profdepot has all the options in the unit.
options=$(sed -n 's/^ExecStart=[^ ]* serve //p' "$unit" | tr ' ' '\n' | grep '^--')
for option in $options; do
    ok "$option is an option" grep -q -e "  $option" <<<"$("$PROFDEPOT" serve --help)"
done
done_testing
