#!/usr/bin/env bash
# Tests sessions: sign-in, cookies that are forged, expired or replayed, requests from other sites, and sign-out.
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
tmp=$(mktemp -d "$pg_temp_dir/session.XXXXXX")
trap 'serve_end; pg_temp_stop' EXIT
depot_make
file=$tmp/tokens
for name in reader boss; do
    scope="read"
    [ $name = reader ] || scope="read,admin"
    "$PROFDEPOT" token add $name --scope $scope --token-file "$file" >"$tmp/$name"
done

# code [CURL ARGUMENT...] URL: prints the status; writes the body to $tmp/body and the headers to $tmp/head.
code() {
    curl -s -m 20 -D "$tmp/head" -o "$tmp/body" -w '%{http_code}' "$@"
}
# sign_in NAME [CURL ARGUMENT...]: prints the status; writes the cookie to $tmp/cookie, as NAME=VALUE.
sign_in() {
    local name=$1
    shift
    code -H "Origin: $base" "$@" -d "{\"token\": \"$(cat "$tmp/$name")\"}" "$base/v1/session"
    sed -n 's/^Set-Cookie: \([^;]*\).*/\1/p' "$tmp/head" | tr -d '\r' >"$tmp/cookie"
}
# with COOKIE PATH [CURL ARGUMENT...]: prints the status of a request with a cookie.
with() {
    local cookie=$1 path=$2
    shift 2
    code -H "Cookie: $cookie" "$@" "$base$path"
}
# changes COOKIE [CURL ARGUMENT...]: prints the status of an upload with this cookie. The content of the
# upload is invalid, so the status is 422 if the cookie is accepted.
changes() {
    local cookie=$1
    shift
    with "$cookie" '/v1/result-sets?name=x' --data-binary nothing "$@"
}

