#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""till.py PORT

Gives prices to a Redis server, as fields of one hash, and sells articles at the prices that it asks
the server for, one by one.
"""

import sys

import redis

ARTICLES = 12000
SALES = 3000


def put_prices(server):
    prices = {f"article-{number}": number * 7919 % 9973 for number in range(ARTICLES)}
    names = list(prices)
    for begin in range(0, ARTICLES, 1000):
        server.hset("prices", mapping={name: prices[name] for name in names[begin:begin + 1000]})


def sell(server):
    total = 0
    for sale in range(SALES):
        article = f"article-{sale * 4099 % ARTICLES}"
        total += int(server.hget("prices", article))
    return total


def main():
    server = redis.Redis(port=int(sys.argv[1]))
    put_prices(server)
    total = sell(server)
    print(f"{SALES} articles sold\n{total} taken")


main()
