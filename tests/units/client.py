# SPDX-License-Identifier: MIT
"""Asks a server as often as is known, and notes when it asked and when it had the answer.

Each client is a process with one thread, so that nothing but the server holds it up. Times are those of
CLOCK_MONOTONIC, in nanoseconds, as in the recordings.
"""
import collections
import dataclasses
import multiprocessing
import os
import random
import re
import select
import socket
import struct
import time

# What a server does not answer in this time, it does not answer.
TIMEOUT_S = 30

# Three frames of a screen.
QUIET_S = 0.05
LONGEST_REST_S = 0.2

Request = collections.namedtuple("Request", "kind number tid port begin_ns end_ns")


@dataclasses.dataclass
class Ask:
    """How a server is asked. `kinds` has for each kind what is sent, and how often."""
    protocol: str
    kinds: dict
    keep: bool = True
    clients: int = 1

    @property
    def count(self):
        return sum(times for _, times in self.kinds.values())


class Connection:
    """To a server of a protocol in which a line is answered by a line."""
    type = socket.SOCK_STREAM

    def __init__(self, port, ask):
        self.socket = socket.socket(socket.AF_INET, self.type)
        self.socket.settimeout(TIMEOUT_S)
        if self.type == socket.SOCK_STREAM:
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.connect(("127.0.0.1", port))
        self.ask, self.rest = ask, b""
        self.open()

    def open(self):
        """What comes before the first request."""

    def more(self):
        got = self.socket.recv(1 << 16)
        if not got:
            raise ConnectionError("the server has closed the connection")
        self.rest += got

    def own_port(self):
        return self.socket.getsockname()[1]

    def end(self):
        self.socket.close()

    def rest_a_while(self):
        """Before a request, what is no part of it."""

    def until(self, end):
        while end not in self.rest:
            self.more()
        got, self.rest = self.rest.split(end, 1)
        return got

    def take(self, size):
        while len(self.rest) < size:
            self.more()
        got, self.rest = self.rest[:size], self.rest[size:]
        return got

    def send(self, text, number):
        self.socket.sendall(text.replace("NUMBER", str(number)).encode() + b"\r\n")

    def answer(self):
        return self.until(b"\n")


class Http(Connection):
    def send(self, text, number):
        end = "" if self.ask.keep else "Connection: close\r\n"
        text = text.replace("NUMBER", str(number))
        self.socket.sendall(f"GET {text} HTTP/1.1\r\nHost: here\r\nAccept-Encoding: gzip\r\n{end}\r\n".encode())

    def answer(self):
        head = self.until(b"\r\n\r\n").lower()
        length = re.search(rb"content-length: (\d+)", head)
        if length:
            self.take(int(length[1]))
        elif b"transfer-encoding: chunked" in head:
            while size := int(self.until(b"\r\n"), 16):
                self.take(size + 2)
            self.until(b"\r\n")
        else:
            while got := self.socket.recv(1 << 16):
                self.rest += got

    def end(self):
        """Waits until the server has closed, as it was asked to: the next request comes when this one is over."""
        while self.socket.recv(1 << 16):
            pass
        self.socket.close()


class Memcached(Connection):
    def answer(self):
        while self.until(b"\r\n") not in (b"END", b"STORED"):
            pass


class Redis(Connection):
    def answer(self):
        line = self.until(b"\r\n")
        if line[:1] == b"$" and line != b"$-1":
            self.take(int(line[1:]) + 2)
        for _ in range(int(line[1:]) if line[:1] == b"*" else 0):
            self.answer()


class Beanstalk(Connection):
    def send(self, text, number):
        self.socket.sendall(text.encode())


class Dns(Connection):
    type = socket.SOCK_DGRAM

    def send(self, text, number):
        name = b"".join(bytes([len(part)]) + part.encode() for part in text.split("."))
        self.socket.send(struct.pack(">6H", number, 0x100, 1, 0, 0, 0) + name + b"\0" + struct.pack(">2H", 1, 1))

    def answer(self):
        self.socket.recv(512)


class Mqtt(Connection):
    def open(self):
        self.socket.sendall(bytes([0x10, 13, 0, 4]) + b"MQTT" + bytes([4, 2, 0, 60, 0, 1]) + b"c")
        self.take(4)

    def send(self, text, number):
        text = bytes([0, 3]) + b"top" + struct.pack(">H", number % 65535 + 1) + text.encode()
        self.socket.sendall(bytes([0x32, len(text)]) + text)

    def answer(self):
        self.take(4)


class Ftp(Connection):
    def open(self):
        self.answer()
        for line in ("USER anonymous", "PASS me"):
            self.send(line, 0)
            self.answer()


class Irc(Connection):
    def open(self):
        self.socket.sendall(b"NICK n%d\r\nUSER me 0 * :me\r\nPING first\r\n" % os.getpid())
        while b"PONG" not in self.until(b"\n"):
            pass


class Ldap(Connection):
    """Searches the root for objects with the attribute."""

    def send(self, text, number):
        filter_part = bytes([0x87, len(text)]) + text.encode()
        search = bytes([4, 0, 10, 1, 0, 10, 1, 0, 2, 1, 0, 2, 1, 0, 1, 1, 0]) + filter_part + bytes([0x30, 0])
        message = bytes([2, 1, 1, 0x63, len(search)]) + search
        self.socket.sendall(bytes([0x30, len(message)]) + message)

    def answer(self):
        done = False
        while not done:
            length = self.take(2)[1]
            if length > 127:
                length = int.from_bytes(self.take(length - 128), "big")
            done = self.take(length)[3] == 0x65


