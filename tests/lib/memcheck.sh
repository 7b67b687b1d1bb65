# shellcheck shell=bash
# Small memcheck reports. Source this file in scripts that need reports with chosen findings.
#
#	memcheck FINDING...		writes a report of these findings to standard output
#
# A finding is ROUTINE, ROUTINE:BYTES or ROUTINE:BYTES:KIND; the default is a definite leak of 10 bytes. KIND is
# valgrind's name of a kind, such as Leak_PossiblyLost or InvalidRead. Variables change the report:
#
#	memcheck_pid=N			the process ID; a different ID makes the content differ
#	memcheck_options=OPTION		an option of valgrind, such as --leak-check=no
#	memcheck_object=FILE		the program
#	memcheck_cut=yes		the report ends before the program does

memcheck_finding() { # memcheck_finding NUMBER ROUTINE BYTES KIND
    local kind=${4:-Leak_DefinitelyLost}
    printf '<error>\n  <unique>0x%x</unique>\n  <tid>1</tid>\n  <kind>%s</kind>\n' "$1" "$kind"
    if [[ $kind == Leak_* ]]; then
        printf '  <xwhat>\n    <text>lost</text>\n    <leakedbytes>%s</leakedbytes>\n    <leakedblocks>1</leakedblocks>\n  </xwhat>\n' "${3:-10}"
    else
        printf '  <what>Invalid access</what>\n'
    fi
    printf '  <stack>\n'
    [[ $kind != Leak_* ]] ||
        printf '    <frame>\n      <ip>0x1</ip>\n      <obj>/usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so</obj>\n      <fn>malloc</fn>\n    </frame>\n'
    printf '    <frame>\n      <ip>0x2</ip>\n      <obj>%s</obj>\n      <fn>%s</fn>\n      <dir>/src</dir>\n      <file>%s.c</file>\n      <line>7</line>\n    </frame>\n' \
        "${memcheck_object:-/srv/shop}" "$2" "$2"
    printf '  </stack>\n</error>\n'
}

memcheck() {
    local finding routine bytes kind n=0
    cat <<END
<?xml version="1.0"?>
<valgrindoutput>
<protocolversion>6</protocolversion>
<protocoltool>memcheck</protocoltool>
<preamble>
  <line>Command: ./shop</line>
</preamble>
<pid>${memcheck_pid:-1}</pid>
<ppid>1</ppid>
<tool>memcheck</tool>
<args>
  <vargv>
    <exe>/usr/bin/valgrind.bin</exe>
    <arg>${memcheck_options:---leak-check=full}</arg>
  </vargv>
  <argv>
    <exe>/srv/shop</exe>
  </argv>
</args>
<status>
  <state>RUNNING</state>
  <time>00:00:00:00.070 </time>
</status>
END
    for finding in "$@"; do
        IFS=: read -r routine bytes kind <<<"$finding"
        [[ ${kind:-Leak_} == Leak_* ]] || memcheck_finding $((++n)) "$routine" "$bytes" "$kind"
    done
    [ -z "${memcheck_cut:-}" ] || return 0
    cat <<END
<status>
  <state>FINISHED</state>
  <time>00:00:00:00.700 </time>
</status>
END
    for finding in "$@"; do
        IFS=: read -r routine bytes kind <<<"$finding"
        [[ ${kind:-Leak_} != Leak_* ]] || memcheck_finding $((++n)) "$routine" "$bytes" "$kind"
    done
    printf '</valgrindoutput>\n'
}
