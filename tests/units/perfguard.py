# SPDX-License-Identifier: MIT
"""The figures that PerfGuard's authors give of their programs (Table 4), of the servers here.

|UC| is how many different sets of paths the type's units have, |P| and |F| how many paths and functions one
has on average, |PG| in how many contexts a guard looks which type a unit is of, and T the limit. What one
guard costs is measured by tests/guards/run.
"""
import json
import os
import subprocess

import times
from names import without_directories
from recording import name_of_directory

# Of the units: by so many a guard's type may have more or fewer.
NEAR = 0.1

HEAD = """
## The figures of PerfGuard

Of the type that stands for each server's requests: in how many ways its units went (|UC|), with how many
paths (|P|) and functions (|F|) on average, in how many contexts a guard is to look for the type (|PG|),
from when on a unit of it is late (T), and in which part of the contexts the function and the depth of the
stack tell which one it is. Table 4 and section 7 of the paper have the same for its programs. Behind that is
how long it took to find the types of all units that were recorded. A figure that no command tells is a dash;
what a guard costs for each unit is in `doc/guards.md`.

| server | loop | units | \\|UC\\| | \\|P\\| | \\|F\\| | \\|PG\\| | T | by depth | types found in |
| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |
"""


def guarded(introperf, server, directory, row):
    """The guards' type that is the row's: of its loop, that of as many units, more or less. A guard's units last
    until the loop waits again, and it does not know all types."""
    guards = os.path.join(directory, "guards.json")
    subprocess.run([introperf, "units", "--format", "jsonl", "--guards", guards], cwd=directory, check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not os.path.exists(guards):
        return None
    with open(guards, encoding="utf-8") as file:
        loops = [loop for loop in json.load(file)["loops"]
                 if (loop["process"], loop["function"]) == (server.process, row["loop"][-1])]
    near = [one for loop in loops for one in loop["types"] if abs(one["units"] - row["count"]) <= NEAR * row["count"]]
    return min(near, default=None, key=lambda one: abs(one["units"] - row["count"]))


def took(introperf, directory):
    """How long it took to find the types of the recording."""
    told = subprocess.run([introperf, "units", "--trees", "--format", "jsonl"], cwd=directory, check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return times.text_of(json.loads(told.partition("\n")[0])["types_took_ns"]) if told else "–"


def figure(row, name):
    return f"{row[name]:.0f}" if name in row else "–"


def row(server, types, introperf, directory):
    first = types[0]
    guard = guarded(introperf, server, directory, first)
    limit = times.text_of(guard["limit_ns"]) if guard else "–"
    loop = without_directories(first["loop"][-1].split("!")[-1])
    return (f"| {server.name} | `{loop}` | {first['count']} | {figure(first, 'path_sets')} "
            f"| {figure(first, 'paths_mean')} | {figure(first, 'functions_mean')} | {figure(first, 'guard_points')} "
            f"| {limit} | {100 * first['depth_part']:.0f} % | {took(introperf, directory)} |\n")


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
