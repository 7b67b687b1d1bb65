# shellcheck shell=bash
# TAP for shell tests. Source this file, make assertions, and call done_testing at the end:
#
#	. "$srcdir/tests/lib/tap.sh"
#	is "$(profdepot --version)" "profdepot 0.1.0" "version on stdout"
#	ok "a missing file is rejected" ! "$PROFDEPOT" load /nowhere
#	done_testing
#
# Cases are counted, so a plan at the top is optional. If there is a plan, a missing case is a failure.

# Text output must not depend on the terminal width or the pager of the user who runs the tests.
unset COLUMNS PAGER LESS NO_COLOR

tap_count=0
tap_failed=0
tap_plan=

# plan N: announces N cases
plan() {
    tap_plan=$1
    echo "1..$1"
}

diag() {
    printf '%s\n' "$*" | sed 's/^/# /'
}

# pass TEXT, fail TEXT: a case that passed or failed
pass() {
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1"
}

fail() {
    tap_count=$((tap_count + 1))
    tap_failed=$((tap_failed + 1))
    echo "not ok $tap_count - $1"
}

# ok TEXT [!] COMMAND ARGUMENT...: the command must succeed, or fail if "!" precedes it. Its output is shown only
# if the case fails.
ok() {
    local text=$1 expect=0 status=0 said
    shift
    if [ "$1" = "!" ]; then
        expect=1
        shift
    fi
    said=$("$@" 2>&1) || status=$?
    if { [ $expect -eq 0 ] && [ $status -eq 0 ]; } || { [ $expect -eq 1 ] && [ $status -ne 0 ]; }; then
        pass "$text"
    else
        fail "$text"
        diag "exit status $status from: $*"
        [ -z "$said" ] || diag "$said"
    fi
}

# is GOT EXPECTED TEXT: the strings must be equal.
is() {
    if [ "$1" = "$2" ]; then
        pass "$3"
    else
        fail "$3"
        diag "     got: $1"
        diag "expected: $2"
    fi
}

# isnt GOT UNEXPECTED TEXT: the strings must differ.
isnt() {
    if [ "$1" != "$2" ]; then
        pass "$3"
    else
        fail "$3"
        diag "got the unexpected value: $1"
    fi
}

# like GOT PATTERN TEXT: the extended regular expression PATTERN must match anywhere in GOT.
like() {
    if [[ $1 =~ $2 ]]; then
        pass "$3"
    else
        fail "$3"
        diag "           got: $1"
        diag "does not match: $2"
    fi
}

# unlike GOT PATTERN TEXT: PATTERN must not match anywhere in GOT.
unlike() {
    if [[ ! $1 =~ $2 ]]; then
        pass "$3"
    else
        fail "$3"
        diag "    got: $1"
        diag "matches: $2"
    fi
}

# same_file GOT EXPECTED TEXT: the two files must be equal; differences are shown.
same_file() {
    local difference
    if difference=$(diff -u "$2" "$1" 2>&1); then
        pass "$3"
    else
        fail "$3"
        diag "$(printf '%s\n' "$difference" | head -n 60)"
    fi
}

# wait_until SECONDS COMMAND ARGUMENT...: repeats the command until it succeeds, and hides its output. Fails if the
# command still fails after this time.
wait_until() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.05
    done
}

# skip REASON TEXT: skips one case that cannot run here.
skip() {
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - ${2:-} # SKIP $1"
}

# skip_all REASON: skips the whole script, because it cannot run here. Call it only before the first
# case.
skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}

# bail_out REASON: ends the script, because the remaining cases cannot run.
bail_out() {
    echo "Bail out! $1"
    exit 99
}

# need_corpora [FOLDER]: skips the script if the corpora are missing.
need_corpora() {
    if [ ! -d "${PROFDEPOT_CORPORA:-/nonexistent}/${1:-}" ]; then
        skip_all "PROFDEPOT_CORPORA is not set${1:+ or has no $1}"
    fi
}

# done_testing: prints the plan if the script has not printed it. Ends the script with a failure if a
# case failed.
done_testing() {
    [ -n "$tap_plan" ] || echo "1..$tap_count"
    if [ -n "$tap_plan" ] && [ "$tap_plan" -ne $tap_count ]; then
        diag "planned $tap_plan cases, ran $tap_count"
        exit 1
    fi
    [ $tap_failed -eq 0 ]
    exit
}
