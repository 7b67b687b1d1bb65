#!/usr/bin/env python3
"""A client that behaves badly, for tests of the server.

    client.py WHAT HOST PORT [ARGUMENT...]

If the server fails a check, the client prints the failure and ends with status 1.
"""
import errno
import json
import os
import random
import resource
import select
import socket
import ssl
import sys
import time
import weakref

# Bytes that were received after the end of an answer; they begin the next answer.
AHEAD = weakref.WeakKeyDictionary()

HEALTH = b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Trouble(Exception):
    pass


def connect(at, timeout=20):
    s = socket.create_connection(at, timeout=timeout)
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return s


def read_answer(s, method="GET"):
    """Returns (status, headers, body), or None if the connection ends before an answer begins."""
    data = AHEAD.pop(s, b"")
    while b"\r\n\r\n" not in data:
        try:
            block = s.recv(65536)
        except OSError as e:
            if e.errno not in (errno.ECONNRESET, errno.ENOTCONN):
                raise
            block = b""
        if not block:
            if data:
                raise Trouble("an answer was cut off: %r" % data[:200])
            return None
        data += block
    head, body = data.split(b"\r\n\r\n", 1)
    lines = head.decode("latin-1").split("\r\n")
    headers = {k.lower(): v for k, v in (x.split(": ", 1) for x in lines[1:])}
    status = int(lines[0].split()[1])
    if status == 100:
        AHEAD[s] = body
        return read_answer(s)
    length = int(headers.get("content-length", 0)) if method != "HEAD" else 0
    while len(body) < length:
        block = s.recv(65536)
        if not block:
            raise Trouble("the body of an answer was cut off")
        body += block
    if len(body) > length:
        AHEAD[s] = body[length:]
    return status, headers, body[:length]


def read_all(s):
    """Returns all bytes that the server sends until it closes the connection."""
    data = AHEAD.pop(s, b"")
    try:
        while block := s.recv(65536):
            data += block
    except ConnectionResetError:
        pass
    return data


def ask(at, data, end=False):
    """Sends the bytes and returns the answer; if end is true, also shuts down the sending side, as nc does."""
    s = connect(at)
    try:
        try:
            s.sendall(data)
            if end:
                s.shutdown(socket.SHUT_WR)
        except OSError as e:
            if e.errno not in (errno.EPIPE, errno.ECONNRESET, errno.ENOTCONN):
                raise
        return read_answer(s)
    finally:
        s.close()


def expect_json_error(answer, what, statuses=None):
    if answer is None:
        return
    status, headers, body = answer
    if status < 400 or status >= 600 or status == 500:
        raise Trouble("%s: status %d" % (what, status))
    if statuses and status not in statuses:
        raise Trouble("%s: status %d, not one of %s" % (what, status, statuses))
    if headers.get("content-type", "").startswith(("application/json", "application/problem+json")):
        json.loads(body.decode("utf-8"))["error"]["message"]


def check_alive(at, what=""):
    answer = ask(at, HEALTH)
    if not answer or answer[0] != 200:
        raise Trouble("health is %r after %s" % (answer, what))


def samples(paths):
    body = b'{"statement": "x", "data": [1, 2, "\xc3\xa4"]}'
    out = [
        HEALTH,
        b"GET /v1/health?a=b%20c HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n",
        b"HEAD /v1/health HTTP/1.0\r\n\r\n",
    ]
    for path in paths:
        head = b"POST " + path.encode() + b" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        out.append(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        out.append(head + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n")
    return out


def send(at, data):
    s = connect(at)
    try:
        s.sendall(data)
    except (BrokenPipeError, ConnectionResetError):
        pass
    return s


def end(s):
    try:
        s.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def cut(at, *paths):
    """Sends requests that are cut off at every byte. The server must ignore them, even if it closes the connection."""
    for data in samples(paths or ["/v1/health"]):
        ended = []
        for n in range(len(data)):
            s = send(at, data[:n])
            if n % 2:
                end(s)
                ended.append((n, s))
                continue
            if n % 4 == 0:
                s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            s.close()
        for n, s in ended:
            answer = read_answer(s)
            if answer and answer[0] < 400 and n < len(data) - 2:
                raise Trouble("%d bytes of %r were answered with %d" % (n, data, answer[0]))
            s.close()
    check_alive(at, "truncated requests")


