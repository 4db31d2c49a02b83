# SPDX-License-Identifier: MIT
#
# collect.py PORT: counts the lines that come.
import socket
import sys

lines = size = 0
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as connection:
    while part := connection.recv(65536):
        lines += part.count(b"\n")
        size += len(part)
print(lines, "lines", size, "bytes")
