# SPDX-License-Identifier: MIT
"""desk.py process|thread ORDERS"""
import multiprocessing
import socket
import sys
import threading


def answer(orders):
    """Says for each order whether it is in stock."""
    while order := orders.recv(64):
        orders.send(b"yes" if int(order) % 7 else b"no")


def keep_totals():
    """Never ends."""
    while True:
        total = 0
        for amount in range(100000):
            total = (total * 31 + amount) % 1000003


def price(order):
    total = order
    for amount in range(35000):
        total = (total + amount * 19) % 10007
    return total


def main():
    ours, theirs = socket.socketpair()
    clerk = multiprocessing.Process(target=answer, args=(theirs,))
    clerk.start()
    theirs.close()
    helper = threading.Thread if sys.argv[1] == "thread" else multiprocessing.Process
    helper(target=keep_totals, daemon=True).start()
    total = 0
    for order in range(int(sys.argv[2])):
        ours.send(b"%d" % order)
        if ours.recv(64) == b"yes":
            total += price(order)
    ours.close()
    clerk.terminate()
    print(total)


main()
