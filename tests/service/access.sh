#!/usr/bin/env bash
# Tests access: addresses, host names, other sites, tokens, TLS, and errors.
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
tmp=$(mktemp -d "$pg_temp_dir/access.XXXXXX")
depot_make

# code [CURL ARGUMENT...] URL: prints the status and writes the body to $tmp/body.
code() {
    curl -s -m 20 -o "$tmp/body" -w '%{http_code}' "$@"
}

# --- addresses ---
run serve --listen 0.0.0.0:0
is "$status" 2 "an address other than loopback needs a token file"
like "$errors" "there is no --token-file" "the error names the missing --token-file"
run serve --listen '[::]:0'
is "$status" 2 "the IPv6 wildcard address needs a token file"
run serve --listen 127.0.0.1:0 --legacy-listen 0.0.0.0:0
is "$status" 2 "a second listener that is not on loopback needs a token file"
for address in 8080 127.0.0.1 127.0.0.1:http 127.0.0.1:70000 :80 '[::1]' unix: nowhere.invalid:1; do
    run serve --listen "$address"
    is "$status" 2 "\"$address\" is not an address"
done
: >"$tmp/plain"
run serve --listen "unix:$tmp/plain"
is "$status" 3 "a plain file is not used as a socket"
ok "a plain file at the socket's path is kept" test -f "$tmp/plain"

# --- loopback without tokens ---
serve_begin
port=${base##*:}
is "$(code "$base/v1/health")" 200 "a server without tokens answers"
for host in "localhost:$port" "127.1.2.3" "[::1]:$port" "depot.localhost"; do
    is "$(code -H "Host: $host" "$base/v1/health")" 200 "Host $host is accepted"
done
for host in evil.example "evil.example:$port" 127.0.0.1.evil.example localhost.evil.example "" "10.0.0.1:$port"; do
    isnt "$(code -H "Host;" -H "Host: $host" "$base/v1/health")" 200 "Host \"$host\" is rejected"
done
like "$(cat "$tmp/body")" '"status":40[03]' "a rejected host gets an error in JSON"
post() {
    code -X POST -d '{}' "$@" "$base/v1/health"
}
is "$(post)" 405 "a POST without an Origin is not rejected as foreign (405)"
is "$(post -H "Origin: $base")" 405 "a POST from the server's own page is not rejected as foreign (405)"
for origin in http://evil.example null "http://127.0.0.1:1" "https://evil.example:$port" "http://localhost:$port"; do
    is "$(post -H "Origin: $origin")" 403 "a POST from a page of $origin is rejected"
done
is "$(post -H 'Sec-Fetch-Site: cross-site')" 403 "a POST marked cross-site is rejected"
is "$(post -H 'Sec-Fetch-Site: same-site')" 403 "a POST marked same-site is rejected"
is "$(code -H 'Origin: http://evil.example' "$base/v1/health")" 200 "another site can send a GET but cannot read the answer"
unlike "$(curl -s -D - -o /dev/null -H 'Origin: http://evil.example' "$base/v1/health")" "Access-Control" \
    "no header lets another site read an answer"
headers=$(curl -s -D - -o /dev/null "$base/v1/health")
for header in "X-Content-Type-Options: nosniff" "Content-Security-Policy: default-src 'none'" \
    "Referrer-Policy: no-referrer" "Cross-Origin-Resource-Policy: same-origin"; do
    ok "$header" grep -qF "$header" <<<"$headers"
done
serve_end
is $? 0 "the server ends with status 0"

serve_begin --public-name depot.example --behind-proxy --access-log "$tmp/log"
is "$(code -H 'Host: depot.example' "$base/v1/health")" 200 "a public name is accepted"
is "$(code -H 'Host: other.example' "$base/v1/health")" 403 "a name that is not public is rejected"
is "$(post -H 'Origin: https://depot.example')" 405 "a page with the public name can send a POST, even if the proxy forwards another host name"
is "$(code -H 'X-Forwarded-For: 6.6.6.6, 192.0.2.7' "$base/v1/health?secret=1")" 400 "a request through a proxy with an unknown parameter gets 400"
like "$(tail -n 1 "$tmp/log")" ' 192\.0\.2\.7 GET /v1/health 400 ' "the log contains the address that the proxy added, but no query"
is "$(code -H 'X-Forwarded-For: <x>' "$base/v1/health")" 200 "the server answers a request with an invalid X-Forwarded-For"
like "$(tail -n 1 "$tmp/log")" ' 127\.0\.0\.1 GET ' "an invalid X-Forwarded-For is ignored"
code -g "$base/%0A127.0.0.1%22%1b[31m" >/dev/null
like "$(tail -n 1 "$tmp/log")" '/%0A127.0.0.1%22%1B\[31m 404' "clients cannot forge log lines"
lines=$(wc -l <"$tmp/log")
json='Content-Type: application/json'
is "$(code -H "$json" -d '{"hostname": "Xq7h", "time": "2026-01-31 17:00:00", "offcputime": [{"process": "Xq7p", "pid": 1,
    "stack": "Xq7a;Xq7b", "elapsed": 1}]}' "$base/v1/events")" 200 "events are posted"
