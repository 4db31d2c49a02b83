#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""get.py PORT COUNT PATH [NAME:VALUE]…: asks a server on loopback COUNT times for PATH, and fails
when an answer is not good."""

import http.client
import sys


def main():
    port, count, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    headers = dict(argument.split(":", 1) for argument in sys.argv[4:])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for _ in range(count):
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        if answer.status >= 400:
            sys.exit(f"get.py: {path}: {answer.status} {answer.reason}")


main()
