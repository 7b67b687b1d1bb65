#!/usr/bin/env bash
# Tests the routes for tokens: list, create, revoke.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

command -v curl >/dev/null || skip_all "curl is not installed"
pg_temp_start
tmp=$(mktemp -d "$pg_temp_dir/tokens.XXXXXX")
trap 'serve_end; pg_temp_stop' EXIT
depot_make
file=$tmp/tokens
admin=$("$PROFDEPOT" token add boss --scope admin --token-file "$file")
reader=$("$PROFDEPOT" token add reader --scope read,ingest,review,sql --token-file "$file")
# code [CURL ARGUMENT...] PATH: prints the status of an administrator's request; writes the body to $tmp/body.
code() {
    local args=("$@")
    curl -s -m 20 -o "$tmp/body" -w '%{http_code}' -H "Authorization: Bearer ${bearer-$admin}" "${args[@]:0:$#-1}" "$base${args[$#-1]}"
}
serve_begin --token-file "$file"
is "$(code /v1/tokens)" 200 "an administrator lists the tokens"
is "$(cat "$tmp/body")" '[{"name":"boss","scopes":["admin"],"expires":"never","expired":false},{"name":"reader","scopes":["read","ingest","review","sql"],"expires":"never","expired":false}]' \
    "the list has names, scopes and days, but no digests"
like "$(curl -s -D - -o "$tmp/body" -H "Authorization: Bearer $admin" "$base/v1/tokens" | tr -d '\r' | grep -iE '^(cache-control|etag)')" \
    '^Cache-Control: no-store$' "browsers do not keep the list"
is "$(code -d '{"name": "ci", "scopes": ["read", "sql"], "expires": "2999-12-31"}' /v1/tokens)" 201 "a token is created"
like "$(cat "$tmp/body")" '"name":"ci","scopes":\["read","sql"\],"expires":"2999-12-31","token":"pd_[A-Za-z0-9_-]{43}"' "the answer has the token"
made=$(sed 's/.*"token":"\([^"]*\)".*/\1/' "$tmp/body")
is "$(bearer=$made code /v1/whoami)" 200 "the new token is valid at once"
like "$(cat "$tmp/body")" '"scopes":\["read","sql"\]' "the new token has its scopes"
ok "the file does not contain the token" ! grep -q "$made" "$file"
is "$(stat -c %a "$file")" 600 "only the owner can read the file"
for body in '{}' '{"name": "x"}' '{"name": "x", "scopes": []}' '{"name": "x", "scopes": ["root"]}' '{"name": "x", "scopes": "read"}' \
    '{"name": "x y", "scopes": ["read"]}' '{"name": "x", "scopes": ["read"], "expires": "soon"}' '{"name": "x", "scopes": ["read"], "expires": "2020-01-01"}' \
    '{"name": "ci", "scopes": ["read"]}' '{"name": "x\n y", "scopes": ["read"]}' '{"name": "x", "scopes": ["read"], "more": 1}' 'nonsense'; do
    is "$(code -d "$body" /v1/tokens)" 400 "the body $body is rejected"
done
for bearer in "$reader" "$made" nonsense; do
    like "$(code /v1/tokens)" '40[13]' "others cannot list tokens"
    like "$(code -d '{"name": "mine", "scopes": ["admin"]}' /v1/tokens)" '40[13]' "others cannot create tokens"
    like "$(code -X DELETE /v1/tokens/boss)" '40[13]' "others cannot revoke tokens"
done
unset bearer
budget='{"budgets": [{"name": "leaks", "of": "leaks", "max_count": 1}]}'
is "$(bearer=$made code -d "$budget" /v1/check?record=true)" 403 "a check is recorded only with the scope ingest"
is "$(bearer=$made code -d "$budget" /v1/check)" 404 "a check without a record needs only the scope read"
is "$(bearer=$reader code -d "$budget" /v1/check?record=true)" 404 "with the scope ingest, it may be recorded"
for n in 1 2 3 4 5 6 7; do
    "$PROFDEPOT" token add "page$n" --scope read --token-file "$file" >/dev/null
done
# After each page, its last token is revoked, and a token is added that would be on this page.
path='/v1/tokens?limit=4'
names=
for page in 1 2 3 4; do
    [ -n "$path" ] || break
    is "$(code -D "$tmp/head" "$path")" 200 "page $page of the tokens"
    own=$(grep -o '"name":"[^"]*"' "$tmp/body" | cut -d '"' -f 4 | tr '\n' ' ')
    names="$names$own"
    path=$(tr -d '\r' <"$tmp/head" | sed -n 's/^Link: <\(.*\)>; rel="next"$/\1/p')
    next=$(tr -d '\r' <"$tmp/head" | sed -n 's/^Profdepot-Next: //p')
    last=${own% }
    [ "${last##* }" = reader ] || is "$(code -X DELETE "/v1/tokens/${last##* }")" 204 "the last token of the page is revoked"
    "$PROFDEPOT" token add "a$page" --scope read --token-file "$file" >/dev/null
done
is "$names" "boss ci page1 page2 page3 page4 page5 page6 page7 reader " "the pages neither repeat nor omit tokens"
is "$path$next" "" "the last page has no next page"
is "$(code /v1/tokens?cursor=x)" 400 "an invalid cursor is rejected"
like "$(cat "$tmp/body")" '"code":"invalid-cursor"' "the error has its own code"
is "$(code -X DELETE /v1/tokens/ci)" 204 "a token is revoked"
is "$(bearer=$made code /v1/whoami)" 401 "a revoked token is invalid"
is "$(code -X DELETE /v1/tokens/ci)" 404 "an unknown token cannot be revoked"
is "$(code -X DELETE '/v1/tokens/x%20y')" 400 "an invalid name is rejected"
is "$(code -X DELETE /v1/tokens/boss)" 204 "an administrator can revoke the own token"
is "$(code /v1/tokens)" 401 "then the administrator has no access"
serve_end
serve_begin
is "$(code /v1/tokens)" 404 "a server without a token file has no tokens"
serve_end
done_testing
