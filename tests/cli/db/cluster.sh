#!/usr/bin/env bash
# Tests that the private cluster can be created, started and stopped despite every known obstacle.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"

pg_temp_find || skip_all "PostgreSQL server programs are not installed"
root=$([ "$(id -u)" -eq 0 ] && echo yes)
if [ -n "$root" ] && ! id postgres >/dev/null 2>&1; then
    skip_all "there is no account postgres to run a server"
fi
umask 022
tmp=$(mktemp -d /tmp/profdepot-cluster.XXXXXX) || bail_out "the temporary directory cannot be created"
chmod 755 "$tmp"
strangers=()
homes=()

# Removes every server that a case started, and every obstacle that it created.
clean_up() {
    local status=$? home run
    for home in "${homes[@]}"; do
        run=$(PROFDEPOT_HOME=$home "$PROFDEPOT" db status --output json 2>/dev/null |
            sed -n 's/^ *"socket_directory": "\(.*\)",$/\1/p')
        PROFDEPOT_HOME=$home "$PROFDEPOT" db stop >/dev/null 2>&1
        case $run in
        "$home"/*) ;;
        */profdepot-*) rm -rf "$run" ;;
        esac
    done
    for pid in "${strangers[@]}"; do
        kill "$pid" 2>/dev/null
    done
    if mountpoint -q "$tmp/full" 2>/dev/null; then
        umount "$tmp/full"
    fi
    rm -rf "$tmp"
    exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# use HOME: makes the following cases use this cluster.
use() {
    export PROFDEPOT_HOME=$1
    homes+=("$1")
}

depot() {
    "$PROFDEPOT" "$@" 2>&1
}

# as_server COMMAND...: runs the command under the server's account.
as_server() {
    if [ -n "$root" ]; then
        runuser -u postgres -- "$@"
    else
        "$@"
    fi
}

server_pid() {
    head -n 1 "$PROFDEPOT_HOME/data/postmaster.pid" 2>/dev/null
}

answers() {
    "$PROFDEPOT" sql -XAtc "select 'answer ' || count(*) from instances"
}

# --- the usual way ---

use "$tmp/plain"
like "$(depot db status)" 'state: *absent' "db status works before the cluster exists"
ok "db status creates nothing" ! test -e "$tmp/plain"
use "$tmp/announced"
"$PROFDEPOT" list --output csv >"$tmp/out" 2>"$tmp/errors"
is "$(cat "$tmp/errors")" "profdepot: creating a private PostgreSQL cluster in $tmp/announced; this takes a few seconds" \
    "the command that creates the cluster says so"
unlike "$(cat "$tmp/out")" 'creating' "standard output has only the answer"
is "$("$PROFDEPOT" list --output csv 2>&1 >/dev/null)" "" "the next command does not print this message"
depot db stop >/dev/null
is "$("$PROFDEPOT" list --output csv 2>&1 >/dev/null)" "" "a command that only starts the cluster does not print it either"
depot db stop >/dev/null
use "$tmp/plain"
like "$(depot db stop)" 'is absent' "db stop works without a cluster"
like "$(depot db init)" 'created a depot of version' "db init creates a depot"
like "$(depot db status)" 'state: *running' "db init starts the server"
like "$(depot db init)" 'the depot is at version' "a second db init is not an error"
is "$(answers)" "answer 0" "sql runs a query"
like "$(depot db start)" 'is running' "db start works while the server is running"
pid=$(server_pid)
like "$(depot db stop)" 'is stopped' "db stop stops the running server"
ok "db stop ends the server process" ! pg_temp_runs "$pid"
like "$(depot db stop)" 'is stopped' "a second db stop is not an error"
like "$(depot db status --output json)" '"state": "stopped"' "db status writes JSON"
is "$(answers)" "answer 0" "a stopped server is started by the next command"
like "$(cat "$tmp/plain/data/postmaster.pid")" "$tmp/plain/run" "the socket is in the cluster's home"
for setting in "listen_addresses=" "jit=off" "fsync=on" "max_wal_size=4GB" "server_encoding=UTF8" "data_checksums=on"; do
    is "$("$PROFDEPOT" sql -XAtc "show ${setting%%=*}")" "${setting#*=}" "$setting"
done
is "$("$PROFDEPOT" sql -XAtc "select lower('ÄЖ') = 'äж'")" t "case folding works beyond ASCII"
like "$("$PROFDEPOT" sql -XAtc "delete from instances" 2>&1)" 'permission denied' \
    "sql uses the reader role"
is "$("$PROFDEPOT" sql -XAt --variable "a=1 + 1" -v 'b= 2' --command 'select 1' 2>&1)" 1 \
    "values of psql options are passed unchanged"
