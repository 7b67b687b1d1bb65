#!/usr/bin/env bash
# Tests the budgets in the depot: profdepot budget, checks without a file, and the requests of the service.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/findings.sh
. "$srcdir/tests/lib/findings.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'serve_end; rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
findings_load --application Shop --app-version 1.1 -- load_orders:3:300 draw:1:40
findings_load --application Desk -- parse:1:10
findings_load -- parse:1:20
# INST_IDs in this order
shop=1 desk=2 other=3

budgets() {
    printf '{"budgets": [{"name": "%s", "of": "leaks", "max_count": %s}]}' "$1" "$2"
}

# --- commands ---

run check $shop
like "$status $errors" '^2 .*the depot has no budgets for the application Shop.*profdepot budget set' "a check without a file needs budgets in the depot"
run check $other
like "$errors" 'no budgets for result sets without an application' "the message names result sets without an application"
run check $shop --against history --base-optional
is "$status" 0 "a check against the history needs no budgets"
run budget list
is "$status" 0 "a new depot has no budgets"
run budget show
like "$status $errors" '^2 .*no budgets for applications without budgets' "no budgets to show"
run budget set - --author ann < <(budgets "few leaks" 1)
is "$status $out" "0 stored 1 budget, version 1" "budgets for all applications"
budgets "shop leaks" 4 >"$tmp/shop.json"
run budget set "$tmp/shop.json" --application Shop
is "$status $out" "0 stored 1 budget, version 1" "budgets for an application"
run budget set "$tmp/shop.json" --application Shop --author bob
is "$out" "stored 1 budget, version 2" "a change has the next version"
run budget list --output csv
is "$(cut -d , -f 1-3 <<<"$out")" $'application,version,author\n,1,ann\nShop,2,bob' "the list of budgets"
run budget show --application Shop
is "$out" "$(cat "$tmp/shop.json")" "the stored file"
# Clients that store the first budgets of an application at the same moment replace each other's.
for i in {1..8}; do
    "$PROFDEPOT" budget set "$tmp/shop.json" --application Twin >"$tmp/stored.$i" 2>&1 &
    storing+=($!)
done
wait "${storing[@]}"
is "$(cat "$tmp"/stored.* | grep -o '[0-9]*$' | sort -n | paste -sd ' ')" "1 2 3 4 5 6 7 8" "eight clients store budgets at once"
run budget rm --application Twin
is "$status" 0 "these budgets are removed"
run budget set - --application Shop <<<'{"budgets": [{"of": "leaks"}]}'
like "$status $errors" '^3 .*standard input: budgets: item 1' "invalid budgets are refused"
run budget set "$tmp/none.json"
like "$status $errors" 'none.json' "a missing file"
head -c 300000 /dev/zero | tr '\0' ' ' >"$tmp/large.json"
run budget set "$tmp/large.json"
like "$status $errors" '^3 .*large.json' "a large file is refused"
run budget set "$tmp/shop.json" --application "$(head -c 1001 /dev/zero | tr '\0' x)"
like "$status $errors" '^2 .*more than 1000 bytes' "a long name is refused"
run budget
is "$status" 2 "a verb is needed"
run budget set
is "$status" 2 "set needs a file"

run check $shop
is "$status" 0 "the application's own budgets apply"
like "$out" 'shop leaks' "the check names the application's budget"
run check $desk
like "$status $out" '^0 .*few leaks' "an application without budgets uses the others"
run check $other
is "$status" 0 "so does a result set without an application"
run budget set - --application Shop < <(budgets "shop leaks" 3)
run check $shop --record
is "$status" 1 "four leaks exceed the new budget"
is "$(q "select verdict from budget_verdicts where inst_id = $shop")" broken "the verdict is recorded"
run check $shop --budget - < <(budgets other 100)
is "$status" 0 "a file takes precedence over the depot"
run budget rm --application Shop
is "$status" 0 "budgets are deleted"
run budget rm --application Shop
like "$status $errors" '^2 .*no budgets for the application Shop.*profdepot budget list' "deleted budgets cannot be deleted again"
run check $shop
like "$status $out" '^1 .*few leaks' "afterwards, the budgets for all applications apply"

