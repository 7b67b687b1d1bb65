#!/usr/bin/env bash
# Tests that lists can be read page by page while rows are added and removed: no row is repeated, and no row that
# stays is omitted. cursors.py reads the pages.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

command -v python3 >/dev/null || skip_all "python3 is not installed"
pg_temp_start
tmp=$(mktemp -d "$pg_temp_dir/cursors.XXXXXX")
trap 'serve_end; pg_temp_stop' EXIT
depot_make
# code PATH: prints the status; writes $tmp/head and $tmp/body.
code() { curl -s -m 60 -D "$tmp/head" -o "$tmp/body" -w '%{http_code}' "$base$1"; }
header() { tr -d '\r' <"$tmp/head" | sed -n "s/^$1: //p"; }

echo 'main;work 7' | "$PROFDEPOT" load --quiet --format collapsed - >"$tmp/out" 2>&1 || bail_out "no load: $(cat "$tmp/out")"
# Adds the result sets that are missing up to 10,000. Many have the same time, and the sort keys have equal values and NULL.
fill() {
    q "insert into instances (inst_id, format, caption, host, application, app_version, state, loaded_at)
       select n, 'collapsed', 'copy ' || n % 700, case when n % 5 > 0 then 'host ' || n % 60 end, case when n % 7 > 0 then 'app ' || n % 9 end,
              repeat('x', n % 3), 'closed', now() - make_interval(secs => n % 900) from generate_series(2, 10000) n
       on conflict do nothing" || bail_out "no copies"
}
fill
q "insert into jobs (job, owner, name, state, input_bytes, server, created_at, ended_at)
   select md5(n::text), 'old', 'old.folded', 'done', 7, '', now() - make_interval(secs => n / 50), now() from generate_series(1, 500) n" ||
    bail_out "no jobs"
serve_begin
# Each page removes result sets from all parts of the list, among them its own last one, and adds some.
change="delete from instances where inst_id > 1 and (inst_id + %d * 7) % 600 = 0;
    delete from instances where inst_id = %last and inst_id > 1;
    insert into instances (inst_id, format, caption, host, state, loaded_at)
    select 20000 + %d * 40 + k, 'collapsed', 'copy ' || k * 17, 'host ' || k, 'closed', now() - make_interval(secs => k * 20)
    from generate_series(1, 40) k"
for query in "" sort=loaded_at:asc sort=inst_id:asc sort=inst_id sort=caption sort=host:desc sort=host sort=app_version:asc \
    "sort=application:desc&search=collapsed"; do
    ok "10,000 result sets, in the order \"$query\", while the list changes" \
        python3 "$srcdir/tests/service/cursors.py" sets "$base" "$query" 450 "$change"
    q "delete from instances where inst_id > 20000"
    fill
done
ok "without changes, the pages list each result set once" \
    python3 "$srcdir/tests/service/cursors.py" sets "$base" "sort=application&format=collapsed" 999

ok "500 jobs, many of the same time, while jobs come and go" python3 "$srcdir/tests/service/cursors.py" jobs "$base" 30
before=$(curl -s "$base/v1/jobs?limit=7" | grep -o '"id": *"[^"]*"' | tail -n 1)
is "$(code '/v1/jobs?limit=6')" 200 "a page of jobs"
next=$(header Profdepot-Next)
serve_end
serve_begin
is "$(code "/v1/jobs?limit=1&cursor=$next")" 200 "a cursor of jobs is valid after a restart of the server"
is "$(grep -o '"id": *"[^"]*"' "$tmp/body")" "$before" "the next page begins with the next job"
is "$(code "/v1/jobs?state=done&cursor=$next")" 400 "a cursor of jobs is not valid for another state"

# --- what a cursor belongs to ---
is "$(code '/v1/result-sets?sort=caption&limit=3')" 200 "a page"
next=$(header Profdepot-Next)
like "$next" '^[0-9a-f]{20,}$' "the header has the cursor"
is "$(header Link)" "</v1/result-sets?sort=caption&limit=3&cursor=$next>; rel=\"next\"" "the Link header has it, too"
is "$(code "/v1/result-sets?sort=caption&limit=9&output=csv&cursor=$next")" 200 "the next page can have another size and format"
for query in "sort=caption:desc&cursor=$next" "cursor=$next" "sort=caption&format=x&cursor=$next" "sort=caption&cursor=${next}00" \
    "sort=caption&cursor=${next%?}" "sort=caption&cursor=x$next" "sort=caption&cursor=" "sort=caption&cursor=%27;--" \
    "sort=caption&cursor=0000000000000000${next:16}" "sort=caption&cursor=${next:0:16}"; do
    is "$(code "/v1/result-sets?$query")" 400 "the cursor in \"${query//$next/C}\" is rejected"
    like "$(cat "$tmp/body")" '"code":"invalid-cursor"' "the error has its own code"
done
is "$(code "/v1/result-sets?sort=caption&skip=1&cursor=$next")" 400 "cursor and skip exclude each other"
q "update instances set caption = repeat('long ', 1000) || inst_id::text where inst_id in (1, 2, 3)"
is "$(code '/v1/result-sets?sort=caption:desc&limit=1&search=long')" 200 "a page that ends with a long caption"
like "$(header Link)" 'skip=1>; rel="next"' "its link has no cursor, but skips the rows before"
is "$(code '/v1/result-sets?limit=20000')" 200 "the last page"
is "$(header Link)$(header Profdepot-Next)" "" "the last page has no next page"
done_testing
