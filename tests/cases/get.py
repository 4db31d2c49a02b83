#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""get.py PORT COUNT [https:]PATH [NAME:VALUE]…

Asks a server on loopback COUNT times for PATH, over one connection as long as the server keeps it,
with headers of these names and values. An answer that is an error ends it with exit status 1.
Certificates are not checked.
"""

import http.client
import ssl
import sys


def connect(port, encrypted):
    if not encrypted:
        return http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=context)


def main():
    port, count, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    headers = dict(argument.split(":", 1) for argument in sys.argv[4:])
    encrypted = path.startswith("https:")
    connection = connect(port, encrypted)
    for _ in range(count):
        connection.request("GET", path.removeprefix("https:"), headers=headers)
        answer = connection.getresponse()
        answer.read()
        if answer.status >= 400:
            sys.exit(f"get.py: {path}: {answer.status} {answer.reason}")


main()