for args in "select 1" "-XAt|select 1" "--csv|  SELECT a=1" "-c|select 1|select 2" "(select 1)"; do
    IFS='|' read -ra args <<<"$args"
    said=$("$PROFDEPOT" sql "${args[@]}" 2>&1; echo "status $?")
    like "$said" "as a database name.*hint: .*-c.*status 2" \
        "a statement without -c is refused: ${args[*]}"
done
for args in "-d|host = nowhere.invalid" "host = nowhere.invalid" "host=/nowhere dbname=x" "postgresql:///x?host=/nowhere" no-such; do
    IFS='|' read -ra args <<<"$args"
    said=$("$PROFDEPOT" sql "${args[@]}" 2>&1; echo "status $?")
    unlike "$said" "status 0|as a database name" "psql interprets a database name: ${args[*]}"
done
for role in owner loader reader; do
    name=profdepot_$role
    [ $role != owner ] || name=profdepot
    is "$(psql -XAtc "select current_user || count(*) from instances" "$("$PROFDEPOT" db url --role $role)")" \
        "${name}0" "db url --role $role connects as this role"
done
is "$(PGHOSTADDR=127.0.0.1 psql -XAtc "select 1" "$(PGHOSTADDR=127.0.0.1 "$PROFDEPOT" db url --db private)")" 1 \
    "the URI works even if PGHOSTADDR names another server"

# --- environment variables ---

like "$(PGHOST=/nowhere depot db start)" 'PGHOST names another server' \
    "db start works only for the private cluster"
is "$(PGHOST=/nowhere PGSERVICE=none PGHOSTADDR=192.0.2.1 PGPORT=1 PGUSER=nobody PGDATABASE=none PGSSLMODE=require \
    PGGSSENCMODE=require PGCHANNELBINDING=require PGREQUIREPEER=none PGTARGETSESSIONATTRS=standby \
    PGOPTIONS='-c search_path=pg_catalog' PROFDEPOT_DB=private "$PROFDEPOT" sql -XAtc "select count(*) from instances")" \
    0 "PROFDEPOT_DB=private overrides libpq's environment"
like "$(PROFDEPOT_DB=nonsense depot db status)" 'PROFDEPOT_DB is not a database connection' \
    "a malformed PROFDEPOT_DB is refused"
said=$(depot db status --db 'postgresql://bob:se%cret@host/x')
like "$said" 'not a database connection' "a malformed URI is refused"
unlike "$said" 'cret' "the message about a malformed URI does not repeat the password"
unlike "$(depot db status --db 'postgresql://bob:secret@127.0.0.1:1/x')" 'secret' \
    "the message about an unreachable server does not repeat the password"

# --- after a crash ---

kill -9 "$(server_pid)"
is "$(answers)" "answer 0" "the server starts right after kill -9"
kill -9 "$(server_pid)"
while pg_temp_runs "$(server_pid)"; do sleep 0.1; done
sleep 1
is "$(answers)" "answer 0" "the server starts some time after kill -9"
depot db stop >/dev/null

# stranger COMMAND...: starts a process that is not a server, under the server's account; sets $stranger
# to its pid.
stranger() {
    as_server "$@" >/dev/null 2>&1 &
    strangers+=($!)
    sleep 0.3
    stranger=$!
    [ -z "$root" ] || stranger=$(pgrep -P $! -n || echo $!)
    strangers+=("$stranger")
}

# plant PID: creates pid files for a server with this pid.
plant() {
    local file
    printf '%s\n%s\n1700000000\n5432\n%s\n\n  1  1\nready\n' "$1" "$tmp/plain/data" "$tmp/plain/run" \
        >"$tmp/plain/data/postmaster.pid"
    printf '%s\n%s\n1700000000\n5432\n%s\n' "$1" "$tmp/plain/data" "$tmp/plain/run" \
        >"$tmp/plain/run/.s.PGSQL.5432.lock"
    for file in "$tmp/plain/data/postmaster.pid" "$tmp/plain/run/.s.PGSQL.5432.lock"; do
        [ -z "$root" ] || chown postgres: "$file"
        chmod 600 "$file"
    done
}

plant 2147483000
is "$(answers)" "answer 0" "the server starts despite a pid file whose process has ended"
depot db stop >/dev/null
stranger sleep 600
plant "$stranger"
like "$(depot db status)" 'state: *stopped' \
    "a pid that another program now uses does not count as a server"
