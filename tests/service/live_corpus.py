"""Sends the requests that were recorded with kernelscope's logger to profdepot's logger.

    live_corpus.py CASES ADDRESS

Prints "ok NAME" or "not ok NAME: WHY" for each case. Compares the stored events with the expected events, and
removes them after each case, while the server runs.
"""
import json
import os
import socket
import subprocess
import sys

cases, address = sys.argv[1], sys.argv[2]
host, port = address.rsplit(":", 1)
columns = ["hostname", "time", "process", "pid", "stack", "elapsed"]
# Cases that recorded a defect of the original logger. profdepot does not have the defect, so it must
# store the body.
stored_defects = {"gzip-body", "deep-stack-1200"}
# Odd requests that the logger accepts, with the status. All other odd requests are rejected.
kept_quirks = {
    "unknown-category": 200, "float-integral": 200, "time-garbage": 200, "time-integer": 200,
    "time-numeric-string": 200, "nul-character": 200, "lone-surrogate": 200, "numeric-hostname-flamegraph": 200,
    "semicolon-process-flamegraph": 200, "body-array": 200,
}


def sql(text):
    return subprocess.run(
        ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", "set search_path = profdepot", "-c", text],
        check=True, capture_output=True, text=True).stdout


def send(case):
    if "request_raw_latin1" in case:
        body = case["request_raw_latin1"].encode("latin-1")
    elif case["request"] is None:
        body = b""
    else:
        body = json.dumps(case["request"]).encode()
    head = "%s %s HTTP/1.1\r\n" % (case["method"], case["path"])
    for name, value in case["request_headers"]:
        if name.lower() == "content-length":
            value = len(body)
        head += "%s: %s\r\n" % (name, value)
    s = socket.create_connection((host, int(port)), timeout=20)
    s.sendall(head.encode() + b"Connection: close\r\n\r\n" + body)
    answer = b""
    while True:
        part = s.recv(65536)
        if not part:
            break
        answer += part
    s.close()
    head, _, rest = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), rest


def stored():
    text = sql("select coalesce(json_agg(json_build_object('hostname', hostname, 'time', time_text, 'process', process,"
               " 'pid', pid, 'stack', stack, 'elapsed', elapsed) order by id), '[]') from offcputime")
    return json.loads(text)


def remove():
    for inst in sql("select inst_id from instances").split():
        subprocess.run([os.environ["PROFDEPOT"], "rm", inst], check=True, capture_output=True)


def judge(case):
    kind = case["class"]
    name = case["name"].split("-ingest-")[-1]
    status, rest = send(case)
    rows = stored()
    expected = (case.get("followup_response") or {}).get("offcputime")
    if kind in ("contract", "observed"):
        if status != case["recorded_status"]:
            return "status %d" % status
        if status == 200 and rest:
            return "a body: %r" % rest[:80]
        if isinstance(expected, list) and rows != expected:
            return "stored %s" % json.dumps(rows)[:300]
    elif kind == "defect" and name not in stored_defects:
        if status < 400 or rows or b'"error"' not in rest:
            return "status %d, %d rows" % (status, len(rows))
    elif kind == "defect":
        if status != 200 or len(rows) != 1:
            return "status %d, %d rows" % (status, len(rows))
    elif kept_quirks.get(name) == 200:
        if status != 200:
            return "status %d" % status
    elif status < 400 or rows:
        return "status %d, %d rows: %s" % (status, len(rows), name)
    return None


for line in open(cases):
    case = json.loads(line)
    if case["endpoint"] != "logger":
        continue
    why = judge(case)
    print("ok" if why is None else "not ok", case["name"] + ("" if why is None else ": " + why), flush=True)
    remove()