serve_begin --token-file "$file" --access-log "$tmp/log"
port=${base##*:}
is "$(sign_in reader)" 200 "a valid token signs in"
is "$(cat "$tmp/body")" '{"scopes":["read"],"complete":true}' "the answer has the scopes"
cookie=$(cat "$tmp/cookie")
like "$cookie" "^profdepot-$port=[0-9]+\.[0-9a-f]{32}\.[0-9a-f]{64}\.reader\$" "the cookie is named after the port and is signed"
like "$(grep Set-Cookie "$tmp/head")" '; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict.?$' "scripts and other sites cannot use the cookie"
unlike "$cookie" "$(cat "$tmp/reader")" "the cookie does not contain the token"
is "$(with "$cookie" /v1/whoami)" 200 "the cookie identifies the client"
is "$(cat "$tmp/body")" '{"scopes":["read"],"user":"reader","session":true,"tokens":true,"complete":true}' "whoami describes the session"
is "$(with "other=1; $cookie; more=2" /v1/whoami)" 200 "the cookie is found among others"
is "$(with "$cookie" /v1/whoami -H "Authorization: Bearer $(cat "$tmp/boss")")" 200 "a token in the header comes first"
like "$(cat "$tmp/body")" '"user":"boss","session":false' "the token determines the rights"
is "$(with "$cookie" /v1/whoami -H "Authorization: Bearer nonsense")" 401 "an invalid token is not replaced by the cookie"
echo pd_wrong >"$tmp/wrong"
is "$(sign_in wrong)" 401 "an invalid token does not sign in"
unlike "$(cat "$tmp/head")" 'Set-Cookie' "an invalid token gets no cookie"
is "$(code -d '{}' "$base/v1/session")" 400 "a body without a token is rejected"
is "$(code -d '{"token": 5}' "$base/v1/session")" 400 "a token that is not a text is rejected"

# --- forged cookies ---
value=${cookie#*=}
IFS=. read -r expiry id mac name <<<"$value"
flipped=$(printf '%s' "$mac" | tr '0123456789abcdef' '123456789abcdef0')
for forged in "" "x" "$expiry.$id.$flipped.$name" "$((expiry + 1)).$id.$mac.$name" "$expiry.$(tr 0-9a-f 1-9a-f0 <<<"$id").$mac.$name" \
    "$expiry.$id.$mac.boss" "$expiry.$id.${mac:1}.$name" "$expiry.$id.$mac" "$expiry.$id.$mac." "$expiry.$id.$mac.$name.x" \
    "-1.$id.$mac.$name" "99999999999999999999.$id.$mac.$name" "$expiry.$id.${mac^^}.$name" "$value$(printf 'x%.0s' {1..300})" \
    "$expiry.$id.$(printf '0%.0s' {1..64}).$name" "$(cat "$tmp/reader")"; do
    is "$(with "profdepot-$port=$forged" /v1/whoami)" 401 "a forged cookie is invalid: ${forged:0:60}"
done
like "$(cat "$tmp/body")" 'the session has ended' "the message says that the session has ended"
is "$(with "profdepot=$value" /v1/whoami)" 401 "a cookie with another name is ignored"

# --- other sites ---
sign_in boss >/dev/null
boss=$(cat "$tmp/cookie")
is "$(changes "$boss" -H "Origin: $base")" 422 "our own pages may change something"
is "$(changes "$boss")" 403 "without Origin, a session may not change anything"
like "$(cat "$tmp/body")" 'needs the header Origin' "the message names the header"
for origin in http://evil.example null "http://127.0.0.1:1" "https://127.0.0.1.evil.example"; do
    is "$(changes "$boss" -H "Origin: $origin")" 403 "a page of $origin may not change anything"
done
is "$(with "$boss" /v1/jobs/1 -X DELETE)" 403 "without Origin, DELETE is rejected"
is "$(with "$boss" /v1/result-sets/1 -X PATCH -d '{}')" 403 "without Origin, PATCH is rejected"
is "$(with "$boss" /v1/session -X DELETE)" 403 "without Origin, nobody is signed out"
is "$(code -H 'Origin: http://evil.example' -d "{\"token\": \"$(cat "$tmp/reader")\"}" "$base/v1/session")" 403 "another site cannot sign in"
is "$(changes '' -H "Authorization: Bearer $(cat "$tmp/boss")")" 422 "programs with a token need no Origin"
is "$(changes "$cookie" -H "Origin: $base")" 403 "a session has only the rights of its token"

# --- the end of a session ---
is "$(with "$cookie" /v1/session -X DELETE -H "Origin: $base")" 204 "a user signs out"
like "$(grep Set-Cookie "$tmp/head")" "profdepot-$port=; Path=/; Max-Age=0" "signing out deletes the cookie"
is "$(with "$cookie" /v1/whoami)" 401 "the cookie cannot be replayed"
is "$(with "$boss" /v1/whoami)" 200 "other sessions continue"
is "$(code -X DELETE "$base/v1/session")" 204 "signing out twice is no error"
sign_in reader >/dev/null
cookie=$(cat "$tmp/cookie")
"$PROFDEPOT" token revoke reader --token-file "$file"
is "$(with "$cookie" /v1/whoami)" 401 "a session ends with its token"
"$PROFDEPOT" token add reader --token-file "$file" >"$tmp/reader"
is "$(with "$cookie" /v1/whoami)" 401 "a new token with the same name does not continue the session"
sed -i 's/^boss read,admin never/boss read,admin 2020-01-01/' "$file"
is "$(with "$boss" /v1/whoami)" 401 "a session ends when its token expires"
ok "neither tokens nor cookies are in the log" ! grep -qE "pd_|$mac" "$tmp/log"
sign_in reader >/dev/null
cookie=$(cat "$tmp/cookie")
serve_end
serve_begin --token-file "$file"
is "$(with "profdepot-${base##*:}=${cookie#*=}" /v1/whoami)" 401 "a session ends with its server"
serve_end

serve_begin --token-file "$file" --session-time 2
sign_in reader >/dev/null
is "$(with "$(cat "$tmp/cookie")" /v1/whoami)" 200 "a new session is valid"
sleep 3
is "$(with "$(cat "$tmp/cookie")" /v1/whoami)" 401 "an expired session is invalid, even if the browser still sends the cookie"
sign_in reader -H 'X-Forwarded-Proto: https' >/dev/null
like "$(grep Set-Cookie "$tmp/head")" '; Secure' "behind a proxy with TLS, the cookie is sent only over TLS"
serve_end
serve_begin
is "$(sign_in reader)" 400 "a server without tokens needs no sign-in"
serve_end

# --- users whom a proxy has signed in ---
is "$("$PROFDEPOT" serve --listen 127.0.0.1:0 --token-file "$file" --user-header X-Forwarded-User 2>&1 | head -n 1)" \
    "profdepot: --user-header needs --token-file and --listen unix:PATH" "only a socket shows that a request is from the proxy"
is "$("$PROFDEPOT" serve --listen "unix:$tmp/http" --user-header X-Forwarded-User 2>&1 | head -n 1)" \
    "profdepot: --user-header needs --token-file and --listen unix:PATH" "users need a server with tokens"
is "$("$PROFDEPOT" serve --token-file "$file" --user-scope read 2>&1 | head -n 1)" \
    "profdepot: --user-scope needs --user-header" "a scope needs users"
serve_begin --listen "unix:$tmp/http" --token-file "$file" --user-header X-Forwarded-User --user-scope read,ingest \
    --public-name depot.example
# as NAME PATH [CURL ARGUMENT...]: prints the status of a request that the proxy forwards for this user.
as() {
    local name=$1 path=$2
    shift 2
    code --unix-socket "$tmp/http" -H "X-Forwarded-User: $name" "$@" "http://depot.example$path"
}
is "$(as anna@example.org /v1/whoami)" 200 "a user of the proxy needs no token"
is "$(cat "$tmp/body")" '{"scopes":["read","ingest"],"user":"user:anna@example.org","session":false,"tokens":true,"complete":true}' "whoami names the user"
is "$(as anna@example.org '/v1/result-sets?name=x' --data-binary nothing -H 'Origin: http://depot.example')" 422 "the user may send data"
is "$(as anna@example.org '/v1/result-sets?name=x' --data-binary nothing)" 403 "but not from outside of our pages"
is "$(as anna@example.org '/v1/result-sets?name=x' --data-binary nothing -H 'Origin: http://evil.example')" 403 "nor from another site"
is "$(as anna@example.org /v1/tokens)" 403 "the user's scopes apply"
like "$(cat "$tmp/body")" "this user's scope does not allow this request" "the message names the cause"
is "$(code --unix-socket "$tmp/http" http://depot.example/v1/whoami)" 401 "without the header, a token is needed"
for name in "" "a b" "a,b" 'a"b' "$(printf 'x%.0s' {1..60})" $'\xc3\xa4nna'; do
    is "$(as "$name" /v1/whoami)" 401 "this is not a user's name: ${name:0:20}"
done
is "$(as "$(printf 'x%.0s' {1..59})" /v1/whoami)" 200 "a name may have 59 characters"
is "$(as anna /v1/whoami -H 'x-forwarded-user: boss')" 401 "a header that occurs twice names nobody"
is "$(as anna /v1/whoami -H "Authorization: Bearer $(cat "$tmp/reader")")" 200 "a token comes first"
like "$(cat "$tmp/body")" '"user":"reader","session":false' "the token determines the rights"
is "$(as anna /v1/whoami -H "Authorization: Bearer nonsense")" 401 "an invalid token is not replaced by the user"
serve_end

if command -v openssl >/dev/null; then
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
        -addext subjectAltName=IP:127.0.0.1 -keyout "$tmp/key.pem" -out "$tmp/cert.pem" 2>/dev/null
    serve_begin --token-file "$file" --tls-certificate "$tmp/cert.pem" --tls-key "$tmp/key.pem"
    is "$(sign_in reader --cacert "$tmp/cert.pem")" 200 "a token signs in over TLS"
    like "$(grep Set-Cookie "$tmp/head")" '; SameSite=Strict; Secure' "the cookie is sent only over TLS"
    serve_end
else
    skip "openssl is not installed" "the cookie is sent only over TLS"
fi
done_testing
