# SPDX-License-Identifier: MIT
"""Files of perf record whose records are replaced by others.

What is in them is for those who derive from Rewriting; members with an offset in the file stay where
they are, but for the features, which lie behind the records.
"""
import struct
import sys


def count_bits(number):
    return bin(number).count("1")


def numbers(data, offset, count):
    return struct.unpack_from(f"<{count}Q", data, offset)


class Rewriting:
    """Derived classes have records(), tuples of kind, misc and body."""

    def __init__(self, data):
        self.data = bytearray(data)
        self.attr_size, self._attrs, self._attrs_size, self._begin, self._size = numbers(
            data, 16, 5)

    def attrs(self):
        """Offset of each event's attributes, and the ids of its samples."""
        for offset in range(self._attrs, self._attrs + self._attrs_size, self.attr_size):
            ids, size = numbers(self.data, offset + self.attr_size - 16, 2)
            yield offset, numbers(self.data, ids, size // 8)

    def recorded(self):
        offset = self._begin
        while offset < self._begin + self._size:
            kind, misc, size = struct.unpack_from("<IHH", self.data, offset)
            yield kind, misc, bytes(self.data[offset + 8:offset + size])
            offset += size

    def rewritten(self):
        records = b"".join(struct.pack("<IHH", kind, misc, 8 + len(body)) + body
                           for kind, misc, body in self.records())
        rest = self.data[self._begin + self._size:]
        sections = count_bits(int.from_bytes(self.data[72:104], "little"))
        for entry in range(0, 16 * sections, 16):
            offset, = numbers(rest, entry, 1)
            struct.pack_into("<Q", rest, entry, offset + len(records) - self._size)
        head = self.data[:self._begin]
        struct.pack_into("<Q", head, 48, len(records))
        return head + records + rest


def rewrite(kind, usage):
    """Reads the file that is the first argument, writes the second. Returns what did it."""
    if len(sys.argv) != 3:
        sys.exit(usage)
    with open(sys.argv[1], "rb") as file:
        rewriting = kind(file.read())
    with open(sys.argv[2], "wb") as file:
        file.write(rewriting.rewritten())
    return rewriting
