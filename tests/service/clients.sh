#!/usr/bin/env bash
# Tests that two independent programs accept the API description, and that clients generated from it compile and run.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"
need_corpora
modules=$(cd "$srcdir/web" && pwd)/node_modules
clients=$(cd "$srcdir/tests/service/clients" && pwd)
# The python3 in PATH may have packages that the system's python3 does not have.
pythons=("$(command -v python3)" /usr/bin/python3)

pg_temp_start
depot_make
tmp=$(mktemp -d)
trap 'serve_end; pg_temp_stop; rm -rf "$tmp"' EXIT
serve_begin
"$PROFDEPOT" load -q --label kind=leaks "$PROFDEPOT_CORPORA/leaks/memcheck-leaks-gensupp.xml" || bail_out "the file cannot be loaded"
inst_id=$(q 'select max(inst_id) from instances')
curl -s -o "$tmp/api.json" "$base/v1/openapi.json"
sed 's/"in":"query"/"in":"body"/' "$tmp/api.json" >"$tmp/wrong.json"

# skip TEXT REASON: a case that cannot run here
skip() {
    pass "$1 # SKIP $2"
}

# --- validators ---------------------------------------------------------------------------------------

# parsed FILE: prints whether swagger-parser accepts the file
parsed() {
    NODE_PATH=$modules node "$clients/validate.js" "$1"
}
if command -v node >/dev/null && [ -d "$modules/@apidevtools/swagger-parser" ]; then
    is "$(parsed "$tmp/api.json")" valid "swagger-parser accepts the description"
    is "$(parsed "$tmp/wrong.json")" invalid "swagger-parser rejects a wrong description"
else
    skip "swagger-parser accepts the description" "it is not installed: run npm ci in web/"
fi
checker=$modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js
# checked FILE: prints whether the file is valid
checked() {
    node "$checker" "$1" 2>&1 | grep -o '"valid": [a-z]*'
}
if command -v node >/dev/null && [ -f "$checker" ]; then
    is "$(checked "$tmp/api.json")" '"valid": true' "openapi-schema-validator accepts the description"
    isnt "$(checked "$tmp/wrong.json")" '"valid": true' "openapi-schema-validator rejects a wrong description"
else
    skip "openapi-schema-validator accepts the description" "it is not installed: run npm ci in web/"
fi

# --- TypeScript ---------------------------------------------------------------------------------------

if command -v node >/dev/null && [ -d "$modules/openapi-typescript" ] && [ -d "$modules/openapi-fetch" ]; then
    mkdir "$tmp/ts"
    ln -s "$modules" "$tmp/ts/node_modules"
    cp "$clients/use.ts" "$tmp/ts/"
    echo '{"type": "module"}' >"$tmp/ts/package.json"
    ok "openapi-typescript makes a client" node "$modules/openapi-typescript/bin/cli.js" "$tmp/api.json" -o "$tmp/ts/api.d.ts"
    ok "the TypeScript client compiles" node "$modules/typescript/bin/tsc" --strict --target es2022 \
        --module nodenext --lib es2022,dom,dom.iterable "$tmp/ts/use.ts"
    is "$(node "$tmp/ts/use.js" "$base" "$inst_id" 2>&1)" "$inst_id leaks leaks 1 typescript not-found broken refused" "the TypeScript client runs"
else
    skip "the TypeScript client" "openapi-typescript is not installed: run npm ci in web/"
fi

# --- Python -------------------------------------------------------------------------------------------

python=
for p in "${pythons[@]}"; do
    [ -n "$python" ] || ! "$p" -c 'from typing import NotRequired' 2>/dev/null || python=$p
done
if [ -n "$python" ]; then
    mkdir "$tmp/py"
    cp "$clients/use.py" "$tmp/py/"
    ok "a Python client is made" "$python" "$clients/make_python.py" "$tmp/api.json" "$tmp/py/profdepot_client.py"
    is "$("$python" "$tmp/py/use.py" "$base" "$inst_id" 2>&1)" "$inst_id leaks leaks 1 python not-found refused" "the Python client runs"
    if command -v mypy >/dev/null; then
        sed 's/by="class"/by="stamps"/' "$tmp/py/use.py" >"$tmp/py/wrong.py"
        ok "mypy finds no error in the Python client" env MYPYPATH="$tmp/py" mypy --strict --cache-dir "$tmp/mypy" "$tmp/py/use.py"
        ok "mypy finds an argument that the server would refuse" ! env MYPYPATH="$tmp/py" mypy --strict --cache-dir "$tmp/mypy" "$tmp/py/wrong.py"
    else
        skip "mypy finds no error in the Python client" "mypy is not installed"
    fi
else
    skip "the Python client" "python3 is older than 3.11"
fi
done_testing
