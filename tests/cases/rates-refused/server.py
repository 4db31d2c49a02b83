# A server of currencies' rates that takes so many requests in a second; use: server.py PORT LIMIT
# SPDX-License-Identifier: MIT
import socket
import sys
import time


class Bucket:
    """Tokens that come back at a steady rate: a request takes one, and is refused where there is none."""

    def __init__(self, limit):
        self.limit = limit
        self.most = limit / 20
        self.tokens = self.most
        self.last = time.monotonic()

    def take(self):
        now = time.monotonic()
        self.tokens = min(self.most, self.tokens + (now - self.last) * self.limit)
        self.last = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


def rates_of(currency):
    """The rates of half a year."""
    days = (f"{1 + (currency * 7919 + day * 31) % 997 / 1000:.4f}" for day in range(190))
    return "ok " + " ".join(days) + "\n"


def serve(client, bucket):
    with client, client.makefile("rw") as stream:
        for line in stream:
            if bucket.take():
                stream.write(rates_of(int(line.split()[1])))
            else:
                stream.write("busy too many requests\n")
            stream.flush()


def main():
    bucket = Bucket(int(sys.argv[2]))
    with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as server:
        while True:
            client, _ = server.accept()
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            serve(client, bucket)


main()
