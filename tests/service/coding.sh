#!/usr/bin/env bash
# Tests entity tags and compressed answers.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

pg_temp_start
tmp=$(mktemp -d "$pg_temp_dir/coding.XXXXXX")
depot_make
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "main;routine_with_a_long_name_%d %d\n", i, i % 9 + 1 }' >"$tmp/many.folded"
echo "main;small 1" >"$tmp/few.folded"
run load "$tmp/many.folded" "$tmp/few.folded"
serve_begin --web "$srcdir/web"
# get [CURL ARGUMENT...] PATH: prints the status; writes $tmp/head and $tmp/body.
get() {
    : >"$tmp/body"
    curl -s -m 60 -D "$tmp/head" -o "$tmp/body" -w '%{http_code}' "${@:1:$#-1}" "$base${*: -1}"
}
field() { # NAME: prints the header's value
    tr -d '\r' <"$tmp/head" | sed -n "s/^$1: //Ip"
}
gzip='Accept-Encoding: gzip, br'
report='/v1/reports/hot?set=1&top=1000'

# --- answers ---
is "$(get "$report")" 200 "a report is answered"
is "$(field content-encoding)" "" "without Accept-Encoding, it is not compressed"
like "$(field vary)" 'Accept-Encoding' "caches learn that the answer depends on Accept-Encoding"
cp "$tmp/body" "$tmp/plain"
tag=$(field etag)
like "$tag" '^W/"[0-9a-f]{32}"$' "it has an entity tag"
is "$(field cache-control)" "private, no-cache" "it can be cached, but must be validated"
is "$(get -H "$gzip" "$report") $(field content-encoding)" "200 gzip" "with Accept-Encoding: gzip, it is compressed"
gzip -dc <"$tmp/body" >"$tmp/unpacked"
ok "the content is the same" cmp "$tmp/plain" "$tmp/unpacked"
ok "it is shorter" [ "$(($(wc -c <"$tmp/body") * 4))" -lt "$(wc -c <"$tmp/plain")" ]
is "$(field etag)" "$tag" "the tag is the same"
is "$(get -H 'Accept-Encoding: gzip;q=0' "$report") $(field content-encoding)" "200 " "with gzip;q=0, it is not compressed"
is "$(get -H "If-None-Match: \"0\", $tag" "$report") $(wc -c <"$tmp/body")" "304 0" "a client that has the answer gets 304"
is "$(field etag)" "$tag" "304 has the tag, too"
is "$(get -H 'If-None-Match: "0"' "$report")" 200 "a client with another answer gets the answer"
get '/v1/reports/hot?set=2&top=1000' >"$tmp/code"
isnt "$(field etag)" "$tag" "another answer has another tag"
is "$(get -H "$gzip" '/v1/reports/hot?set=2&format=csv') $(field content-encoding)" "200 " "a short answer is not compressed"
is "$(get -I "$report")" 200 "HEAD has no body to compress"
is "$(get -H "$gzip" '/v1/reports/nothing') $(field etag)" "404 " "an error has no tag"
is "$(get -H "$gzip" -H "If-None-Match: *" -X POST -d '{}' /v1/check) $(field etag)" "422 " "only GET requests are conditional"

# --- pages ---
is "$(get -H "$gzip" /) $(field content-encoding)" "200 gzip" "pages are compressed"
gzip -dc <"$tmp/body" >"$tmp/unpacked"
ok "the page is the file" cmp "$srcdir/web/index.html" "$tmp/unpacked"
is "$(get / && cmp "$srcdir/web/index.html" "$tmp/body")" 200 "without Accept-Encoding, the page is the file itself"
is "$(get -H "$gzip" -H "If-None-Match: $(field etag)" /)" 304 "a browser that has the page gets 304"
serve_end
is $? 0 "the server ends with status 0"
done_testing