def garbage(at):
    r = random.Random(4711)
    tails = [b"", b"\r\n\r\n", b"\n\n", b" HTTP/1.1\r\n\r\n", b"\0" * 100]
    sent = []
    for i in range(300):
        data = bytes(r.randrange(256) for _ in range(r.randrange(1, 400))) + tails[i % len(tails)]
        sent.append((data, send(at, data)))
    for data, s in sent:
        end(s)
    for data, s in sent:
        expect_json_error(read_answer(s), repr(data))
        s.close()
    whole = [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET /v1/health\r\n",
        b"GET /v1/health HTTP/9.9\r\n\r\n",
        b"GET  HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET * HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"BREW /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"TRACE /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"CONNECT evil.example:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"A" * 9000 + b" / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\r\n" * 20000,
    ]
    for data in whole:
        expect_json_error(ask(at, data, end=True), repr(data[:60]))
    check_alive(at, "garbage")


def paths(at):
    r = random.Random(815)
    fixed = [
        "/v1/health%00", "/%00", "/v1/../v1/health", "/v1/%2e%2e/v1/health", "/..%2f..%2fetc/passwd",
        "/../../../../etc/passwd", "/v1/health/..", "/v1%2fhealth", "/%c0%af..%c0%afetc/passwd",
        "/%e0%80%af", "/%f0%80%80%af", "/%ed%a0%80", "/%ff", "/%", "/%4", "/%zz", "/%u0041", "//v1/health",
        "/v1//health", "/v1/health/", "/V1/HEALTH", "/v1/health;x", "/v1/health%3fa=b", "/\\..\\..\\x",
        "/.%2e/", "/web/../../etc/passwd", "/v1/health%0d%0aX: y", "/v1/health%20HTTP/1.1", "/" + "a/" * 2000,
        "/" + "%41" * 2000, "/v1/health?%", "/v1/health?a=%00", "/v1/health?%ff=1", "/v1/health?" + "a&" * 3000,
        "/v1/health?" + "&" * 1500 + "x",
        "/v1/health?" + "a&" * 900, "http://localhost/v1/health", "v1/health", "?", "",
    ]
    for i in range(600):
        n = r.randrange(1, 60)
        fixed.append("/" + "".join(r.choice(["..", "/", "%2f", "%00", "%c0%ae", ".", "a", "v1", "health", "%", "~", ";",
                                              "?", "&", "=", "%25", "{", "}", "\x7f", "\xe4", "'", '"', "<b>"])
                                    for _ in range(n)))
    for path in fixed:
        data = b"GET " + path.encode("latin-1") + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        answer = ask(at, data)
        if answer is None:
            raise Trouble("%r has no answer" % path)
        if answer and answer[0] == 200 and not path.startswith("/v1/health?&") and path not in ("/v1/health%3fa=b", ):
            if path.split("?")[0] not in ("/v1/health", "/v1%2fhealth", "/", "http://localhost/v1/health"):
                raise Trouble("%r was answered" % path)
        elif answer and answer[0] != 200:
            expect_json_error(answer, path, (400, 404, 405, 413, 414, 431))
            if b"root:" in answer[2]:
                raise Trouble("%r shows a file" % path)
    check_alive(at, "odd paths")


