"""Sends requests to every route of a server, and checks each answer against the API description. For
schemas.sh, a line begins with "ok " or "bad " for each test, or with "# ". Arguments: the server's address, the folder of the corpora, a folder for temporary files, a token."""
import gzip
import json
import os
import sys
import tarfile
import time
import urllib.error
import urllib.parse
import urllib.request

import jsonschema

BASE, CORPORA, TMP, TOKEN = sys.argv[1:5]
DOCUMENT = None
VALIDATORS = {}
NOT_READ = object()
SEEN = {}  # operation ID -> statuses of validated answers
FILLED = set()  # schemas of rows that occurred
WITHOUT_UNIT = {}  # numbers without a unit -> where one occurred
# Numbers, places and lines, which have no unit. per_profile is a quotient.
NO_UNIT = set("id number get os_thread_id error_code own_line position line source_line severity stack_id event last_event depth "
              "process_place place object_number track level worst_track per_profile byte_offset".split())
# Formats of other programs, and rows of events and queries, whose columns the user has defined.
FOREIGN = {"ChromeTrace", "Speedscope", "Profiles", "EventBatches", "Sarif", "Description", "KernelscopeAnswer", "EventColumns",
           "GrafanaFrame", "EventRow", "QueryRow"}


def check(ok, text, why=""):
    print("%s %s" % ("ok" if ok else "bad", text))
    if not ok:
        print("# %s" % str(why).replace("\n", "\n# ")[:2000])


