#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""orders.py ORDERS BLOCKED set|list

Adds up orders, but for those of blocked customers, whose names are held in a set or a list.
"""

import sys


def read_blocked(name, collection):
    with open(name, encoding="ascii") as file:
        return collection(line.rstrip("\n") for line in file)


def main():
    blocked = read_blocked(sys.argv[2], list if sys.argv[3] == "list" else set)
    total = refused = 0
    with open(sys.argv[1], encoding="ascii") as file:
        for line in file:
            number, customer, amount = line.split(";")
            if customer in blocked:
                refused += 1
            else:
                total += int(amount)
    print(f"{total} and {refused} refused, the last of {number}")


main()