like "$(depot db stop)" 'is stopped' "db stop accepts a pid file with another program's pid"
ok "db stop does not end another program" pg_temp_runs "$stranger"
is "$(answers)" "answer 0" "the server starts despite a pid file with another program's pid"
ok "starting the server does not end another program" pg_temp_runs "$stranger"
depot db stop >/dev/null
: >"$tmp/plain/data/postmaster.pid"
[ -z "$root" ] || chown postgres: "$tmp/plain/data/postmaster.pid"
is "$(answers)" "answer 0" "the server starts despite a pid file left empty by a full disk"
depot db stop >/dev/null

# --- several processes at once ---

use "$tmp/many"
for i in 1 2 3 4; do
    "$PROFDEPOT" db init >"$tmp/many.$i" 2>&1 &
    eval "starter$i=$!"
done
statuses=
for i in 1 2 3 4; do
    eval "wait \$starter$i"
    statuses="$statuses $?"
done
is "$statuses" " 0 0 0 0" "four processes can create and start the cluster at once"
is "$(cat "$tmp"/many.? | grep -c "created a depot")" 1 \
    "exactly one of several processes creates the depot"
depot db stop >/dev/null
for i in 1 2 3 4; do
    answers >"$tmp/many.$i" 2>&1 &
    eval "starter$i=$!"
done
for i in 1 2 3 4; do eval "wait \$starter$i"; done
is "$(sort -u "$tmp"/many.?)" "answer 0" "four processes can start the server at once"
"$PROFDEPOT" db start 8>"$tmp/eight" | cat >/dev/null
pass "the output of db start ends, although the server keeps running"
ok "the server does not inherit open files" ! test "/proc/$(server_pid)/fd/8" -ef "$tmp/eight"
depot db stop >/dev/null

use "$tmp/cut"
for pause in 0.05 0.2 0.4 0.6 0.8; do
    "$PROFDEPOT" db init >/dev/null 2>&1 &
    starter=$!
    sleep $pause
    kill -9 $starter 2>/dev/null
    wait $starter 2>/dev/null
done
like "$(depot db init)" ': (created a depot|the depot is at version)' \
    "db init works after five killed runs"
is "$(answers)" "answer 0" "a cluster created after killed runs is complete"
is "$(find "$tmp/cut" -maxdepth 1 -name 'init.*' | wc -l)" 0 \
    "db init removes the directories of killed runs"
depot db stop >/dev/null

# If the process that starts a server was killed before the pid file existed, the next command starts a
# second server. Either of the two servers may be the one that keeps running.
late_starts=
programs=$(dirname "$(readlink -f "/proc/$(answers >/dev/null && server_pid)/exe")")
for pause in 0 0.006 0.012 0.018 0.024 0.03; do
    depot db stop >/dev/null
    (cd / && sleep $pause && as_server "$programs/postgres" -D "$tmp/cut/data") >/dev/null 2>&1 &
    strangers+=($!)
    late_starts="$late_starts $(answers 2>&1), $(answers 2>&1)"
done
is "${late_starts//answer 0, answer 0/well}" " well well well well well well" \
    "the server can be started while another process is starting it"
depot db stop >/dev/null

# --- paths ---

use "$tmp/it's a \"quoted\" \$HOME, or 50% of \`it\`"
is "$(answers)" "answer 0" "the home's path can contain blanks, quotes and a comma"
is "$(psql -XAtc "select 1" "$("$PROFDEPOT" db url)")" 1 "the URI for a path with a comma works"
depot db stop >/dev/null
use "$tmp/it's a \"quoted\" \\home"
is "$(answers)" "answer 0" "the home's path can contain quotes and a backslash"
is "$(psql -XAtc "select 1" "$("$PROFDEPOT" db url)")" 1 "the URI for a path with quotes and a backslash works"
depot db stop >/dev/null
use "$tmp/$(printf 'long%.0s' {1..30})"
is "$(answers)" "answer 0" "db init accepts a home whose path is too long for a socket"
like "$(depot db status)" 'socket: */[^ ]*/profdepot-' \
    "the socket of a home with a long path is in another directory"
like "$(depot db url)" 'requirepeer' \
    "the URI for a socket outside of the home checks the server's account"
depot db stop >/dev/null
mv "$PROFDEPOT_HOME" "$tmp/moved"
use "$tmp/moved"
is "$(answers)" "answer 0" "the server starts in a home that was moved"
depot db stop >/dev/null
like "$(PROFDEPOT_HOME=$'a\nb' depot db start)" 'line break' \
    "a line break in the home's path is refused"
is "$(cd "$tmp" && PROFDEPOT_HOME=moved answers)" "answer 0" "the home's path can be relative"
depot db stop >/dev/null

# --- invalid clusters ---

