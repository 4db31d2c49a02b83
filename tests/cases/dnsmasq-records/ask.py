# SPDX-License-Identifier: MIT
#
# ask.py DNSMASQ PORT BRANCHES TIMES: starts the name server that dnsmasq.conf is for, and asks it for
# the text record of each branch so many times, one question after the other.
import socket
import struct
import subprocess
import sys
import time

program, port, branches, times = sys.argv[1], *map(int, sys.argv[2:5])


def question(number, name):
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    return struct.pack("!6H", number, 0x0100, 1, 0, 0, 0) + labels + b"\0" + struct.pack("!2H", 16, 1)


def ask(connection, number, name):
    connection.send(question(number, name))
    answer = connection.recv(1500)
    got, flags, _, answers, _, _ = struct.unpack("!6H", answer[:12])
    if got != number or flags & 15 or answers != 1:
        sys.exit("no record of " + name)
    return len(answer)


server = subprocess.Popen([program, "-k", "-C", "dnsmasq.conf"])
try:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection:
        connection.connect(("127.0.0.1", port))
        connection.settimeout(10)
        for attempt in range(200):
            try:
                ask(connection, 0, "_dmarc.branch0.office.example")
                break
            except ConnectionRefusedError:
                time.sleep(0.02)
        size = 0
        for time_ in range(times):
            for branch in range(branches):
                number = 1 + time_ * branches + branch
                size += ask(connection, number & 0xFFFF, f"_dmarc.branch{branch}.office.example")
        print(size, "bytes")
finally:
    server.terminate()
    server.wait()
