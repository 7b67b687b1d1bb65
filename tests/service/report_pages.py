#!/usr/bin/env python3
"""Reads every report page by page, and compares the pages with the whole report.

    report_pages.py URL SQL    prints a summary; SQL runs after every tenth page

Each report that has cursors runs on each result set with each --by, and on the first of them also sorted by each column. Ends with
status 1 if the pages repeat or omit rows.
"""
import json
import sys
import urllib.error
import urllib.parse

from cursors import get, pages, psql

BASE = sys.argv[1]
SQL = sys.argv[2]
READ = 0


def rows_of(answer):
    return [s["rows"] for s in answer["result_sets"]]


def whole(path):
    """Returns the rows of each result set; None if the result set cannot have this report."""
    try:
        return rows_of(get(BASE + path)[0])
    except urllib.error.HTTPError as e:
        if e.code in (400, 404):
            return None
        raise


def check(path, size):
    """Compares pages of this size with the whole report. Returns whether the result set has it."""
    global READ
    expected = whole(path)
    if expected is None:
        return False
    size = size or max(1, max((len(r) for r in expected), default=0) // 3)
    found = [[] for _ in expected]
    for answer in pages(BASE, "%s%stop=%d" % (path, "&" if "?" in path else "?", size)):
        for rows, more in zip(found, rows_of(answer)):
            rows += more
        READ += 1
        if READ % 10 == 0:
            psql(SQL.replace("N", str(READ)))
    if found != expected:
        wrong = next((n, i, a, b) for n, (x, y) in enumerate(zip(found, expected))
                     for i, (a, b) in enumerate(zip(x + [None] * len(y), y + [None] * len(x))) if a != b)
        sys.exit("%s: in result set %d, row %d of the pages is\n%s\nbut should be\n%s" % ((path,) + wrong))
    return True


def main():
    document = get(BASE + "/v1/openapi.json")[0]
    listed = [r["inst_id"] for r in get(BASE + "/v1/result-sets")[0]["result_sets"][0]["rows"]]
    done = 0
    for route, methods in document["paths"].items():
        parameters = {p["name"]: p for p in methods.get("get", {}).get("parameters", [])}
        if "cursor" not in parameters or not route.startswith("/v1/result-sets/{inst_id}/reports/"):
            continue
        for by in parameters["by"]["schema"]["enum"] if "by" in parameters else [None]:
            sorted_before = False
            for inst_id in listed:
                query = {"by": by} if by else {}
                if route.endswith("/diff"):
                    query["base"] = listed[-1]
                path = route.replace("{inst_id}", str(inst_id))
                first = whole(path + "?" + urllib.parse.urlencode(query))
                if not first or len(first[0]) < 2:
                    continue
                keys = [k for k, v in first[0][0].items() if not isinstance(v, (list, dict))]
                for n, key in enumerate([None] + ([] if sorted_before else keys)):
                    if key:
                        query["sort"] = key + (":desc" if n % 2 else ":asc")
                    done += check(path + "?" + urllib.parse.urlencode(query), None)
                sorted_before = True
    done += check("/v1/reports/leaks?" + "&".join("set=%d" % i for i in listed[:3]), 2)
    if READ < 2 * done:
        sys.exit("%d reports had only %d pages" % (done, READ))
    print("%d reports with %d pages" % (done, READ))


if __name__ == "__main__":
    main()
