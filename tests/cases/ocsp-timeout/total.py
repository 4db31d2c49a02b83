#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""total.py PORT: fetches four reports from a port of loopback, each with a connection of its own,
and tells what the customers have ordered."""

import collections
import http.client
import sys
import time


def fetch(port, path):
    """The proxy may have been started only now."""
    for _ in range(200):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.connect()
            break
        except ConnectionRefusedError:
            time.sleep(0.05)
    connection.request("GET", path)
    answer = connection.getresponse()
    if answer.status != 200:
        sys.exit(f"{path}: {answer.status} {answer.reason}")
    text = answer.read().decode()
    connection.close()
    return text


def add(report, totals):
    count = 0
    for line in report.splitlines():
        _, customer, price = line.split(";")
        totals[customer] += round(float(price) * 100)
        count += 1
    return count


def main():
    port = int(sys.argv[1])
    totals = collections.Counter()
    orders = sum(add(fetch(port, f"/{number}.csv"), totals) for number in range(4))
    print(f"{orders} orders of {len(totals)} customers")
    for customer, total in totals.most_common(5):
        print(f"{customer}: {total / 100:.2f}")


main()
