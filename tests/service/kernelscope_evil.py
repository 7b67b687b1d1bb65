#!/usr/bin/env python3
"""Puts texts with a special meaning in SQL, JSON or LIKE patterns into every part of a query.

    kernelscope_evil.py BASE      prints one TAP line per query

The server must have events that contain none of these texts.
"""
import http.client
import json
import sys
import urllib.parse

EVIL = ["'; drop table profdepot.instances; --", '"', "$1 $$", "%_", "\\'", "x' or '1'='1", ") or (1=1 /*",
        "\0", "\ud800\u001a0000", "\u65e5\u672c", "a" * 100000]
V1 = "/v1/categories/offcputime/query"


def ask(connection, path, question):
    connection.request("POST", path, json.dumps(question).encode(), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def group(column, value, expr, oper="and"):
    return [{"oper": oper, "conditions": [{column: value, "expr": expr}, {"pid": 1, "expr": ">="}]}]


def questions(evil):
    """Yields (name, path, body, check); check(status, answer) must be true."""
    nothing = lambda s, a: s == 200 and a == {"offcputime": []}
    refused = lambda s, a: s == 400 and a["error"]["status"] == 400
    for expr in ("=", "contains"):
        conditions = [{column: evil, "expr": expr} for column in ("process", "hostname", "stack", "time", "pid")]
        yield (expr, "/api", {"offcputime": {"elements": ["pid"], "constraints": [
            {"oper": "or", "conditions": conditions}]}}, nothing)
    yield "category", "/api", {evil: {"elements": ["pid"]}}, lambda s, a: (s, a) == (200, {})
    yield ("element", "/api", {"offcputime": {"elements": [evil]}},
           lambda s, a: (s, a) == (200, {"offcputime": {}}))
    yield ("format", "/api", {"offcputime": {"elements": ["pid"], "limit": 1, "format": evil}},
           lambda s, a: s == 200 and len(a["offcputime"]) == 1)
    yield "oper", "/api", {"offcputime": {"elements": ["pid"], "constraints": group("pid", 1, "=", evil)}}, refused
    yield "limit", "/api", {"offcputime": {"elements": ["pid"], "limit": evil}}, refused
    yield "weight", "/api", {"offcputime": {"elements": ["stack"], "format": "flamegraph", "weight": evil}}, refused
    for field in ("columns", "group_by"):
        yield f"v1 {field}", V1, {field: [evil]}, refused
    for field in ("order", "format", "weight", "after", "from", "until", "limit", "bucket", evil):
        yield f"v1 {field[:10]!a}", V1, {field: evil}, refused
    yield "v1 oper", V1, {"constraints": group("pid", 1, "=", evil)}, refused
    yield "v1 expr", V1, {"constraints": group("pid", 1, evil)}, refused
    yield "v1 column", V1, {"constraints": group(evil, 1, "=")}, refused


def main():
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(sys.argv[1]).netloc, timeout=60)
    for evil in EVIL:
        for what, path, question, holds in questions(evil):
            status, answer = ask(connection, path, question)
            good = holds(status, answer)
            print(f"{'ok' if good else 'not ok'} 0 - {what}: {evil[:50]!a}")
            if not good:
                print(f"# {status} {json.dumps(answer)[:400]}")


main()
