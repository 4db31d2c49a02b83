#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""ask.py PORT COUNT: asks the service for so many prices, and writes an offer with each."""

import http.client
import sys
import time

port, count = int(sys.argv[1]), int(sys.argv[2])


def connect():
    """A connection to the service, which may still begin."""
    for _ in range(100):
        connection = http.client.HTTPConnection("127.0.0.1", port)
        try:
            connection.connect()
            return connection
        except OSError:
            time.sleep(0.05)
    raise SystemExit("no service")


def offer(article, cents):
    """The text of an offer."""
    lines = [f"{number} of article {article}: {number * cents / 100:.2f}" for number in range(1, 1500)]
    return "\n".join(lines)


service = connect()
letters = 0
for number in range(count):
    article = number * 7919 % 10000
    service.request("GET", f"/article{article}")
    letters += len(offer(article, int(service.getresponse().read())))
print(f"{count} prices, {letters} letters")
