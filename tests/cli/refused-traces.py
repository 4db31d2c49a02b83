#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# refused-traces.py DIRECTORY: small traces in CTF that Babeltrace's reader refuses, each in a directory
# of its own that is named by what is wrong with it; "sound" is one that it reads.

import os
import struct
import sys

METADATA = """/* CTF 1.8 */
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
trace {
	major = 1;
	minor = 8;
	byte_order = le;
	packet.header := struct { uint32_t magic; uint32_t stream_id; };
};
clock { name = monotonic; freq = 1000000000; offset = 0; };
typealias integer {
	size = 64; align = 8; signed = false; map = clock.monotonic.value;
} := time_t;
stream {
	id = 0;
	packet.context := struct { uint64_t content_size; uint64_t packet_size; };
	event.header := struct { uint32_t id; time_t timestamp; };
};
event { name = "tick"; id = 0; stream_id = 0; fields := struct { uint32_t value; }; };
"""
MAGIC = 0xC1FC1FC1
HEADER = struct.Struct("<IIQQ")
EVENT = struct.Struct("<IQI")


def packet(events, content_bits=None, packet_bits=None, magic=MAGIC, stream=0):
    """`events` are (id, time)."""
    body = b"".join(EVENT.pack(number, time, 0) for number, time in events)
    bits = 8 * (HEADER.size + len(body))
    content_bits = bits if content_bits is None else content_bits
    packet_bits = bits if packet_bits is None else packet_bits
    return HEADER.pack(magic, stream, content_bits, packet_bits) + body


SOUND = packet([(0, 10), (0, 20), (0, 30)])

TRACES = {
    "sound": (METADATA, SOUND),
    "time-back": (METADATA, packet([(0, 10), (0, 30), (0, 20)])),
    "packets-back": (METADATA, packet([(0, 30)]) + packet([(0, 10)])),
    "time-too-large": (METADATA, packet([(0, 10), (0, 2**64 - 1)])),
    "version-2": ('\x1e{"type":"preamble","version":2}\n', SOUND),
    "version-9": ('\x1e{"type":"preamble","version":9}\n', SOUND),
    "version-3.7": (METADATA.replace("CTF 1.8", "CTF 3.7"), SOUND),
    "no-version": (METADATA.replace("/* CTF 1.8 */", ""), SOUND),
    "no-metadata-text": ("", SOUND),
    "syntax": (METADATA + "event { name = ;\n", SOUND),
    "metadata-cut": (METADATA[:400], SOUND),
    "clock-frequency": (METADATA.replace("freq = 1000000000", "freq = 0"), SOUND),
    "stream-cut": (METADATA, SOUND[:-7]),
    "header-cut": (METADATA, SOUND[:11]),
    "content-size": (METADATA, packet([(0, 10)], content_bits=9999, packet_bits=320)),
    "packet-size": (METADATA, packet([(0, 10)], packet_bits=80000)),
    "magic": (METADATA, packet([(0, 10)], magic=1)),
    "stream-number": (METADATA, packet([(0, 10)], stream=7)),
    "event-number": (METADATA, packet([(0, 10), (5, 20)])),
    "index": (METADATA, SOUND),
}


def main():
    directory = sys.argv[1]
    for name, (metadata, stream) in TRACES.items():
        path = os.path.join(directory, name)
        os.makedirs(path)
        with open(os.path.join(path, "metadata"), "w") as file:
            file.write(metadata)
        with open(os.path.join(path, "stream"), "wb") as file:
            file.write(stream)
    # LTTng's index, big-endian: of version 1.0, one packet that lies behind the end of the stream.
    os.makedirs(os.path.join(directory, "index", "index"))
    with open(os.path.join(directory, "index", "index", "stream.idx"), "wb") as file:
        bits = 8 * len(SOUND)
        file.write(struct.pack(">IIII", 0xC1F1DCC1, 1, 0, 56))
        file.write(struct.pack(">QQQQQQQ", 4096, bits, bits, 10, 30, 0, 0))


main()