is "$(code -H "$json" -d '{"hostname": "Xq7h", "Xq7": ' "$base/v1/events")" 400 "invalid events are rejected"
is "$(code -H "$json" -d '{"format": "Xq7"}' "$base/v1/categories/offcputime/query")" 400 "a query is rejected"
is "$(code "$base/v1/categories/offcputime/values/process?prefix=Xq7")" 400 "an unknown parameter is rejected"
is "$(code --data-binary Xq7 "$base/v1/result-sets?name=Xq7")" 422 "a file that is not a profiler result is rejected"
is "$(($(wc -l <"$tmp/log") - lines))" 5 "the log has one line per request"
ok "the log contains no text from bodies or queries" ! grep -q Xq7 "$tmp/log"
ok "the server's messages contain no text from bodies or queries" ! grep -q Xq7 "$serve_log"
serve_end

# --- tokens ---
file=$tmp/tokens
run token list --token-file "$file"
is "$status$out" 2 "token list rejects a missing token file"
like "$errors" "no token file $file.*hint: .*token add" "the error for a missing token file names the file"
run token add reader --token-file "$file"
reader=$out
like "$reader" '^pd_[A-Za-z0-9_-]{43}$' "token add prints the token"
admin=$("$PROFDEPOT" token add boss --scope admin --token-file "$file")
sender=$("$PROFDEPOT" token add agent --scope ingest --expires 2999-01-01 --token-file "$file")
is "$(stat -c %a "$file")" 600 "only the owner can read the token file"
ok "the token file contains no token" ! grep -qF -e "$reader" -e "$admin" -e "$sender" "$file"
run token list --token-file "$file" --output csv
is "${out//$'\r'/}" "name,scopes,expires,expired
reader,read,never,f
boss,admin,never,f
agent,ingest,2999-01-01,f" "token list shows each token with its scopes and expiry"
run token add reader --token-file "$file"
is "$status" 2 "token add rejects an existing name"
run token add late --expires 2020-01-01 --token-file "$file"
is "$status" 2 "token add rejects a day in the past"
run token add late --scope root --token-file "$file"
is "$status" 2 "token add rejects an unknown scope"
run token add
is "$status" 2 "token add needs a name"
run token list
like "$errors" "no --token-file" "token list needs a token file"
run token revoke nobody --token-file "$file"
is "$status" 2 "token revoke rejects an unknown name"

chmod 666 "$file"
serve_begin --token-file "$tmp/none-yet"
like "$(cat "$serve_log")" "none-yet contains no valid token.*hint: .*token add" "a server without tokens prints a warning"
late=$("$PROFDEPOT" token add later --token-file "$tmp/none-yet")
is "$(code -H "Authorization: Bearer $late" "$base/v1/whoami")" 200 "a new token is valid at once"
serve_end
run serve --listen 127.0.0.1:0 --token-file "$file"
is "$status" 2 "a token file that other accounts can write is rejected"
chmod 600 "$file"

