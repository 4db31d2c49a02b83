# SPDX-License-Identifier: MIT
"""server.py LOST BLOCKS: a server of one file over TFTP (RFC 1350), for one client, on loopback; prints
its port. Of each LOST blocks one is not sent when it is first asked for; 0: all are."""

import socket
import struct
import sys

LOST, BLOCKS = int(sys.argv[1]), int(sys.argv[2])
READ, DATA, ACK = 1, 3, 4


def block(number):
    text = b"block %d of the image " % number
    return (text * 40)[:100 if number > BLOCKS else 512]


def serve(listener):
    lost = set()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
        own.bind(("127.0.0.1", 0))
        _, client = listener.recvfrom(600)
        acknowledged = 0
        while acknowledged <= BLOCKS:
            wanted = acknowledged + 1
            if LOST and wanted % LOST == 0 and wanted not in lost:
                lost.add(wanted)
            else:
                own.sendto(struct.pack("!HH", DATA, wanted & 0xffff) + block(wanted), client)
            while True:
                operation, number = struct.unpack("!HH", own.recv(600)[:4])
                if operation == ACK and number == wanted & 0xffff:
                    acknowledged = wanted
                    break
                if operation == ACK:
                    break


with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
    listener.bind(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    serve(listener)
