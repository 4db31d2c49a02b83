#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""names.py ANSWERS SILENT: two name servers, one of which knows each name, and one that never answers.
Prints the id of the process that goes on, which ends by itself after two minutes."""

import os
import signal
import socket
import struct
import sys


def listen(address):
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind((address, 53))
    return server


def answer(query):
    """The question, and one answer of type A: 10.0.0.1."""
    end = query.index(b"\0", 12) + 5
    header = query[:2] + struct.pack(">HHHHH", 0x8580, 1, 1, 0, 0)
    record = struct.pack(">HHHIH", 0xC00C, 1, 1, 60, 4) + bytes((10, 0, 0, 1))
    return header + query[12:end] + record


answers, silent = listen(sys.argv[1]), listen(sys.argv[2])
child = os.fork()
if child:
    print(child)
    sys.exit()
os.setsid()
null = os.open(os.devnull, os.O_RDWR)
for stream in 0, 1, 2:
    os.dup2(null, stream)
signal.alarm(120)
while True:
    question, client = answers.recvfrom(512)
    answers.sendto(answer(question), client)
