#!/usr/bin/env python3
"""Reads a list page by page while its rows change, and prints a summary.

    cursors.py sets URL QUERY LIMIT [SQL]    the list of result sets; SQL runs after each page, with the page's number
                                             for %d, and the INST_ID of its last row for %last
    cursors.py jobs URL LIMIT                the list of jobs; after each page, its last job is removed, and a file is uploaded

Ends with status 1 if a page repeats a row, or if the pages omit a row that was there all the time.
"""
import json
import subprocess
import sys
import urllib.request


def get(url):
    with urllib.request.urlopen(url) as answer:
        return json.loads(answer.read()), answer.headers


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
            psql(sql.replace("%d", str(n)).replace("%last", seen[-1]))
    check(before, set(psql(ids)), seen)


def jobs(base, limit):
    def listed():
        return {j["id"] for j in get(base + "/v1/jobs?limit=1000")[0]}

    def send(method, path, body=None):
        urllib.request.urlopen(urllib.request.Request(base + path, data=body, method=method)).close()

    before = listed()
    seen = []
    for answer in pages(base, "/v1/jobs?limit=" + limit):
        seen += [j["id"] for j in answer]
        send("DELETE", "/v1/jobs/" + seen[-1])
        send("POST", "/v1/result-sets?name=a.folded", b"main;work 7")
    check(before, listed(), seen)


if __name__ == "__main__":
    {"sets": sets, "jobs": jobs}[sys.argv[1]](*sys.argv[2:])
