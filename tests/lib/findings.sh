# shellcheck shell=bash
# Logs of LeakSanitizer and AddressSanitizer with chosen findings. Source this file after depot.sh.
#
#	findings_log LEAK...	writes a log; LEAK is ROUTINE:COUNT:BYTES, leaked in src/ROUTINE.c, or
#				ROUTINE:read for an invalid read in that routine
#	findings_load OPTION... -- LEAK...	loads such a log

findings_log() {
    local leak routine count bytes line=10
    for leak in "$@"; do
        IFS=: read -r routine count bytes <<<"$leak"
        if [ "$count" = read ]; then
            printf '==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x60200000eff0 at pc 0x4 bp 0x7 sp 0x8\n'
            printf 'READ of size 4 at 0x60200000eff0 thread T0\n    #0 0x51 in %s /src/%s.c:7:3\n' "$routine" "$routine"
            printf '    #1 0x52 in main /src/main.c:3:1\n\nSUMMARY: AddressSanitizer: heap-use-after-free\n'
        fi
    done
    printf '=================================================================\n'
    printf '==7==ERROR: LeakSanitizer: detected memory leaks\n\n'
    for leak in "$@"; do
        IFS=: read -r routine count bytes <<<"$leak"
        [ "$count" != read ] || continue
        line=$((line + 1))
        printf 'Direct leak of %s byte(s) in %s object(s) allocated from:\n' "$bytes" "$count"
        printf '    #0 0x49f in malloc (/bin/shop+0x49f)\n    #1 0x51 in %s /src/%s.c:%s:3\n' "$routine" "$routine" "$line"
        printf '    #2 0x52 in main /src/main.c:3:1\n\n'
    done
    printf 'SUMMARY: AddressSanitizer: 1 byte(s) leaked in 1 allocation(s).\n'
}

findings_load() {
    local options=()
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    findings_log "$@" >"$tmp/findings.log"
    "$PROFDEPOT" load --quiet "${options[@]}" "$tmp/findings.log" >/dev/null 2>"$tmp/said" ||
        bail_out "the findings do not load: $(cat "$tmp/said")"
}
