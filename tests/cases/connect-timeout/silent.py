#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""silent.py ADDRESS PORT: a server that hangs. It takes no connection from its queue, and as that is
full, the kernel drops whatever comes. Makes a file `silent` when that is so; ends after two minutes."""

import socket
import sys
import time

address = sys.argv[1], int(sys.argv[2])
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(address)
server.listen(0)
waiting = []
for _ in range(3):
    client = socket.socket()
    client.setblocking(False)
    client.connect_ex(address)
    waiting.append(client)
time.sleep(0.2)
open("silent", "w", encoding="ascii").close()
time.sleep(120)