def send(method, path, body=None, headers=None):
    """Returns the status, the content type and the body."""
    request = urllib.request.Request(BASE + path, data=body, method=method,
                                     headers={"Authorization": "Bearer " + TOKEN, **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.status, answer.headers.get_content_type(), answer.read()
    except urllib.error.HTTPError as e:
        return e.code, e.headers.get_content_type(), e.read()


def validator(schema):
    text = json.dumps(schema, sort_keys=True)
    if text not in VALIDATORS:
        VALIDATORS[text] = jsonschema.Draft202012Validator({**schema, "components": DOCUMENT["components"]})
    return VALIDATORS[text]


def note_rows(value, schema):
    """Records which schemas of rows have really occurred."""
    if isinstance(value, dict) and any(s.get("rows") for s in value.get("result_sets") or [] if isinstance(s, dict)):
        for choice in schema.get("anyOf", [schema]):
            if "$ref" in choice and validator(choice).is_valid(value):
                FILLED.add(choice["$ref"].rsplit("/", 1)[1])


def deepest(error):
    """If an answer matches no alternative, returns an error of the alternative with the fewest errors."""
    while error.context:
        groups = {}
        for e in error.context:
            groups.setdefault(e.schema_path[0], []).append(e)
        error = min(groups.values(), key=len)[0]
    return error


def note_units(value, schema, where, columns=(), key=""):
    """Records the numbers whose unit is neither in the answer's columns nor in the schema."""
    if isinstance(value, (str, bool, type(None))):
        return
    unit = schema.get("x-unit")
    while "$ref" in schema or "anyOf" in schema:
        name = schema.get("$ref", "").rsplit("/", 1)[1:]
        if name and name[0] in FOREIGN:
            return
        schema = DOCUMENT["components"]["schemas"][name[0]] if name else \
            next(s for s in schema["anyOf"] if s.get("type") in ("integer", "number") or validator(s).is_valid(value))
    if isinstance(value, list):
        for one in value:
            note_units(one, {**schema["items"], **({"x-unit": unit} if unit else {})}, where, columns, key)
    elif isinstance(value, dict):
        if "unit" in (value.get("columns") or [{}])[0]:
            columns = {c["key"]: c["unit"] for c in value["columns"]}
        for name, one in value.items():
            # Members beside the declared ones are columns that the user has defined.
            inner = schema["properties"].get(name) if "properties" in schema else schema.get("additionalProperties")
            if isinstance(inner, dict):
                note_units(one, {**({"x-unit": unit} if unit else {}), **inner}, where, columns, name)
    elif not unit and (key not in columns or columns[key] == "none" and key not in NO_UNIT):
        WITHOUT_UNIT.setdefault(key, where)


class Wrong(Exception):
    pass


def body_schema(operation):
    return operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")


def parse(data):
    """Returns the value of a JSON document, or NOT_READ if it is nested too deeply for this parser."""
    try:
        return json.loads(data)
    except RecursionError:
        return NOT_READ


def ask(method, route, parts=None, query=None, body=None, headers=None):
    """Sends a request for a documented path, and checks the answer. Returns the status and the answer's value."""
    operation = DOCUMENT["paths"][route][method.lower()]
    path = route
    for name, value in (parts or {}).items():
        path = path.replace("{%s}" % name, urllib.parse.quote(str(value), safe=""))
    if query:
        path += "?" + urllib.parse.urlencode(query, doseq=True)
    status, kind, data = send(method, path, body, headers)
    where = "%s %s: %d %s" % (method, path, status, kind)
    wanted = body_schema(operation)
    lines = (headers or {}).get("Content-Type") == "application/x-ndjson"
    if wanted and body is not None and not lines and status < 400 and parse(body) is not NOT_READ and not validator(wanted).is_valid(parse(body)):
        raise Wrong("%s: the accepted body does not match its schema" % where)
    response = operation["responses"].get(str(status))
    if response is None:
        if status < 400:
            raise Wrong("%s is not documented" % where)
        response = DOCUMENT["components"]["responses"]["Error"]
    if "content" not in response:
        if data:
            raise Wrong("%s has a body" % where)
        SEEN.setdefault(operation["operationId"], set()).add(str(status))
        return status, None
    if kind not in response["content"]:
        raise Wrong("%s: the type is not documented" % where)
    schema = response["content"][kind].get("schema")
    if status < 400:
        SEEN.setdefault(operation["operationId"], set()).add(str(status))
    if not kind.endswith("json"):
        return status, data
    value = parse(data)
    if schema is None:
        raise Wrong("%s: no schema" % where)
    if value is NOT_READ:
        return status, None
    errors = sorted(validator(schema).iter_errors(value), key=lambda e: len(e.path))
    if errors:
        e = deepest(errors[0])
        raise Wrong("%s: %s: %s" % (where, "/".join(str(p) for p in e.absolute_path), e.message[:500]))
    note_rows(value, schema)
    if status < 400:
        note_units(value, schema, where)
    return status, value


def expect(text, method, route, parts=None, query=None, status=200, **more):
    """Checks one request as a test. Returns the answer's value."""
    try:
        got, value = ask(method, route, parts, query, **more)
    except Wrong as e:
        check(False, text, e)
        return None
    check(got == status, text, "status %d: %s" % (got, value))
    return value


# --- content --------------------------------------------------------------------------------------


def upload(name, data, **query):
    status, value = ask("POST", "/v1/result-sets", None, {"name": os.path.basename(name), **query}, data)
    if status not in (200, 201):
        print("# %s: %s" % (name, value))
    return [s["inst_id"] for s in value["result_sets"]] if status in (200, 201) else []


def read(path):
    with open(os.path.join(CORPORA, path), "rb") as f:
        return f.read()


def load_all():
    found = []
    for path, looked_for in (("leaks/memcheck-leaks-gensupp.xml", "leaks,errors"), ("leaks/memcheck-errors.xml", "leaks,errors"),
                             ("leaks/helgrind.xml", "races"), ("leaks/heaptrack-leakonly.zst", "leaks,heap"),
                             ("miniprofiler/dotnet-4.1.0-mono/duplicates-nplus1.json", "spans")):
        found += upload(path, read(path), label=["branch=main", "odd=a b"], application="Shop", looked_for=looked_for)
    tar = os.path.join(TMP, "plain.tar")
    with tarfile.open(tar, "w") as t:
        t.add(os.path.join(CORPORA, "aqtime/plain"), "plain")
    with open(tar, "rb") as f:
        found += upload("plain.tar", f.read())
    for folder in ("chrome/real-marks-measures", "chrome/real-console", "speedscope/samples/node/10.11.0"):
        for where, _, names in os.walk(os.path.join(CORPORA, folder)):
            for name in sorted(names)[:4]:
                if name in ("expected.json", "summary.json"):
                    continue
                path = os.path.join(where, name)
                found += upload(name, read(path))
    return found


# --- routes -----------------------------------------------------------------------------------------


def simple(route, **query):
    return expect("%s has its schema" % route, "GET", route, None, query)


def check_lists():
    for route in ("/v1/health", "/v1/health/live", "/v1/whoami", "/v1/openapi.json", "/v1/formats", "/v1/reports",
                  "/v1/facets", "/v1/overview", "/v1/streams", "/v1/categories", "/v1/suppressions", "/v1/budgets", "/v1/retention-rules", "/v1/jobs",
                  "/api/getcategories", "/v1/metrics", "/"):
        simple(route)
    rows = simple("/v1/result-sets", limit=3)["result_sets"][0]["rows"]
    check(all(isinstance(r["labels"], dict) for r in rows), "labels are objects")


def check_reports(sets):
    """Runs every report on every result set, with every --by."""
    wrong, ran = [], 0
    for route, methods in DOCUMENT["paths"].items():
        if "/reports/" not in route:
            continue
        parameters = {p["name"]: p for p in methods["get"]["parameters"]}
        for by in parameters["by"]["schema"]["enum"] if "by" in parameters else [None]:
            for inst_id in sets:
                query = {"by": by} if by else {}
                if "top" in parameters:
                    query["top"] = 5
                if route.endswith("/trend"):
                    query["metric"] = "live_count"
                if route.endswith("/diff"):
                    query["base"] = sets[0]
                if route.endswith("/timings-trend"):
                    query["name"] = "*"
                if route.endswith("/stack"):
                    query["object"] = 1
                own = "{inst_id}" in route
                if not own:
                    query["set"] = inst_id
                try:
                    ask("GET", route, {"inst_id": inst_id} if own else None, query)
                    ran += 1
                except Wrong as e:
                    wrong.append(str(e))
    check(not wrong, "every report has its schema for every result set", "\n".join(wrong[:10]))
    print("# %d answers of reports" % ran)


def check_parameters(inst_id, other):
    """Checks that a report accepts the documented parameters and rejects those of other reports."""
    paths = {r: {p["name"]: p for p in m["get"]["parameters"]} for r, m in DOCUMENT["paths"].items()
             if r.startswith("/v1/result-sets/{inst_id}/reports/")}
    every = {n: p for parameters in paths.values() for n, p in parameters.items() if p["in"] == "query"}
    values = {"top": 5, "skip": 1, "track": 1, "metric": "live_count", "since": "2020-01-01", "until": "2030-01-01",
              "min_duration": 1, "slower_than": 1, "trivial": 1, "min_share": 1, "min_count": 1, "min_size": "1K", "base": inst_id,
              "match": "names", "status": "new", "get": 1, "statistic": "median", "object": 1, "error": 1,
              "like_devtools": "true", "normalise": "true", "no_suppressions": "true", "hide_standard_leaks": "true",
              "gen_suppressions": "lsan"}
    wrong = []
    for route, parameters in paths.items():
        for name in every:
            if name in ("by", "format", "sort"):  # these depend on the report
                continue
            answers = []
            for by in parameters["by"]["schema"]["enum"] if "by" in parameters else [None]:
                needed = {"stack": {"object": 1} if name != "error" else {}, "diff": {"base": other}, "trend": {"metric": "live_count"}}
                query = {**needed.get(route.rsplit("/", 1)[1], {}), **({"by": by} if by else {}), name: values.get(name, "x")}
                status, _, data = send("GET", route.replace("{inst_id}", str(inst_id)) + "?" + urllib.parse.urlencode(query))
                message = json.loads(data)["detail"] if status >= 400 else ""
                answers.append("does not take" not in message and "does not apply suppressions" not in message
                               and "is an HTML page" not in message)
            if any(answers) != (name in parameters):
                wrong.append("%s: %s is %sdocumented" % (route, name, "" if name in parameters else "not "))
    check(not wrong, "each report has exactly its own parameters", "\n".join(wrong))


def check_set(inst_id, other):
    part = {"inst_id": inst_id}
    one = "/v1/result-sets/{inst_id}"
    expect("a result set has its schema", "GET", one, part)
    expect("a name in the path has the same schema", "GET", one, {"inst_id": "label:branch=main"})
    expect("the reports of a result set have their schema", "GET", one + "/reports", part)
    for kind in ("json", "grafana", "svg", "folded"):
        expect("a flame graph as %s is documented" % kind, "GET", one + "/flame", part, {"format": kind})
    expect("a differential flame graph has its schema", "GET", one + "/flame", part, {"format": "json", "base": other})
    expect("a changed result set has its schema", "PATCH", one, part, body=b'{"labels": {"new": "x"}}')
    for by in ("stack", "class", "routine", "module", "own"):
        expect("a comparison by %s has its schema" % by, "GET", "/v1/diff", None, {"base": other, "new": inst_id, "by": by})
    expect("a trend has its schema", "GET", "/v1/trend", None, {"metric": "live_count"})
    budgets = {"comment": 1, "own": ["a*", "b"], "match": "lines", "budgets": [
        {"name": "none", "of": "leaks", "max_count": 0, "kind": "definite"}, {"name": "one", "of": "errors", "max_count": 10000},
        {"of": "leaks", "max_size_growth": "64K", "each": "class"}, {"of": "duration", "span": "*", "statistic": "p95", "max_value": "2s"}]}
    for kind in ("json", "text", "markdown", "junit", "sarif", "github"):
        expect("a check as %s has its schema" % kind, "POST", "/v1/check", None, {"set": inst_id, "base": other, "format": kind},
               body=json.dumps(budgets).encode())


def check_exports():
    """Exports every result set in every format. Not every result set can have every format."""
    listed = ask("GET", "/v1/result-sets")[1]["result_sets"][0]["rows"]
    for route in [r for r in DOCUMENT["paths"] if "/export/" in r]:
        done, wrong = 0, []
        for row in listed:
            try:
                done += ask("GET", route, {"inst_id": row["inst_id"]})[0] == 200
            except Wrong as e:
                wrong.append(e)
        check(done and not wrong, "exports as %s have their schema" % route.rsplit("/", 1)[1], (done, wrong))


def check_history():
    rows = expect("the history has its schema", "GET", "/v1/history", None, {"state": "all"})["result_sets"][0]["rows"]
    check(len(rows) > 0, "the history has findings", rows)
    part = {"finding": rows[0]["identity"]}
    expect("a review has its schema", "POST", "/v1/history/{finding}/reviews", part, status=201,
           body=b'{"status": "confirmed", "reason": "it is real", "author": "ann"}')
    expect("a finding has its schema", "GET", "/v1/history/{finding}", part)


def check_changes(leaks):
    made = expect("a new category has its schema", "POST", "/v1/categories", status=201,
                  body=b'{"name": "locks", "columns": [{"name": "wait", "type": "elapsed", "pretty_name": "Wait"}]}')
    check(made is not None and any(r["category"] == "locks" for r in made["result_sets"][0]["rows"]), "it is listed")
    stored = b'{"hostname":"a","time":"2026-01-31 17:00:00","offcputime":[{"process":"dd","pid":7,"stack":"a;b","elapsed":5}]}'
    kind = {"Content-Type": "application/json", "Idempotency-Key": "batch 1"}
    for again in ("a batch", "a repeated batch"):
        expect("%s has its schema" % again, "POST", "/v1/events", body=stored, headers=kind)
    expect("several batches have their schema", "POST", "/v1/events", body=b"[" + stored + b", " + stored.replace(b':7', b':"8"') + b"]",
           headers={"Content-Type": "application/json"})
    expect("batches as lines are documented", "POST", "/v1/events", body=stored + b"\n" + stored,
           headers={"Content-Type": "application/x-ndjson"})
    condition = {"pid": 7, "expr": ">="}
    group = {"conditions": [condition, {"oper": "or", "conditions": [condition, {"process": "dd", "expr": "contains"}]}], "oper": "and"}
    for text, query in (
            ("rows", {}), ("groups", {"group_by": ["process"]}), ("a graph", {"format": "flamegraph"}), ("frames", {"format": "grafana"}),
            ("a page", {"columns": ["pid", "stack"], "limit": 1, "constraints": [group], "from": 0, "until": "2030-01-01"}),
            ("sorted rows", {"order": "-pid", "offset": 1, "limit": 3}), ("groups of time", {"bucket": 60, "group_by": ["pid"]}),
            ("a comparison", {"format": "grafana", "compare": {"until": 100}, "max_nodes": 9, "invert": True, "weight": "elapsed"}),
            ("stacks", {"format": "folded"}), ("a picture", {"format": "svg"}), ("a page in HTML", {"format": "html"})):
        answer = expect("events as %s have their schema" % text, "POST", "/v1/categories/{category}/query", {"category": "offcputime"},
                        body=json.dumps(query).encode(), headers={"Content-Type": "application/json"})
    query = {"limit": 1, "after": "0:0"}
    answer = expect("a page has its schema", "POST", "/v1/categories/{category}/query", {"category": "offcputime"},
                    body=json.dumps(query).encode())
    check(answer["more"] and "next" in answer, "the page has a next one", answer)
    expect("values of a column have their schema", "GET", "/v1/categories/{category}/values/{column}",
           {"category": "offcputime", "column": "process"})
    expect("the filled category is listed", "GET", "/v1/categories")
    for more in (b"", b', "format": "flamegraph"', b', "limit": "2", "constraints": []'):
        expect("kernelscope's query is documented", "POST", "/api", body=b'{"offcputime": {"elements": ["stack", "elapsed"]' + more + b"}}")
    expect("kernelscope's query without columns is documented", "POST", "/api", body=b'{"offcputime": {"elements": []}}')
    expect("kernelscope's GET is documented", "GET", "/api", status=404)
    expect("kernelscope's PUT is documented", "PUT", "/api", body=b"{}", status=501)
    expect("a category can be deleted", "DELETE", "/v1/categories/{name}", {"name": "locks"}, status=204)
    check_profiles()
    added = expect("new suppressions have their schema", "POST", "/v1/suppressions", None, {"reason": "known", "expires": "2030-01-01"},
                   status=201, body=b"leak:main\n")
    expect("the suppression is listed", "GET", "/v1/suppressions")
    expect("leaks with suppressions have their schema", "GET", "/v1/result-sets/{inst_id}/reports/leaks", {"inst_id": leaks})
    expect("suppressions as a file are documented", "GET", "/v1/suppressions", None, {"format": "file"})
    budgets = b'{"own": "orders*", "budgets": [{"name": "few leaks", "of": "leaks", "class": ["T*"], "max_count": 3, "max_size": "1M"}]}'
    expect("budgets can be stored", "PUT", "/v1/budgets", None, {"application": "A", "author": "ann", "version": 0}, body=budgets)
    expect("a change of another version is documented", "PUT", "/v1/budgets", None, {"application": "A", "version": 0}, status=409, body=budgets)
    expect("the budgets are listed", "GET", "/v1/budgets")
    expect("a check with the depot's budgets has its schema", "POST", "/v1/check", None, {"set": leaks, "against": "history"})
    expect("budgets can be deleted", "DELETE", "/v1/budgets", None, {"application": "A"}, status=204)
    rule = expect("a new retention rule has its schema", "POST", "/v1/retention-rules", status=201,
                  body=b'{"older_than": "30d", "keep": 20, "application": "A", "format": "valgrind", "labels": {"branch": "main"}}')
    expect("the retention rules are listed", "GET", "/v1/retention-rules")
    expect("a changed retention rule has its schema", "PUT", "/v1/retention-rules/{rule}", {"rule": rule["rule"]}, body=b'{"keep": 1}')
    expect("a retention rule can be deleted", "DELETE", "/v1/retention-rules/{rule}", {"rule": rule["rule"]}, status=204)
    expect("a suppression can be deleted", "DELETE", "/v1/suppressions/{id}", {"id": added[0]["id"]}, status=204)


def check_profiles():
    """Posts profiles of all clients. Profiles that the server accepts must match their schema."""
    kind = {"Content-Type": "application/json"}
    posted, wrong = 0, []
    for where, _, names in os.walk(os.path.join(CORPORA, "miniprofiler")):
        for name in sorted(names)[:12]:
            path = os.path.join(where, name)
            if not name.endswith(".json") or os.path.getsize(path) > 1000000:
                continue
            try:
                posted += ask("POST", "/v1/profiles/miniprofiler", None, None, read(path), kind)[0] == 200
            except (Wrong, ValueError) as e:
                wrong.append("%s: %s" % (path, e))
    check(posted > 5 and not wrong, "profiles of all clients match the schema (%d)" % posted, "\n".join(wrong))
    profile = read("miniprofiler/dotnet-4.1.0-mono/duplicates-nplus1.json")
    known = json.loads(profile)
    timings = {"Id": known.get("Id") or known.get("id"), "Performance": [{"Name": "a", "Start": 1, "Duration": 2.5}], "RedirectCount": 0}
    expect("a profile has its schema", "POST", "/v1/profiles/miniprofiler", body=profile, headers=kind)
    expect("a page's timings have their schema", "POST", "/v1/profiles/miniprofiler", body=json.dumps(timings).encode(), headers=kind)


def wrong_bodies(name, schema):
    """Yields bodies, many of which the schema rejects."""
    base = {"TokenWanted": {"name": "x", "scopes": ["read"]}, "CategoryWanted": {"name": "x", "columns": [{"name": "a", "type": "int"}]},
            "Budgets": {"budgets": [{"of": "leaks", "max_count": 0}]}, "ReviewWanted": {"status": "open", "reason": "x"},
            "RetentionRuleWanted": {"keep": 1}}.get(name, {})
    yield from ({"unknown": 1}, [7], "text", 7, None)
    for key in schema.get("properties", {}):
        for value in (7, "x", [1], {"a": 1}, True, -1):
            yield {**base, key: value}
    if name == "Budgets":
        for key in DOCUMENT["components"]["schemas"]["Budget"]["properties"]:
            for value in (-7, "x y", [1], {"a": 1}, True, []):
                yield {"budgets": [{"of": "leaks", "max_count": 0, key: value}]}
    if name == "EventQuery":
        for group in ({}, {"conditions": 7}, {"conditions": [{}]}, {"conditions": [{"pid": 7, "expr": "~"}]}, {"conditions": [], "x": 1},
                      {"conditions": [{"pid": [], "expr": "="}]}, {"conditions": [{"pid": 7, "expr": "="}] * 2, "oper": "xor"}):
            yield {"constraints": [group]}
    if name == "EventBatches":
        for more in ({"hostname": 7}, {"time": None}, {"offcputime": 7}, {"offcputime": [{"pid": [7]}]}, {"offcputime": [{"pid": 1.5}]}):
            yield {"hostname": "a", "time": 1, "offcputime": [], **more}


def check_bodies(inst_id):
    """Sends bodies that their schemas reject. The server must reject them, too."""
    described = 0
    for route, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            wanted = body_schema(operation)
            if not wanted or route == "/api":  # kernelscope ignores what it does not know
                continue
            described += 1
            name = wanted["$ref"].rsplit("/", 1)[1]
            parts = {"inst_id": inst_id, "finding": "0", "category": "offcputime"}
            sent, accepted = 0, []
            for body in wrong_bodies(name, DOCUMENT["components"]["schemas"][name]):
                if validator(wanted).is_valid(body):
                    continue
                sent += 1
                status, _ = ask(method.upper(), route, parts, None, json.dumps(body).encode(), {"Content-Type": "application/json"})
                if not 400 <= status < 500:
                    accepted.append("%d: %s" % (status, body))
            check(sent > 1 and not accepted, "%s %s rejects what its schema rejects (%d bodies)" % (method, route, sent),
                  "\n".join(accepted))
    check(described == 12, "all bodies in JSON have schemas", described)


def check_access():
    expect("a session has its schema", "POST", "/v1/session", body=json.dumps({"token": TOKEN}).encode())
    expect("a session can end", "DELETE", "/v1/session", status=204)
    expect("a new token has its schema", "POST", "/v1/tokens", status=201, body=b'{"name": "ci", "scopes": ["read"]}')
    expect("the list of tokens has its schema", "GET", "/v1/tokens")
    expect("a token can be revoked", "DELETE", "/v1/tokens/{name}", {"name": "ci"}, status=204)
    for query in (b"select 1 as one, 'x' as text, null as nothing", b"select 1 where false"):
        expect("the answer to %s has its schema" % query.decode(), "POST", "/v1/sql", body=query, headers={"Content-Type": "text/plain"})


def check_jobs():
    job = expect("a job has its schema", "POST", "/v1/result-sets", None, {"async": "true", "name": "a.xml"}, status=202,
                 body=read("leaks/memcheck-perl.xml"))
    for _ in range(300):
        state = ask("GET", "/v1/jobs/{id}", {"id": job["id"]})[1]
        if state["state"] not in ("queued", "running"):
            break
        time.sleep(0.1)
    check(state["state"] == "done" and "result" in state, "the finished job has its schema", state)
    expect("a known file has its schema", "POST", "/v1/result-sets", None, {"name": "a.xml"}, body=read("leaks/memcheck-perl.xml"))
    failed = ask("POST", "/v1/result-sets", None, {"async": "true"}, b"no format")[1]
    time.sleep(1)
    expect("a failed job has its schema", "GET", "/v1/jobs/{id}", {"id": failed["id"]})
    expect("the list of jobs has its schema", "GET", "/v1/jobs")
    expect("a job can be removed", "DELETE", "/v1/jobs/{id}", {"id": job["id"]}, status=204)
    expect("a result set can be deleted", "DELETE", "/v1/result-sets/{inst_id}",
           {"inst_id": state["result"]["result_sets"][0]["inst_id"]}, status=204)
    error = expect("an error has its schema", "GET", "/v1/result-sets/{inst_id}", {"inst_id": 999999}, status=404)
    check(error["code"] == "not-found" and error["type"].endswith(":" + error["code"]), "an error has a code", error)


def main():
    global DOCUMENT
    DOCUMENT = json.loads(send("GET", "/v1/openapi.json")[2])
    for name, schema in DOCUMENT["components"]["schemas"].items():
        jsonschema.Draft202012Validator.check_schema(schema)
    sets = load_all()
    check(len(sets) > 6, "result sets are loaded", sets)
    check_lists()
    check_access()
    check_bodies(1)
    check_set(sets[1], sets[0])
    check_changes(sets[0])
    check_history()
    check_reports(sets)
    check_exports()
    check_parameters(sets[0], sets[1])
    check_jobs()
    check(not WITHOUT_UNIT, "every number has a unit", WITHOUT_UNIT)
    # A static file has no schema. A job is cancelled only if the request comes early enough.
    missing = [o["operationId"] for m in DOCUMENT["paths"].values() for o in m.values()
               if o["operationId"] not in SEEN and o["operationId"] not in ("get_web_file", "get_api", "put_api")]
    check(not missing, "each operation has been answered", missing)
    rows = {n[:-3] for n, s in DOCUMENT["components"]["schemas"].items() if n.endswith("Row") and "properties" in s}
    print("# tables without a row in this test: %s" % ", ".join(sorted(rows - FILLED)))
    print("# the description has %d bytes, %d compressed" % (len(json.dumps(DOCUMENT)), len(gzip.compress(json.dumps(DOCUMENT).encode()))))


main()