class Postgres(Connection):
    def open(self):
        start = struct.pack(">I", 196608) + b"user\0postgres\0database\0bench\0\0"
        self.socket.sendall(struct.pack(">I", len(start) + 4) + start)
        self.answer()

    def send(self, text, number):
        text = text.replace("NUMBER", str(number)).encode() + b"\0"
        self.socket.sendall(b"Q" + struct.pack(">I", len(text) + 4) + text)

    def answer(self):
        kind = b""
        while kind != b"Z":
            kind, length = struct.unpack(">cI", self.take(5))
            text = self.take(length - 4)
            if kind == b"E":
                raise ConnectionError(text.decode(errors="replace"))


class Mysql(Connection):
    def open(self):
        self.packet()
        self.write(1, struct.pack("<IIB23x", 0x8a201, 1 << 24, 33) + b"root\0\0mysql_native_password\0")
        self.packet()

    def packet(self):
        head = self.take(4)
        text = self.take(int.from_bytes(head[:3], "little"))
        if text[:1] == b"\xff":
            raise ConnectionError(text.decode(errors="replace"))
        return text

    def write(self, sequence, text):
        self.socket.sendall(struct.pack("<I", len(text) | sequence << 24) + text)

    def send(self, text, number):
        self.write(0, b"\3" + text.replace("NUMBER", str(number)).encode())

    def answer(self):
        ends = 0 if self.packet()[:1] == b"\0" else 2
        while ends:
            packet = self.packet()
            ends -= packet[:1] == b"\xfe" and len(packet) < 9


class Keys(Connection):
    """Types a key, until the window that has the focus has changed."""

    def __init__(self, port, ask):
        from Xlib import X, XK
        from Xlib.display import Display
        from Xlib.ext import damage
        self.display = Display(f":{port}")
        self.press, self.release = X.KeyPress, X.KeyRelease
        self.code_of = lambda text: self.display.keysym_to_keycode(XK.string_to_keysym(text))
        self.changed = self.display.extension_event.DamageNotify
        self.display.damage_query_version()
        window = self.display.get_input_focus().focus
        window.damage_create(damage.DamageReportRawRectangles)
        self.socket, self.pressed = self.display.display.socket, None

    def own_port(self):
        return 0

    def rest_a_while(self):
        """Lets the key go, until the window has not changed for some frames: a change is to be an answer. Where it
        never stops changing, some changes are taken for answers that are none."""
        if self.pressed:
            self.display.xtest_fake_input(self.release, self.pressed)
        end, has_changed = time.monotonic() + LONGEST_REST_S, True
        while has_changed and time.monotonic() < end:
            self.forget_changes()
            has_changed = bool(self.display.pending_events() or select.select([self.socket], [], [], QUIET_S)[0])
        self.forget_changes()

    def forget_changes(self):
        self.display.sync()
        while self.display.pending_events():
            self.display.next_event()

    def send(self, text, number):
        self.pressed = self.code_of(text)
        self.display.xtest_fake_input(self.press, self.pressed)
        self.display.flush()

    def answer(self):
        while True:
            if not self.display.pending_events() and not select.select([self.socket], [], [], TIMEOUT_S)[0]:
                raise TimeoutError("the window does not change")
            if self.display.pending_events() and self.display.next_event().type == self.changed:
                return


PROTOCOLS = {"line": Connection, "http": Http, "memcached": Memcached, "redis": Redis, "beanstalk": Beanstalk,
             "dns": Dns, "mqtt": Mqtt, "ftp": Ftp, "irc": Irc, "ldap": Ldap, "postgres": Postgres, "mysql": Mysql,
             "keys": Keys}


def order(ask, seed):
    """The kinds in the order in which they are asked for."""
    kinds = [kind for kind, (_, times) in ask.kinds.items() for _ in range(times)]
    random.Random(seed).shuffle(kinds)
    return list(enumerate(kinds))


def run_client(port, ask, kinds):
    connection, requests = None, []
    if ask.keep:
        connection = PROTOCOLS[ask.protocol](port, ask)
    for number, kind in kinds:
        if connection:
            connection.rest_a_while()
        begin_ns = time.monotonic_ns()
        if not ask.keep:
            connection = PROTOCOLS[ask.protocol](port, ask)
        connection.send(ask.kinds[kind][0], number)
        connection.answer()
        end_ns = time.monotonic_ns()
        requests.append(Request(kind, number, os.getpid(), connection.own_port(), begin_ns, end_ns))
        if not ask.keep:
            connection.end()
    return requests


def run(port, ask, seed):
    """All requests, by when they were made."""
    kinds = order(ask, seed)
    parts = [(port, ask, kinds[i::ask.clients]) for i in range(ask.clients)]
    with multiprocessing.get_context("fork").Pool(ask.clients) as pool:
        requests = sum(pool.starmap(run_client, parts, chunksize=1), [])
    return sorted(requests, key=lambda request: request.begin_ns)
