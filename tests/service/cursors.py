#!/usr/bin/env python3
"""Reads lists page by page while their rows change.

    cursors.py sets URL QUERY LIMIT [SQL]    prints a summary; SQL runs after each page, with the page's number for %d
    cursors.py jobs URL LIMIT                uploads a file after each page, and removes one listed job per page

Ends with status 1 if a page repeats a row, or if the pages omit a row that was there all the time.
"""
import json
import subprocess
import sys
import urllib.request


def get(url, method="GET", data=None):
    with urllib.request.urlopen(urllib.request.Request(url, data=data, method=method)) as answer:
        text = answer.read()
        return json.loads(text) if text else None, answer.headers


def psql(sql):
    return subprocess.run(["psql", "-XqAt", "-c", "set search_path = profdepot; " + sql], check=True, capture_output=True,
                          text=True).stdout.split()


def pages(base, path):
    """Yields the answers and follows the links."""
    while path:
        answer, headers = get(base + path)
        yield answer
        link = headers.get("Link", "")
        path = link[1:link.index(">")] if link else None
        if path and "cursor=" + headers["Profdepot-Next"] not in path:
            sys.exit("the two headers differ: %s" % headers)


def check(before, after, seen):
    if len(seen) != len(set(seen)):
        sys.exit("%d rows were repeated" % (len(seen) - len(set(seen))))
    omitted = before & after - set(seen)
    if omitted:
        sys.exit("%d rows were omitted, such as %s" % (len(omitted), sorted(omitted)[:5]))
    print("%d rows once each; %d stayed, %d were removed, %d were added" %
          (len(seen), len(before & after), len(before - after), len(after - before)))


def sets(base, query, limit, sql=None):
    ids = "select inst_id from instances"
    before = set(psql(ids))
    seen = []
    for n, answer in enumerate(pages(base, "/v1/result-sets?%s&limit=%s" % (query, limit))):
        seen += [str(r["inst_id"]) for s in answer["result_sets"] for r in s["rows"]]
        if sql:
            psql(sql.replace("%d", str(n)))
    check(before, set(psql(ids)), seen)


def jobs(base, limit):
    before = {j["id"] for j in get(base + "/v1/jobs?limit=1000")[0]}
    seen = []
    for n, answer in enumerate(pages(base, "/v1/jobs?limit=" + limit)):
        seen += [j["id"] for j in answer]
        get(base + "/v1/result-sets?name=new%d" % n, "POST", b"main;new %d\n" % (n + 1))
        # The last row of a page is the one that its cursor names.
        if answer:
            get(base + "/v1/jobs/" + answer[-1]["id"], "DELETE")
    check(before, {j["id"] for j in get(base + "/v1/jobs?limit=1000")[0]}, seen)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