serve_begin --token-file "$file" --legacy-listen 127.0.0.1:0 --access-log "$tmp/log"
bearer() {
    code -H "Authorization: Bearer $1" "$base/$2"
}
is "$(code "$base/v1/health")" 200 "health needs no token"
is "$(bearer nonsense v1/health)" 200 "health ignores an invalid token"
is "$(code -H 'Host: any.example' "$base/v1/health")" 200 "if tokens are required, any host name is accepted"
is "$(code "$base/v1/whoami")" 401 "a request without a token gets 401"
like "$(cat "$tmp/body")" '"hint":"send' "the body of a 401 has a hint"
like "$(curl -s -D - -o /dev/null "$base/v1/whoami")" 'WWW-Authenticate: Bearer' "a 401 has the header WWW-Authenticate"
is "$(bearer "$reader" v1/whoami)" 200 "a token with the scope read can read"
is "$(cat "$tmp/body")" '{"scopes":["read"],"user":"reader","session":false,"tokens":true,"complete":true}' "whoami shows the scope read"
is "$(bearer "$sender" v1/whoami)" 403 "a token with the scope ingest cannot read"
is "$(bearer "$admin" v1/whoami)" 200 "a token with the scope admin can read"
like "$(cat "$tmp/body")" '"scopes":\["read","ingest","review","admin"\]' "whoami shows all scopes that admin includes"
is "$(bearer "${reader%?}" v1/whoami)" 401 "a truncated token is invalid"
is "$(bearer "${reader}x" v1/whoami)" 401 "a token with an extra character is invalid"
is "$(code -H "Authorization: Basic $reader" "$base/v1/whoami")" 401 "a token sent with another authentication scheme is rejected"
is "$(code -H "Authorization: bearer $reader" "$base/v1/whoami")" 200 "the name of the scheme is case-insensitive"
is "$(code -H "Authorization: Bearer  $reader"$' \t' "$base/v1/whoami")" 200 "blanks around a token are ignored"
is "$(code -H "Authorization: Bearer $reader $reader" "$base/v1/whoami")" 401 "a token with blanks inside is invalid"
is "$(code "$base/$reader/v1/whoami")" 404 "only legacy senders can put a token into the path"
"$PROFDEPOT" token revoke reader --token-file "$file"
is "$(bearer "$reader" v1/whoami)" 401 "a token revoked while the server runs is invalid"
sed -i 's/^boss admin never/boss admin 2020-01-01/' "$file"
is "$(bearer "$admin" v1/whoami)" 401 "a token that expires while the server runs is invalid"
echo rubbish >>"$file"
is "$(bearer "$sender" v1/whoami)" 401 "if the token file is damaged, no token is valid"
is "$(code "$base/v1/health")" 200 "with a damaged token file, requests that need no token still work"
ok "no token is in the log" ! grep -qF -e "$reader" -e "$admin" -e "$sender" "$tmp/log"
serve_end

# --- TLS ---
if command -v openssl >/dev/null; then
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout "$tmp/key.pem" -out "$tmp/cert.pem" 2>/dev/null
    openssl ecparam -name prime256v1 -genkey -noout -out "$tmp/other.pem" 2>/dev/null
    openssl pkcs8 -topk8 -in "$tmp/key.pem" -passout pass:x -out "$tmp/locked.pem" 2>/dev/null
    serve_begin --tls-certificate "$tmp/cert.pem" --tls-key "$tmp/key.pem"
    like "$base" '^https://' "the address begins with https"
    is "$(code --cacert "$tmp/cert.pem" "$base/v1/health")" 200 "the server answers over TLS"
    like "$(curl -s -D - -o /dev/null --cacert "$tmp/cert.pem" "$base/v1/health")" 'Strict-Transport-Security: max-age=' \
        "over TLS, browsers are asked to use only https"
    isnt "$(code "$base/v1/health")" 200 "an untrusted certificate is rejected"
    isnt "$(code "http://${base#https://}/v1/health")" 200 "plain HTTP is rejected"
    isnt "$(code --cacert "$tmp/cert.pem" --tls-max 1.1 "$base/v1/health")" 200 "TLS 1.1 is rejected"
    at="${base#https://}"
    if command -v python3 >/dev/null; then
        ok "over TLS, a request with an invalid Content-Length gets at most one answer" \
            python3 "$srcdir/tests/service/client.py" lengths "${at%:*}" "${at##*:}" "$tmp/cert.pem"
    fi
    is "$(code --cacert "$tmp/cert.pem" "$base/v1/health")" 200 "the server still answers after rejected connections"
    serve_end
    is $? 0 "the server ends with status 0"
    printf 'x\n' >"$tmp/none.pem"
    for pair in "none key" "cert none" "cert other" "cert locked" "key cert" "missing key" "cert missing"; do
        run serve --listen 127.0.0.1:0 --tls-certificate "$tmp/${pair% *}.pem" --tls-key "$tmp/${pair#* }.pem"
        ok "the certificate and key \"$pair\" are refused" test "$status" -ge 2
        like "$errors" "${tmp}/[a-z]*\.pem" "the error for the certificate and key \"$pair\" names the file"
    done
    run serve --tls-key "$tmp/key.pem"
    like "$errors" "the certificate is missing" "a key without a certificate is rejected"
else
    skip "openssl is not installed" "the server answers over TLS"
fi
done_testing
