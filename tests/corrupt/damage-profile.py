#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# damage-profile.py PROFILE DIRECTORY: copies of a saved profile, of one trace, each damaged in one
# way, in a directory of its own that is named by what the reader of Babeltrace 2.0 makes of it.
# They were found by changing numbers, words and bytes at random; the places are fixed here.

import os
import re
import struct
import sys

# Of a packet of metadata: magic, uuid, checksum, bits of the contents, bits of the packet,
# compression, encryption, checksum's kind, major, minor.
PACKET_HEADER = struct.Struct("<I16sIIIBBBBB")
PACKET_MAGIC = 0x75D11D57
# Of the stream: behind magic, uuid and the stream's number, begin and end of the packet come first.
PACKET_CONTENT_BITS = 36


def changed(text, pattern, replacement):
    result, count = re.subn(pattern, replacement, text, count=1)
    if count == 0:
        sys.exit(f"no {pattern} in the metadata")
    return result


def packet(text, content_bytes):
    """As LTTng writes metadata, with a header that tells of `content_bytes` of text."""
    bits = 8 * (PACKET_HEADER.size + content_bytes)
    header = PACKET_HEADER.pack(PACKET_MAGIC, bytes(16), 0, bits, bits, 0, 0, 0, 1, 8)
    return header + text


def byte_at(data, offset, value):
    return data[:offset] + bytes([value]) + data[offset + 1 :]


def write(directory, name, metadata, stream):
    path = os.path.join(directory, name, "trace")
    os.makedirs(path)
    for file, data in (("metadata", metadata), ("stream", stream)):
        with open(os.path.join(path, file), "wb") as output:
            output.write(data)


def read(trace, name):
    with open(os.path.join(trace, name), "rb") as file:
        return file.read()


def main():
    profile, directory = sys.argv[1:]
    trace = next(root for root, _, files in os.walk(profile) if "metadata" in files)
    text = read(trace, "metadata")
    stream = read(trace, "stream")
    length = rb"size = 32; align = 8; \} ___histogram_len"
    long_length = b"size = 64; align = 8; } ___histogram_len"
    huge_length = b"size = 32; align = 8; byte_order = be; } ___histogram_len"
    damaged = {
        "crash-field-twice": (changed(text, rb"\b_end_ns\b", b"_begin_ns"), stream),
        "crash-clock-frequency": (changed(text, rb"\bfreq = ", b"fields = "), stream),
        "crash-packet-size": (text, byte_at(stream, PACKET_CONTENT_BITS + 7, 0xEF)),
        "crash-sequence": (changed(text, length, long_length), stream),
        "memory-sequence": (changed(text, length, huge_length), stream),
        "endless-metadata": (packet(text[: len(text) // 2], len(text)), stream),
    }
    for name, files in damaged.items():
        write(directory, name, *files)


main()