use "$tmp/old"
mkdir -p "$tmp/old/data"
echo 14 >"$tmp/old/data/PG_VERSION"
[ -z "$root" ] || chown -R postgres: "$tmp/old/data"
said=$(depot db start)
like "$said" 'created by PostgreSQL 14' "a data directory from an old version is refused"
like "$said" 'hint: .*pg_upgrade' "the hint for an old data directory names pg_upgrade"
echo 99 >"$tmp/old/data/PG_VERSION"
like "$(depot db start)" 'created by PostgreSQL 99, but only these versions are installed: 1' \
    "a data directory from an unknown version is refused"
rm "$tmp/old/data/PG_VERSION"
like "$(depot db start)" 'is not a PostgreSQL data directory' "a directory that is not a data directory is refused"
PROFDEPOT_HOME=/proc/profdepot depot db start >/dev/null && status=0 || status=$?
isnt "$status" 0 "a home that cannot be created is refused"
touch "$tmp/file"
like "$(PROFDEPOT_HOME=$tmp/file/home depot db start)" 'Not a directory' \
    "a file in the home's path is refused"

use "$tmp/broken"
depot db init >/dev/null
depot db stop >/dev/null
echo "nonsense = 1" >>"$tmp/broken/data/postgresql.conf"
said=$(depot db start)
like "$said" 'did not start: .*configuration' "the message about a failed start gives the reason"
like "$said" "hint: the server's log is" "the hint for a failed start names the server's log"
sed -i '$d' "$tmp/broken/data/postgresql.conf"
echo "work_mem = 77MB" >>"$tmp/broken/data/postgresql.conf"
is "$("$PROFDEPOT" sql -XAtc 'show work_mem')" 77MB \
    "settings in postgresql.conf override profdepot's settings"
depot db stop >/dev/null

if [ -z "$root" ]; then
    skip "only root can test this" "accounts, permissions and full disks"
    done_testing
    exit
fi

# --- as root ---

is "$(stat -c %U "$tmp/plain/data")" postgres "the server runs as postgres"
mkdir -m 700 "$tmp/closed"
said=$(PROFDEPOT_HOME=$tmp/closed/home depot db start)
like "$said" "cannot enter $tmp/closed" "a home that postgres cannot enter is refused"
is "$(stat -c %a "$tmp/closed")" 700 "the mode of the home's parent directory is not changed"
mkdir -p "$tmp/rooted/data"
echo 15 >"$tmp/rooted/data/PG_VERSION"
like "$(PROFDEPOT_HOME=$tmp/rooted depot db start)" 'belongs to root' "a data directory that belongs to root is refused"
use "$tmp/squatted"
mkdir -p "$tmp/squatted/run"
chmod 777 "$tmp/squatted/run"
like "$(depot db start)" 'must be a directory that belongs to postgres' \
    "a socket directory that belongs to another user is refused"
(
    umask 077
    PROFDEPOT_HOME=$tmp/tight "$PROFDEPOT" db init >/dev/null 2>&1
)
use "$tmp/tight"
is "$(answers)" "answer 0" "db init works with a strict umask"
depot db stop >/dev/null

