#!/usr/bin/env python3
"""A proxy between libpq and a PostgreSQL server that cuts a connection after a given message.

    cut_proxy.py FOLDER SERVER_SOCKET

It listens on FOLDER/.s.PGSQL.5432. FOLDER/plan says what happens to the next connection:

    SIDE N LATER

The connection is cut after the N-th message of SIDE (client or server) was passed on; 0 means never.
If SIDE is client, the answer to this message is dropped. LATER is "open" if later connections are accepted,
otherwise "closed". When a connection ends, the numbers of its messages are written to FOLDER/count.
"""
import os
import socket
import struct
import sys
import threading

folder, server_path = sys.argv[1:3]
cut_before = threading.Event()


def read_exactly(s, size):
    data = b""
    while len(data) < size:
        block = s.recv(size - len(data))
        if not block:
            raise EOFError
        data += block
    return data


def read_message(s, startup):
    head = read_exactly(s, 4 if startup else 5)
    return head + read_exactly(s, struct.unpack("!I", head[-4:])[0] - 4)


def close(*sockets):
    for s in sockets:
        try:
            s.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def pump(source, target, counts, side, limit, client):
    startup = side == "client"
    try:
        while True:
            message = read_message(source, startup)
            startup = False
            counts[side] += 1
            cut = counts[side] == limit
            if cut:
                cut_before.set()
            # The client must not receive the answer to its last message.
            if cut and side == "client":
                close(client)
            target.sendall(message)
            if cut:
                break
    except (EOFError, OSError):
        pass
    close(source, target)


def serve(client, side, limit):
    server = socket.socket(socket.AF_UNIX)
    server.connect(server_path)
    counts = {"client": 0, "server": 0}
    threads = [
        threading.Thread(target=pump, args=(a, b, counts, name, limit if side == name else 0, client))
        for name, a, b in (("client", client, server), ("server", server, client))
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    client.close()
    server.close()
    with open(folder + "/count.new", "w") as f:
        f.write("%d %d\n" % (counts["client"], counts["server"]))
    os.rename(folder + "/count.new", folder + "/count")


def main():
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(folder + "/.s.PGSQL.5432")
    listener.listen(16)
    while True:
        client = listener.accept()[0]
        try:
            with open(folder + "/plan") as f:
                side, limit, later = f.read().split()
            os.unlink(folder + "/plan")
            cut_before.clear()
        except FileNotFoundError:
            side, limit = "client", "0"
            if later == "closed" and cut_before.is_set():
                client.close()
                continue
        threading.Thread(target=serve, args=(client, side, int(limit)), daemon=True).start()


main()
