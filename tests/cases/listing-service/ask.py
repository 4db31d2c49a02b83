# SPDX-License-Identifier: MIT
"""ask.py SERVER PORT COUNT: starts the server on ./site, asks COUNT times for a list, and ends it."""

import hashlib
import socket
import subprocess
import sys
import time

SERVER, PORT, COUNT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def ask():
    with socket.create_connection(("127.0.0.1", PORT)) as connection:
        connection.sendall(b"GET /reports/ HTTP/1.0\r\nHost: localhost\r\n\r\n")
        text = b""
        while part := connection.recv(65536):
            text += part
    return text


def wait_for_server():
    for _ in range(200):
        try:
            return ask()
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise SystemExit("no server")


with subprocess.Popen([SERVER, "-D", "-u", "root", "-h", "127.0.0.1", "-p", str(PORT), "-d", "site"]) as server:
    wait_for_server()
    digest = hashlib.sha256()
    for _ in range(COUNT):
        page = ask()
        assert page.count(b"report-") > 10
        digest.update(page * 20 if len(page) < 5000 else page)
    server.terminate()
print(f"{COUNT} lists", flush=True)
