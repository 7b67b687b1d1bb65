"""Runs simultaneous clients that post batches of events and log which batches are acknowledged.

    live_stream.py PATH OUT SECONDS CLIENTS EVENTS ADDRESS...

In PATH, the text NAME is replaced by the batch's name.

Batch N of client C has EVENTS events of the process "pC-N". OUT gets one line per batch: "ok NAME" if it was
acknowledged, "doubt NAME" if the connection ended before the answer, or "no NAME STATUS ANSWER" if it was refused.
If a server does not answer, the client tries again until the time is over. ADDRESS is HOST:PORT or a file that
contains HOST:PORT. SIGTERM ends the time early: each client still waits for its answer.
"""
import http.client
import json
import os
import signal
import sys
import threading
import time

path, out, seconds, clients, events = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
addresses = sys.argv[6:]
until = time.time() + seconds
lock = threading.Lock()
log = open(out, "a", buffering=1)


def end(*_):
    global until
    until = 0


signal.signal(signal.SIGTERM, end)


def address(i):
    a = addresses[i % len(addresses)]
    if os.path.exists(a):
        a = open(a).read().strip()
    return a


def body(client, n):
    rows = [
        {"process": "p%d-%d" % (client, n), "pid": i % 7, "stack": "f%d;g%d;h" % (i % 13, n % 5), "elapsed": i}
        for i in range(events)
    ]
    return json.dumps({"hostname": "h%d" % (client % 3), "time": "2026-01-31 17:00:00.5", "offcputime": rows})


def run(client):
    n = 0
    connection = None
    while time.time() < until:
        name = "p%d-%d" % (client, n)
        sent = False
        try:
            if connection is None:
                host, port = address(client).rsplit(":", 1)
                connection = http.client.HTTPConnection(host, int(port), timeout=60)
                connection.connect()
            sent = True
            connection.request("POST", path.replace("NAME", name), body(client, n), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
            said = "ok " + name if answer.status == 200 else "no %s %d %r" % (name, answer.status, text)
        except (OSError, http.client.HTTPException, ValueError):
            connection = None
            if not sent:
                time.sleep(0.05)
                continue
            said = "doubt " + name
        with lock:
            log.write(said + "\n")
        n += 1


threads = [threading.Thread(target=run, args=(c,)) for c in range(clients)]
for t in threads:
    t.start()
for t in threads:
    t.join()
