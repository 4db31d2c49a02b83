# SPDX-License-Identifier: MIT
#
# check.py MXCHECK answers|silent: two name servers, the first of which answers or does not, until
# mxcheck has asked for all domains.
import selectors
import socket
import struct
import subprocess
import sys


def answer(query):
    end = query.index(b"\0", 12) + 5
    host = b"\4mail\xc0\x0c"
    return (query[:2] + struct.pack("!5H", 0x8180, 1, 1, 0, 0) + query[12:end] + b"\xc0\x0c"
            + struct.pack("!HHIHH", 15, 1, 60, 2 + len(host), 10) + host)


servers = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
for server in servers:
    server.bind(("127.0.0.1", 0))
names = ",".join("127.0.0.1:%d" % server.getsockname()[1] for server in servers)
done, running = socket.socketpair()
with selectors.DefaultSelector() as selector:
    for server in servers[sys.argv[2] == "silent":]:
        selector.register(server, selectors.EVENT_READ)
    selector.register(done, selectors.EVENT_READ)
    client = subprocess.Popen([sys.argv[1], names, "domains"], pass_fds=[running.fileno()])
    running.close()
    asked = True
    while asked:
        for key, _ in selector.select():
            if key.fileobj is done:
                asked = False
                break
            query, peer = key.fileobj.recvfrom(1500)
            key.fileobj.sendto(answer(query), peer)
sys.exit(client.wait())
