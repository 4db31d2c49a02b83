# SPDX-License-Identifier: MIT
"""The figures that PerfGuard's authors give of their programs (Table 4), of the servers here.

|UC| is how many different sets of paths the type's units have, |P| and |F| how many paths and functions one
has on average, |PG| in how many contexts a guard looks which type a unit is of, and T the limit.
"""
import json
import os
import subprocess

import times
from recording import name_of_directory

HEAD = """
## The figures of PerfGuard

Of the type that stands for each server's requests: in how many ways its units went (|UC|), with how many
paths (|P|) and functions (|F|) on average, in how many contexts a guard is to look for the type (|PG|), and
from when on a unit of it is late (T). Table 4 of the paper has the same for its programs; a figure that no
command tells is a dash.

| server | loop | units | \\|UC\\| | \\|P\\| | \\|F\\| | \\|PG\\| | T |
| --- | --- | --: | --: | --: | --: | --: | --: |
"""


def guarded(introperf, server, directory, row):
    """The guards' type that is the row's."""
    guards = os.path.join(directory, "guards.json")
    subprocess.run([introperf, "units", "--format", "jsonl", "--guards", guards], cwd=directory, check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not os.path.exists(guards):
        return None
    with open(guards, encoding="utf-8") as file:
        types = [one for loop in json.load(file)["loops"] if loop["process"] == server.process for one in loop["types"]]
    return next((one for one in types if (one["units"], one["max_ns"]) == (row["count"], row["max_ns"])), None)


def figure(row, name):
    return f"{row[name]:.0f}" if name in row else "–"


def row(server, types, introperf, directory):
    first = types[0]
    guard = guarded(introperf, server, directory, first)
    contexts, limit = (len(guard["contexts"]), times.text_of(guard["limit_ns"])) if guard else ("–", "–")
    loop = first["loop"][-1].split("!")[-1]
    return (f"| {server.name} | `{loop}` | {first['count']} | {figure(first, 'path_sets')} "
            f"| {figure(first, 'mean_paths')} | {figure(first, 'mean_functions')} | {contexts} | {limit} |\n")


def section(introperf, directory, servers, types_of):
    """The text for doc/units.md, of the servers that have been recorded."""
    text = HEAD
    for server in servers:
        own = os.path.join(directory, name_of_directory(server.name))
        if not os.path.exists(os.path.join(own, "perf.data")):
            continue
        try:
            types, _ = types_of(introperf, server, own)
        except OSError:
            types = []
        if types:
            text += row(server, types, introperf, own)
    return text
