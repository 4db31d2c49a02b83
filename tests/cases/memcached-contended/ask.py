#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""ask.py PORT

Stores ten names in the memcached on loopback, and asks for 500, most of which are not there, 2500
times. It sends ten requests before it has read the answers to the ten before them, so that
the server seldom has to wait for it.
"""

import socket
import sys

NAMES = range(1000, 1500)
STORED = range(1000, 1500, 50)


def main():
    connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=60)
    answers = connection.makefile("rb")
    for name in STORED:
        connection.sendall(b"set name:%d 0 0 4\r\n%d\r\n" % (name, name))
        if answers.readline() != b"STORED\r\n":
            sys.exit("ask.py: not stored")
    requests = 10 * (b"get " + b" ".join(b"name:%d" % name for name in NAMES) + b"\r\n")
    answer = b"".join(b"VALUE name:%d 0 4\r\n%d\r\n" % (name, name) for name in STORED) + b"END\r\n"
    connection.sendall(requests)
    for i in range(250):
        if i < 249:
            connection.sendall(requests)
        if answers.read(10 * len(answer)) != 10 * answer:
            sys.exit("ask.py: another answer than the names")


main()
