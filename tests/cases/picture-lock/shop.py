#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""shop.py DIRECTORY: three threads answer the customers of a shop, which are processes of their own,
and until they are done another thread makes previews of pictures with the module `pictures` of that
directory."""

import json
import multiprocessing
import socket
import sys
import threading
import zlib

sys.path.insert(0, sys.argv[1])
import pictures  # noqa: E402

CUSTOMERS = 3
QUESTIONS = 250
WIDTH, HEIGHT = 6000, 4000

articles = {
    number: {"name": f"article {number}", "price": number * 7919 % 1000, "stock": number % 13}
    for number in range(10000)
}


def find(question):
    """The articles in stock that cost no more than asked for, the cheapest twenty."""
    first, most = question["first"], question["most"]
    found = [
        articles[number]
        for number in range(first, first + 6000)
        if articles[number]["stock"] and articles[number]["price"] <= most
    ]
    return sorted(found, key=lambda article: article["price"])[:20]


def answer(connection):
    with connection.makefile("rwb") as lines:
        for line in lines:
            lines.write(json.dumps(find(json.loads(line))).encode() + b"\n")
            lines.flush()


def make_previews(done):
    picture = bytes(i * i % 251 for i in range(WIDTH)) * HEIGHT
    sums = set()
    while not done.is_set():
        sums.add(zlib.crc32(pictures.shrink(picture, WIDTH, HEIGHT, 8)))
    print(len(sums), "previews")


def ask(connection, customer):
    answers = 0
    with connection.makefile("rwb") as lines:
        for i in range(QUESTIONS):
            question = {"first": (customer * 700 + i) % 4000, "most": 100 + i % 400}
            lines.write(json.dumps(question).encode() + b"\n")
            lines.flush()
            answers += len(json.loads(lines.readline())) == 20
    sys.exit(answers != QUESTIONS)


def main():
    customers, threads, done = [], [], threading.Event()
    for customer in range(CUSTOMERS):
        ours, theirs = socket.socketpair()
        customers.append(multiprocessing.Process(target=ask, args=(theirs, customer)))
        customers[-1].start()
        theirs.close()
        threads.append(threading.Thread(target=answer, args=(ours,)))
    previews = threading.Thread(target=make_previews, args=(done,))
    for thread in [*threads, previews]:
        thread.start()
    for customer in customers:
        customer.join()
        if customer.exitcode != 0:
            sys.exit("a customer got a wrong answer")
    done.set()
    previews.join()
    print(CUSTOMERS * QUESTIONS, "answers", flush=True)
    for thread in threads:
        thread.join()


main()