def headers(at):
    r = random.Random(1)
    ones = [
        b"Host: a\r\nHost: b\r\n", b"Host: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n",
        b"Host: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        b"Host: localhost\r\nTransfer-Encoding: gzip\r\n", b"Host: localhost\r\nTransfer-Encoding: chunked, gzip\r\n",
        b"Host: localhost\r\nTransfer-Encoding: identity\r\nContent-Length: 5\r\n",
        b"Host: localhost\r\nTransfer-Encoding : chunked\r\n", b"Host: localhost\r\nContent-Length: -1\r\n",
        b"Host: localhost\r\nContent-Length: +5\r\n", b"Host: localhost\r\nContent-Length: 0x5\r\n",
        b"Host: localhost\r\nContent-Length: 5, 5\r\n", b"Host: localhost\r\nContent-Length: 1e1\r\n",
        b"Host: localhost\r\nContent-Length: 99999999999999999999999\r\n", b"Host: localhost\r\nContent-Length: \r\n",
        b"Host: localhost\r\nBad Name: x\r\n", b"",
        b"Host: localhost\r\nAuthorization: x\r\nAuthorization: y\r\n",
    ]
    smuggled = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for one in ones:
        for method in (b"GET", b"POST"):
            data = method + b" /v1/health HTTP/1.1\r\n" + one + b"\r\n" + smuggled
            s = connect(at)
            s.sendall(data)
            first = read_answer(s)
            if first is None or first[0] not in (400, 413, 501):
                raise Trouble("%r: %r" % (one, first))
            expect_json_error(first, repr(one))
            if first[1].get("connection", "").lower() != "close" or read_all(s):
                raise Trouble("%r: more than one answer" % one)
            s.close()
    for target, status in ((b"/v1/health\0/x", 400), (b"/v1/health\0", 400), (b"http://localhost/v1/health", 200),
                           (b"HTTP://localhost/v1/health/live", 200), (b"http://evil.example/v1/health", 403),
                           (b"ftp://localhost/v1/health", 400)):
        answer = ask(at, b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        if answer is None or answer[0] != status:
            raise Trouble("%r: %r, not %d" % (target, answer, status))
    long = [(b"X: " + b"a" * 9000, (400, 431)), (b"X: " + b"a" * 3500, (431, 200)), (b"a:b\r\n" * 1000 + b"c: d", (431, )),
            (b"\r\n".join(b"x%d: y" % i for i in range(101)), (431, )), (b"Cookie: " + b"a=b; " * 5000, (431, ))]
    for one, statuses in long:
        answer = ask(at, b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n" + one + b"\r\n\r\n")
        if answer is None or answer[0] not in statuses:
            raise Trouble("%r...: %r, not one of %r" % (one[:40], answer and answer[0], statuses))
    answer = ask(at, b"GET /v1/" + b"a" * 2500 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
    if answer[0] != 414 or not answer[1]["content-type"].startswith("application/problem+json"):
        raise Trouble("a long path: %r" % (answer, ))
    for _ in range(300):
        lines = [bytes(r.choice(b"abcXYZ:;,= \t\"'()<>@\\[]{}%\x01\x7f\xe4\xff-0123456789") for _ in range(r.randrange(1, 80)))
                 for _ in range(r.randrange(1, 8))]
        answer = ask(at, b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n" + b"\r\n".join(lines) + b"\r\n\r\n", end=True)
        if answer and answer[0] != 200:
            expect_json_error(answer, repr(lines))
    check_alive(at, "odd headers")


LENGTHS = [b"", b"-1", b"+5", b"5x", b"x5", b"0x5", b"5 5", b"5, 5", b"\xff\xfe", b"1" * 21, b"1" * 3000,
           b"18446744073709551616", b"18446744073709551615", b"9223372036854775808", b"abc\r\nContent-Length: 5",
           b"5\r\nContent-Length: abc", b"5\r\nContent-Length: 6", b"5\r\nTransfer-Encoding: chunked",
           b"abc\r\nTransfer-Encoding: chunked"]


def lengths(at, *tls):
    """Sends every kind of invalid Content-Length. Each request gets exactly one answer. With a certificate as
    argument, connects over TLS. The server may then also close the connection without an answer."""
    context = ssl.create_default_context(cafile=tls[0]) if tls else None
    for length in LENGTHS:
        for body in (b"", b"hello", b"x" * 300000):
            other = connect(at)
            s = connect(at)
            if context:
                s = context.wrap_socket(s, server_hostname="localhost")
            else:
                other.sendall(HEALTH[:-2] + b"Content-Length: 0\r\n")
            data = b"POST /v1/nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + length + b"\r\n\r\n" + body
            try:
                s.sendall(data)
                answer = read_answer(s)
            except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
                answer = None
            if answer is None and not (tls or len(body) > 1000):
                raise Trouble("Content-Length: %r: no answer" % length)
            if answer:
                expect_json_error(answer, "Content-Length: %r" % length, (400, 404, 413))
                if answer[1].get("connection", "").lower() != "close":
                    raise Trouble("Content-Length: %r: the answer does not end the connection" % length)
                try:
                    more = read_all(s)
                except ssl.SSLError:
                    more = b""
                if more:
                    raise Trouble("Content-Length: %r: %r follows the answer" % (length, more[:200]))
            s.close()
            if not tls:
                other.sendall(b"\r\n")
                if read_answer(other)[0] != 200:
                    raise Trouble("Content-Length: %r: another client gets no answer" % length)
            other.close()


def keepalive(at):
    """Sends many requests on one connection: one after the other, all at once, with bodies, after errors."""
    s = connect(at)
    for i in range(50):
        s.sendall(HEALTH)
        if read_answer(s)[0] != 200:
            raise Trouble("request %d on the same connection failed" % i)
    s.sendall(b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
    if read_answer(s)[0] != 404:
        raise Trouble("an unknown path did not get 404")
    s.sendall(b"HEAD /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    status, fields, body = read_answer(s, "HEAD")
    if status != 200 or body or int(fields["content-length"]) == 0:
        raise Trouble("the answer to HEAD is wrong")
    s.sendall(b"POST /v1/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello" + HEALTH)
    if read_answer(s)[0] != 405:
        raise Trouble("a POST did not get 405")
    answer = read_answer(s)
    if answer is None or answer[0] != 200:
        raise Trouble("a request after a rejected body: %r" % (answer, ))
    s.sendall(HEALTH * 20)
    data = b""
    while data.count(b"HTTP/1.1 200") < 20:
        block = s.recv(65536)
        if not block:
            raise Trouble("20 requests at once had %d answers" % data.count(b"HTTP/1.1 200"))
        data += block
    s.close()
    s = connect(at)
    s.sendall(b"POST /v1/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500000000\r\nExpect: 100-continue\r\n\r\n")
    if read_answer(s)[0] not in (405, 413):
        raise Trouble("Expect: 100-continue gets no answer")
    s.close()
    # The server must read a rejected body to its end, because otherwise the client would not get the answer.
    answer = ask(at, b"POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000000\r\n\r\n" + b"x" * 3000000)
    if not answer or answer[0] != 404:
        raise Trouble("wrong answer to a long body: %r" % (answer, ))


def closed_after(s, most):
    """Returns the seconds until the server closes the connection."""
    begin = time.monotonic()
    s.settimeout(most)
    try:
        while s.recv(65536):
            pass
    except ConnectionResetError:
        pass
    except socket.timeout:
        raise Trouble("still open after %s seconds" % most)
    return time.monotonic() - begin


def drip(at, first, bit, most, every=0.3):
    """Sends `bit` repeatedly, with pauses. Returns the seconds until the server closes the connection."""
    s = connect(at)
    begin = time.monotonic()
    s.sendall(first)
    while time.monotonic() - begin < most:
        ready, _, _ = select.select([s], [], [], every)
        try:
            if ready and not s.recv(65536):
                return time.monotonic() - begin
            s.sendall(bit)
        except (BrokenPipeError, ConnectionResetError):
            return time.monotonic() - begin
    raise Trouble("the server accepts %r and then repeated %r for more than %s seconds" % (first, bit, most))


def slow(at, seconds):
    """Checks that every kind of slow client is disconnected after about `seconds`, the value of all the server's timeouts."""
    most = float(seconds) + 3
    least = float(seconds) - 0.5
    s = connect(at)
    took = closed_after(s, most)
    if took < least:
        raise Trouble("an idle client was closed after %.1f seconds" % took)
    head = b"POST /nothing HTTP/1.1\r\nHost: localhost\r\n"
    for first, bit in [
            (b"", b"G"),
            (b"GET /v1/health HTTP/1.1\r\n", b"X: y\r\n"),
            (b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\nX: ", b"y"),
            (head + b"Content-Length: 100000\r\n\r\n", b"x"),
            (head + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    ]:
        took = drip(at, first, bit, most)
        if took < least:
            raise Trouble("the client that sent %r was disconnected after %.1f seconds" % (first, took))


def latency(at, count):
    times = []
    for _ in range(count):
        begin = time.monotonic()
        answer = ask(at, HEALTH)
        times.append(time.monotonic() - begin)
        if not answer or answer[0] != 200:
            raise Trouble("health is %r" % (answer, ))
    times.sort()
    return times


def crowd(at, idle, dripping):
    """Connects `idle` clients that send nothing and `dripping` clients that send slowly. Other clients must get fast answers."""
    idle, dripping = int(idle), int(dripping)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard < idle + dripping + 100:
        print("only %d descriptors" % hard)
        idle = dripping = (hard - 100) // 2
    before = latency(at, 200)
    crowd_ = [connect(at) for _ in range(idle)]
    drips = [connect(at) for _ in range(dripping)]
    for s in drips:
        s.sendall(b"POST /nothing HTTP/1.1\r\nHost: localhost\r\n")
    alone = before[198]
    times = []
    end = time.monotonic() + 4
    while time.monotonic() < end:
        for s in drips:
            try:
                s.sendall(b"X")
            except OSError as e:
                if e.errno not in (errno.EPIPE, errno.ECONNRESET):
                    raise
        times += latency(at, 20)
    times.sort()
    print("# p50 %.2f ms, p99 %.2f ms, maximum %.2f ms; without the other clients p99 %.2f ms" %
          (times[len(times) // 2] * 1000, times[len(times) * 99 // 100] * 1000, times[-1] * 1000, alone * 1000))
    if times[len(times) * 99 // 100] > max(0.5, 10 * alone):
        raise Trouble("other clients must wait too long")
    for s in crowd_ + drips:
        s.close()


def full(at, count):
    """Opens more connections than the server allows. It must close idle ones to accept new ones."""
    many = []
    for _ in range(int(count)):
        try:
            many.append(connect(at, 5))
        except OSError:
            break
    begin = time.monotonic()
    check_alive(at, "too many connections")
    took = time.monotonic() - begin
    print("# answered after %.1f seconds" % took)
    if took > 4:
        raise Trouble("the answer took %.1f seconds" % took)
    for s in many:
        s.close()


def memory(at):
    """The memory that the server counts for its requests, in bytes."""
    _, _, body = ask(at, b"GET /v1/metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return int(next(line for line in body.decode().split("\n") if line.startswith("profdepot_request_memory_bytes ")).split()[1])


def buffers(at, most):
    """40 clients send bodies of 200 KB, but not their last byte. The server must count their buffers, of which at most
    `most` bytes may be in memory, and must then store all bodies."""
    event = b'{"process":"%s","pid":7,"stack":"a;b","elapsed":5}' % (b"p" * 200000)
    body = b'{"hostname":"a","time":"2026-01-31 17:00:00","offcputime":[' + event + b"]}"
    clients = [connect(at, 60) for _ in range(40)]
    for s in clients:
        s.sendall(b"POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body))
        s.sendall(body[:-1])
    used = 0
    for _ in range(100):
        used = max(used, memory(at))
        if used > int(most) * 3 // 4:
            break
        time.sleep(0.05)
    if not int(most) * 3 // 4 < used <= int(most):
        raise Trouble("the buffers use %d bytes, but may use %s" % (used, most))
    for n, s in enumerate(clients):
        s.sendall(body[-1:])
        status, _, answer = read_answer(s)
        if status != 200:
            raise Trouble("body %d: %d %r" % (n, status, answer[:200]))
    if memory(at) > int(most) // 4:
        raise Trouble("the buffers are not free again: %d bytes" % memory(at))


if __name__ == "__main__":
    try:
        globals()[sys.argv[1]]((sys.argv[2], int(sys.argv[3])), *sys.argv[4:])
    except (Trouble, OSError) as e:
        print(("%s: %s" % (sys.argv[1], e or type(e)))[:1000])
        sys.stdout.flush()
        os._exit(1)
