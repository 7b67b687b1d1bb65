# shellcheck shell=bash
# Timing and tables for the benchmarks.

unequal=0

die() {
    echo "bench: $*" >&2
    exit 1
}

# Creates a work folder that the server's account can read.
work_begin() {
    work=$(mktemp -d "${TMPDIR:-/tmp}/profdepot-bench.XXXXXX") || die "no temporary folder"
    chmod 755 "$work"
}

work_end() {
    rm -rf "$work"
}

# timed NAME RUN COMMAND...: runs COMMAND, and appends its duration in seconds to $work/NAME. Run 0 only warms up:
# its duration is not stored.
timed() {
    local name=$1 run=$2 start=$EPOCHREALTIME
    shift 2
    "$@" || die "failed: $*"
    [ "$run" -eq 0 ] || echo "$start $EPOCHREALTIME" | awk '{ printf "%.3f\n", $2 - $1 }' >>"$work/$name"
}

# median NAME
median() {
    sort -n "$work/$1" | awk '{ v[NR] = $1 } END {
        printf "%.2f", NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# ratio A B
ratio() {
    awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.1f", a / b; else printf "-" }'
}

head_row() {
    printf '%-44s %9s %17s %8s  %s\n' "" "median s" "min - max" "ratio" "goal"
}

# row TEXT NAME [BASE [GOAL]]: prints the times of NAME, and the ratio of its median to that of BASE.
row() {
    local times=-
    [ $# -lt 3 ] || [ ! -s "$work/$3" ] || times=$(ratio "$(median "$2")" "$(median "$3")")
    printf '%-44s %9s %17s %8s  %s\n' "$1" "$(median "$2")" \
        "$(sort -n "$work/$2" | awk 'NR == 1 { a = $1 } { b = $1 } END { printf "%.2f - %.2f", a, b }')" \
        "$times" "${4:-}"
}

note() {
    echo "$*"
}

# is_equal TEXT A B: fails unless both answers are equal.
is_equal() {
    if [ -n "$2" ] && [ "$2" = "$3" ]; then
        note "equal: $1: $2"
    else
        note "NOT EQUAL: $1: $2, and $3"
        unequal=$((unequal + 1))
    fi
}

machine() {
    note "machine: $(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)," \
        "$(awk '/^MemTotal/ { printf "%.0f GB", $2 / 1048576 }' /proc/meminfo), $(uname -sr)," \
        "PostgreSQL $(sql -c 'SHOW server_version' | cut -d ' ' -f 1)"
    note "server: $(sql -c "SELECT string_agg(name || '=' || current_setting(name), ' ' ORDER BY name) FROM pg_settings
        WHERE name IN ('shared_buffers', 'max_wal_size', 'maintenance_work_mem', 'work_mem', 'jit', 'fsync',
            'wal_compression', 'wal_level')"); load $(cut -d ' ' -f 1 /proc/loadavg) at the start"
}
