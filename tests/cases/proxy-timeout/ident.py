#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ident.py ADDRESS: an ident service on ADDRESS that takes connections and never answers. Prints the
id of the process that goes on, which ends by itself after two minutes."""

import os
import signal
import socket
import sys

listener = socket.create_server((sys.argv[1], 113), backlog=64)
child = os.fork()
if child:
    print(child)
    sys.exit()
os.setsid()
null = os.open(os.devnull, os.O_RDWR)
for stream in 0, 1, 2:
    os.dup2(null, stream)
signal.alarm(120)
clients = []
while True:
    clients.append(listener.accept())
