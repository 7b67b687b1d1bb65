#!/usr/bin/env python3
"""Sends kernelscope's recorded queries to a server and compares the answers as JSON values.

    kernelscope_play.py CASES BASE      prints one TAP line per case

The server must have the events of events.json. The expected answer depends on a case's class:
- contract, observed, quirk: the recorded status and JSON value, unless DECIDED has another answer;
- quirk without a recorded answer: one JSON error;
- defect: the answer in RIGHT, or else one JSON error.
"""
import http.client
import json
import sys
import urllib.parse

# Cases in which profdepot's answer intentionally differs from the recorded answer, with the expected status or answer.
DECIDED = {
    # A value is literal text: % and _ are not wildcards.
    "049-contains-percent-is-wildcard": {"offcputime": []},
    "050-contains-underscore-is-wildcard": {"offcputime": []},
    # Text compared with a number matches nothing.
    "035-op-lt-int-nonnumeric": {"offcputime": []},
    # Times are compared as times, whatever character separates the date from the time of day.
    "064-time-iso-T-format": {"offcputime": []},
    # An incomplete time is compared as text, so it works as a prefix.
    "066-time-bare-year-lt": 18,
    # Conditions without oper are joined by "and"; groups may be nested.
    "076-two-conditions-no-oper": {"offcputime": []},
    "077-nested-constraints": [1234, 1234, 4321],
    "078-nested-plus-plain": {"offcputime": []},
    # The weight is the column of elapsed time, or the column that "weight" names.
    "111-flame-weight-pid": 3,
    "113-flame-pid-and-elapsed": 124462,
}
# Cases in which the recorded answer has the right content, but an invalid header; the value is the expected content.
RIGHT = {
    "045-op-eq-int-beyond-int64": {"offcputime": []},
    "057-contains-int-value": [2001, 2002, 2003],
    "073-two-groups-or-precedence": [1234, 2001, 4321],
    "074-two-or-groups-precedence": [1234],
    "090-empty-group-last": {"offcputime": [{"process": "recur", "pid": 89}]},
    "091-bad-operator-group-last": {"offcputime": [{"process": "recur", "pid": 89}]},
    "116-flame-first-row-single-frame": 39,
    "138-body-utf8-bom": [1234],
    "142-chunked-body": [1234],
    "143-gzip-body": [1234],
}


def ask(base, method, path, body, headers):
    address = urllib.parse.urlsplit(base).netloc
    connection = http.client.HTTPConnection(address, timeout=60)
    # http.client sends a path unchanged; urllib would remove "../".
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    connection.putheader("Host", address)
    for name, value in headers:
        if name.lower() not in ("host", "connection"):
            connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    try:
        return answer.status, json.loads(text)
    except ValueError:
        return answer.status, None


def body_of(case):
    if ("Transfer-Encoding", "chunked") in map(tuple, case.get("request_headers") or []):
        # The recorded chunk has a wrong size. The case needs the correct size.
        body = case["request_raw_latin1"].split("\r\n")[1]
        return f"{len(body):x}\r\n{body}\r\n0\r\n\r\n".encode("latin-1")
    if "request_raw_latin1" in case:
        return case["request_raw_latin1"].encode("latin-1")
    if case["method"] in ("POST", "PUT"):
        return json.dumps(case["request"]).encode()
    return b""


def headers_of(case, body):
    """Returns the recorded headers with the length of this body, because the recorded body was spelled differently."""
    found = []
    for name, value in case.get("request_headers") or []:
        if name.lower() == "content-length":
            value = str(len(body))
        found.append((name, value))
    return found


def is_error(status, answer):
    return (status >= 400 and isinstance(answer, dict) and isinstance(answer.get("error"), dict)
            and answer["error"].get("status") == status and answer["error"].get("message"))


def matches(expected, status, answer):
    """`expected` is a status, a number of rows or the root's value, a list of pids, or the whole answer."""
    if isinstance(expected, int) and expected >= 400 and expected < 600:
        return status == expected and is_error(status, answer)
    if status != 200:
        return False
    if isinstance(expected, int):
        if "value" in answer:
            return answer["value"] == expected
        return len(answer["offcputime"]) == expected
    if isinstance(expected, list):
        return [row["pid"] for row in answer["offcputime"]] == expected
    return answer == expected


def judge(case, status, answer):
    name, kind = case["name"], case["class"]
    if name in DECIDED:
        return matches(DECIDED[name], status, answer)
    if kind == "defect":
        if name in RIGHT:
            return matches(RIGHT[name], status, answer)
        return is_error(status, answer)
    if kind == "quirk" and case["response"] is None:
        return is_error(status, answer)
    if status != case["recorded_status"]:
        return False
    if case["response"] is None:
        return status == 200 or is_error(status, answer)
    return answer == case["response"]


# Cases without a Content-Length or with a wrong one; they are skipped, because this client always sends the right one.
SOCKET_CASES = ("141-no-content-length", "144-content-length-too-long")


def main():
    cases, base = sys.argv[1], sys.argv[2]
    count = failed = 0
    for line in open(cases, encoding="utf-8"):
        case = json.loads(line)
        if case["endpoint"] != "query" or case["name"] in SOCKET_CASES:
            continue
        body = body_of(case)
        status, answer = ask(base, case["method"], case["path"], body, headers_of(case, body))
        count += 1
        good = judge(case, status, answer)
        failed += not good
        print(f"{'ok' if good else 'not ok'} {count} - {case['class']} {case['name']}")
        if not good:
            print(f"# {status} {json.dumps(answer)[:600]}")
    print(f"# {count} cases, {failed} failed")
    return 1 if failed or count == 0 else 0


sys.exit(main())
