#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""submit.py SOCKET FILE…: gives documents to the spooler, one after another."""

import socket
import sys


def submit(service, answers, text):
    service.sendall(text + b"\r\n.\r\n")
    answer = answers.readline().split()
    if answer[:1] != [b"queued"]:
        sys.exit("not queued")
    return int(answer[2])


def main():
    pages = 0
    with socket.socket(socket.AF_UNIX) as service:
        service.connect(sys.argv[1])
        with service.makefile("rb") as answers:
            for name in sys.argv[2:]:
                with open(name, "rb") as document:
                    pages += submit(service, answers, document.read())
    print(f"{len(sys.argv) - 2} queued, {pages} pages")


main()