mkdir "$tmp/full"
if mount -t tmpfs -o size=20m,mode=755 tmpfs "$tmp/full" 2>/dev/null; then
    use "$tmp/full/home"
    said=$(depot db start)
    like "$said" 'No space left' "the message about a full disk names the reason"
    like "$said" 'hint: free space' "the message about a full disk has a hint"
    is "$(find "$tmp/full/home" -name 'init.*' | wc -l)" 0 \
        "a full disk leaves no incomplete directory"
    # With more room the cluster starts, and then the write-ahead log of a load fills the disk.
    mount -o remount,size=100m "$tmp/full"
    ok "with room again, the cluster starts" depot db start
    dd if=/dev/zero of="$tmp/full/filler" bs=1M 2>/dev/null
    awk 'BEGIN { for (i = 0; i < 300000; i++) print "main;routine" i ";leaf" i % 977 " " i }' >"$tmp/large.folded"
    like "$(depot load "$tmp/large.folded")" 'file system at .* MiB free' "the hint names the full file system and its free space"
    truncate -s -8M "$tmp/full/filler"
    said=$(depot load "$tmp/large.folded")
    like "$said" 'No space left|could not extend' "a load that fills the disk gives the server's reason"
    like "$said" 'file system at .* MiB free' "the hint names the file system and its free space"
    rm "$tmp/full/filler"
    # The backend of the failed load can still crash, because it could not write its log. The server then recovers.
    url=$(depot db url)
    no_client_is_left() {
        [ "$(psql -XqAt "$url" -c "select count(*) from pg_stat_activity where application_name = 'profdepot'")" = 0 ]
    }
    wait_until 30 no_client_is_left
    echo 'main;work 7' >"$tmp/small.folded"
    ok "with room again, the next load succeeds" depot load "$tmp/small.folded"
    ok "a small disk has no reserve" test ! -e "$tmp/full/home/reserve"
    # A removal works even if the server has crashed because its write-ahead log did not fit on the disk.
    mount -o remount,size=1500m "$tmp/full"
    depot db stop >/dev/null
    depot load "$tmp/large.folded" >/dev/null
    is "$(stat -c %s "$tmp/full/home/reserve")" $((64 << 20)) "a start makes the reserve if there is room"
    dd if=/dev/zero of="$tmp/full/filler" bs=1M 2>/dev/null
    url=$(depot db url)
    writes=0
    while psql -Xq "$url" -c "select pg_logical_emit_message(false, 'x', repeat('y', 16000000))" >/dev/null 2>&1 &&
        [ $writes -lt 100 ]; do
        writes=$((writes + 1))
    done
    # The server tries to recover before it ends.
    is_stopped() {
        depot db status | grep -q 'state: *stopped'
    }
    wait_until 60 is_stopped
    said=$(depot list)
    like "$said" 'No space left' "a server that crashed on a full disk cannot start"
    like "$said" "file system at $tmp/full has 0 MiB free.*at least 32 MiB.*or remove result sets with" \
        "the hint names the mount point, the room that is needed, and rm"
    like "$(depot rm --keep 1)" 'uses the reserve.*removed result set' "rm works on the full disk"
    is "$(depot list --output csv | wc -l)" 2 "the removal is complete"
    rm "$tmp/full/filler"
    ok "with room again, the next load succeeds after a crash" depot load "$tmp/small.folded" --run again
    depot rm --keep 1 >/dev/null
    is "$(stat -c %s "$tmp/full/home/reserve")" $((64 << 20)) "with room again, rm makes the reserve again"
    depot db stop >/dev/null
    umount "$tmp/full"
else
    skip "tmpfs cannot be mounted here" "starting the cluster on a full disk"
fi

# --- as another user ---

cp "$PROFDEPOT" "$tmp/profdepot"
chmod 755 "$tmp/profdepot"
install -d -o nobody -m 700 "$tmp/theirs"
# theirs ARGUMENT...: runs profdepot as the user nobody.
theirs() {
    (cd / && setpriv --reuid nobody --regid nogroup --clear-groups env -u XDG_RUNTIME_DIR \
        HOME="$tmp/theirs" PROFDEPOT_HOME="$PROFDEPOT_HOME" "$tmp/profdepot" "$@" 2>&1)
}
export PROFDEPOT_HOME=$tmp/plain
like "$(theirs db start)" 'belongs to postgres' \
    "a cluster that belongs to another account is refused"
use "$tmp/theirs/depot"
like "$(theirs db init)" 'created a depot' "an unprivileged account can create a cluster"
is "$(stat -c %U "$tmp/theirs/depot/data")" nobody \
    "the data directory belongs to the unprivileged account"
is "$(theirs sql -XAtc 'select current_user')" profdepot_reader \
    "the unprivileged account can connect to its server"
is "$("$PROFDEPOT" sql -XAtc 'select current_user')" profdepot_reader \
    "root can connect to an unprivileged account's server"
like "$(theirs db stop)" 'is stopped' "the unprivileged account can stop its server"
like "$(depot db start)" 'is running' "root can start an unprivileged account's server"
is "$(ps -o user= -p "$(server_pid)")" nobody "a server started by root runs as the cluster's owner"
depot db stop >/dev/null
PROFDEPOT_HOME='' like "$(PROFDEPOT_HOME='' theirs db status)" "data: *$tmp/theirs/.local/share/profdepot/data" \
    "the default home of an unprivileged account is in the XDG data directory"
export PROFDEPOT_HOME=$tmp/locked/depot
install -d -o root -m 755 "$tmp/locked"
like "$(theirs db start)" 'Permission denied' "a home is refused if the account may not create it"
use "$tmp/theirs/$(printf 'long%.0s' {1..30})"
is "$(theirs sql -XAtc 'select 1' | tail -n 1)" 1 "an unprivileged account can use a home with a long path"
theirs db stop >/dev/null
like "$(cd / && setpriv --reuid 54321 --regid nogroup --clear-groups env PROFDEPOT_HOME="$tmp/none" "$tmp/profdepot" db start 2>&1)" \
    'has no account name' "a user ID without an account is refused"
done_testing
