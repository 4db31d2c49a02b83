#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""addresses.py PORT COUNT LOG: finds the articles that the log of an old shop has most often, asks a
server on loopback for so many of their addresses, and tells how many of them lead to the article's
new page."""

import collections
import http.client
import re
import sys

LINE = re.compile(rb'\S+ - - "GET /shop/article(?P<article>\d+)\.html HTTP/1\.1" (?P<status>\d+) \d+')


def wanted_articles(log, count):
    asked = collections.Counter()
    for line in log:
        entry = LINE.match(line)
        if entry and entry["status"] == b"200":
            asked[entry["article"].decode()] += 1
    return [article for article, _ in asked.most_common(count)]


def new_place(server, address):
    """Where the server says that a page is now."""
    server.request("GET", address)
    answer = server.getresponse()
    answer.read()
    return answer.getheader("Location") if answer.status == 301 else None


def main():
    port, count, log = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    with open(log, "rb", buffering=1 << 20) as lines:
        articles = wanted_articles(lines, count)
    server = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    moved = 0
    for article in articles:
        moved += new_place(server, f"/shop/article{article}.html") == f"/articles/{article}"
    print(f"{moved} pages have moved")


main()
