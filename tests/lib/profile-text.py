#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# profile-text.py [--facts] FILE prints the records of a file of saved profiles as babeltrace2 does
# those of a trace in CTF, or what it says of their recordings. It reads what introperf-profile(5)
# describes, and knows nothing else of introperf.

import hashlib
import struct
import sys

MAGIC = b"introperf-prof\r\n"
UNSIGNED, SIGNED, TEXT, ARRAY = range(4)


class Bytes:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def is_left(self):
        return self.at < len(self.data)

    def take(self, count):
        self.at += count
        return self.data[self.at - count : self.at]

    def unsigned(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self):
        value = self.unsigned()
        return value // 2 if value % 2 == 0 else -(value + 1) // 2

    def text(self):
        return self.take(self.data.index(b"\0", self.at) + 1 - self.at)[:-1].decode(errors="replace")

    def field(self, kind):
        if kind == UNSIGNED:
            return str(self.unsigned())
        if kind == SIGNED:
            return str(self.signed())
        if kind == TEXT:
            return f'"{self.text()}"'
        values = [f"[{i}] = {self.unsigned()}" for i in range(self.unsigned())]
        return f"[ {', '.join(values)} ]" if values else "[ ]"


def read_layouts(section):
    layouts = []
    for _ in range(section.unsigned()):
        name = section.text()
        fields = [(section.text(), section.unsigned()) for _ in range(section.unsigned())]
        layouts.append((name, fields))
    return layouts


def print_profile(section):
    print(f'name = "{section.text()}"')
    print(f'input = "{section.text()}"')
    print(f'machine = "{section.text()}"')
    print(f"clock = {'1970' if section.unsigned() else 'unknown'} {section.signed()}")
    while section.is_left():
        print(f'{section.text()} = "{section.text()}";')


def print_records(section, layouts):
    while section.is_left():
        name, fields = layouts[section.unsigned()]
        values = [f"{field} = {section.field(kind)}" for field, kind in fields]
        print(f"{name}: {{ {', '.join(values)} }}")


def main():
    facts = sys.argv[1] == "--facts"
    with open(sys.argv[-1], "rb") as file:
        data = file.read()
    version, size = struct.unpack_from("<IQ", data, len(MAGIC))
    assert (data[: len(MAGIC)], version, size) == (MAGIC, 1, len(data)), "another header"
    assert hashlib.sha256(data[:-32]).digest() == data[-32:], "another checksum"
    content = Bytes(data[len(MAGIC) + 12 : -32])
    layouts = None
    while content.is_left():
        kind = content.take(4)
        section = Bytes(content.take(struct.unpack("<Q", content.take(8))[0]))
        if kind == b"LAYT":
            layouts = read_layouts(section)
        elif kind == b"PROF" and facts:
            print_profile(section)
        elif kind == b"RECS" and not facts:
            print_records(section, layouts)


main()