# --- requests ---

for name in boss reader; do
    scope="read"
    [ $name != boss ] || scope="admin"
    "$PROFDEPOT" token add $name --scope $scope --token-file "$tmp/tokens" >"$tmp/$name"
done
serve_begin --token-file "$tmp/tokens"
# ask NAME METHOD PATH [BODY]: sends a request with the token of NAME; sets $code and $answer
ask() {
    code=$(curl -s -o "$tmp/answer" -w '%{http_code}' -X "$2" -H "Authorization: Bearer $(cat "$tmp/$1")" -H 'Content-Type: application/json' \
        ${4+--data-binary "$4"} "$base$3")
    answer=$(cat "$tmp/answer")
}
ask boss PUT '/v1/budgets?application=Shop%2F2&author=eva&version=0' "$(budgets few 1)"
is "$code $answer" '200 {"application":"Shop/2","version":1,"complete":true}' "budgets are added"
ask boss PUT '/v1/budgets?application=Shop%2F2&version=0' "$(budgets few 2)"
like "$code $answer" '^409 .*read them again' "version 0 replaces nothing"
ask boss PUT '/v1/budgets?application=Shop%2F2&version=7' "$(budgets few 2)"
is "$code" 409 "another version is not replaced"
ask boss PUT '/v1/budgets?application=Shop%2F2&version=1' "$(budgets few 2)"
is "$code $answer" '200 {"application":"Shop/2","version":2,"complete":true}' "the version that was read is replaced"
ask boss PUT '/v1/budgets?application=Shop%2F2' "$(budgets few 3)"
is "$code $answer" '200 {"application":"Shop/2","version":3,"complete":true}' "without a version, any version is replaced"
ask boss PUT '/v1/budgets?application=new&version=3' "$(budgets few 3)"
is "$code" 409 "budgets that were deleted have no version"
ask reader GET '/v1/budgets?application=Shop%2F2'
like "$code $answer" '^200 \[\{"application":"Shop/2","version":3,"author":null,"changed":"20.*Z","budgets":\{"budgets": \[\{"name": "few".*\}\]$' "the budgets of an application"
ask reader GET /v1/budgets
is "$(grep -o '"application":"[^"]*"' "$tmp/answer" | paste -sd' ')" '"application":"" "application":"Shop/2"' "all budgets"
ask reader PUT /v1/budgets "$(budgets few 1)"
is "$code" 403 "readers cannot change budgets"
ask reader DELETE /v1/budgets
is "$code" 403 "readers cannot delete budgets"
ask boss PUT /v1/budgets '{"budgets": [{"of": "leeks", "max_count": 1}]}'
like "$code $answer" '^422 .*the body: budgets: item 1' "invalid budgets"
ask boss PUT /v1/budgets "@$tmp/large.json"
is "$code" 413 "a large body"
ask boss PUT "/v1/budgets?application=$(head -c 1001 /dev/zero | tr '\0' x)" "$(budgets few 1)"
is "$code" 400 "a long name"
ask reader POST "/v1/check?set=$shop"
like "$code $answer" '^200 .*"few leaks"' "a check without a body uses the depot's budgets"
ask reader POST "/v1/check?set=$shop&against=history"
like "$code $answer" '^200 .*"unjudged": *1' "a check against the history needs no body"
ask boss DELETE '/v1/budgets'
is "$code" 204 "budgets are deleted"
ask boss DELETE '/v1/budgets'
is "$code" 404 "deleted budgets cannot be deleted again"
ask reader POST "/v1/check?set=$shop"
like "$code $answer" '^404 .*no budgets for the application Shop' "a check without budgets"

done_testing
