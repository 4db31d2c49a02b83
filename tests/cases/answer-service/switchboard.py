#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""switchboard.py PORT COUNT PEOPLE FIRST: asks the service for so many people of the list, beginning
with the one of number FIRST, and prints how many calls there were."""

import hashlib
import socket
import sys
import time

port, count, first = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[4])


def connect():
    """A connection to the service, which may still begin."""
    for _ in range(100):
        try:
            return socket.create_connection(("127.0.0.1", port))
        except OSError:
            time.sleep(0.05)
    raise SystemExit("no service")


def receipt(name, number):
    """What is kept of a call."""
    text = hashlib.sha256()
    for second in range(24000):
        text.update(f"{name} {number} second {second}\n".encode())
    return text.hexdigest()


with open(sys.argv[3], encoding="utf-8") as file:
    names = [line.split(";")[0] for line in file]
receipts = set()
with connect() as connection:
    answers = connection.makefile("r", encoding="utf-8")
    for call in range(count):
        person = names[(first + call * 7919) % len(names)]
        connection.sendall(f"{person}\n".encode())
        answer = answers.readline().strip()
        if not answer.startswith("+"):
            raise SystemExit(f"{person}: {answer}")
        receipts.add(receipt(person, answer))
print(f"{count} calls, {len(receipts)} receipts")
