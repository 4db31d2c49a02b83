# SPDX-License-Identifier: MIT
"""Saves the samples of a recording for the stand-in of perf's Python module.

    perf script -i PERF.DATA -s save-samples.py -- FILE

Of a frame the module tells its address, its symbol's name and its file only.
"""
import pickle
import struct
import sys

samples = []


def frame(node):
    return {"ip": node["ip"], "dso": node.get("dso", "[unknown]"),
            "symbol": node.get("sym", {}).get("name", "[unknown]")}


def save(sample):
    kind, = struct.unpack_from("<I", sample["attr"])
    config, = struct.unpack_from("<Q", sample["attr"], 8)
    sample_type, = struct.unpack_from("<Q", sample["attr"], 24)
    numbers = sample["sample"]
    samples.append({
        "evsel": {"name": sample["ev_name"], "type": kind, "config": config,
                  "sample_type": sample_type},
        "sample_pid": numbers["pid"], "sample_tid": numbers["tid"], "sample_ip": numbers["ip"],
        "sample_time": numbers["time"], "sample_cpu": numbers["cpu"],
        "raw_buf": sample["raw_buf"], "comm": sample["comm"],
        "callchain": [frame(node) for node in sample["callchain"]],
        "dso_long_name": sample.get("dso"), "dso_bid": sample.get("dso_bid"),
        "map_start": sample.get("dso_map_start"), "map_end": sample.get("dso_map_end"),
        # What it is the offset of, perf script does not tell.
        "map_pgoff": None,
        "symbol": sample.get("symbol"),
        "sym_start": numbers["ip"] - sample["symoff"] if "symoff" in sample else None,
    })


def trace_unhandled(name, context, fields, sample):
    save(sample)


def process_event(sample):
    save(sample)


def trace_end():
    with open(sys.argv[-1], "wb") as file:
        pickle.dump(samples, file)
