# SPDX-License-Identifier: MIT
"""Compares what other programs read in exported files with the JSON lines of the same run.

check.py speedscope ROWS READ    READ: lines of speedscope.js
check.py callgrind ROWS          callgrind_annotate's lists on standard input: own, then inclusive
check.py firefox ROWS FILE       FILE: a processed profile, which is checked first
check.py schema FILE             the same check alone
check.py svg ROWS FILE           FILE: a flame graph

ROWS is format="jsonl",by="function",method="paper",top=0,idle="ranked" of sink.introperf.rank. Functions are told
apart by name. The roots of processes are in no ranking; what is not in ROWS must be one of these.
Prints what differs, and nothing when all is the same.
"""
import collections
import json
import re
import sys
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
PROCESSES = {"shop"}
# Rows do not have them.
APART = {"[recorder]", "[lost]"}


def sums():
    return collections.defaultdict(lambda: [0, 0])


def read_rows(path, side=""):
    rows = sums()
    for line in open(path):
        row = json.loads(line)
        if row["type"] == "function":
            rows[row["function"]][0] += row[side + "own_ns"]
            rows[row["function"]][1] += row[side + "total_ns"]
    return {name: row for name, row in rows.items() if any(row)}


def compare(rows, found):
    if not rows:
        print("no rows")
    for name in sorted(set(rows) | set(found)):
        if name not in PROCESSES | APART and rows.get(name) != found.get(name):
            print(name, "is", found.get(name), "and not", rows.get(name))
    whole = sum(total for name, (_, total) in found.items() if name in PROCESSES)
    parts = sum(own for own, _ in found.values())
    if whole != parts or whole == 0:
        print("the parts are", parts, "and the whole", whole)


def read_speedscope(path, index):
    """Of the profile with this number, or of all."""
    found = sums()
    for number, line in enumerate(open(path)):
        profile = json.loads(line)
        scale = {"microseconds": 1000}.get(profile["unit"], 1)
        for name, weights in profile["frames"].items():
            if index in (None, number):
                found[name][0] += round(weights["self"] * scale)
                found[name][1] += round(weights["total"] * scale)
    return {name: row for name, row in found.items() if any(row)}


def read_annotated(lines):
    lists = [sums(), sums()]
    at = -1
    for line in lines:
        if line.startswith("Profile data file"):
            at += 1
        row = re.match(r" *([\d,]+) +[^:]*:(.*) \[[^:]*$", line)
        if row:
            lists[at][row[2]][0] += int(row[1].replace(",", ""))
    own, inclusive = lists
    return {name: [own[name][0], inclusive[name][0]] for name in inclusive}


def check(what, value, kind):
    """`kind` is a type, a tuple of them, a list with the kind of its elements, or a set of values."""
    if isinstance(kind, list):
        good = isinstance(value, list)
        if good:
            for index, element in enumerate(value):
                check(f"{what}[{index}]", element, kind[0])
    elif isinstance(kind, set):
        good = value in kind
    elif isinstance(kind, dict):
        good = isinstance(value, dict)
        if good:
            check_members(what, value, kind)
    else:
        kinds = kind if isinstance(kind, tuple) else (kind,)
        good = isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))
    if not good:
        print(what, "is", repr(value)[:60])


def check_members(what, value, members):
    for name, kind in members.items():
        optional = name.endswith("?")
        name = name.rstrip("?")
        if name in value:
            check(f"{what}.{name}", value[name], kind)
        elif not optional:
            print(what, "lacks", name)
    known = {name.rstrip("?") for name in members}
    for name in value:
        if name not in known:
            print(what, "has", name)


def table(**columns):
    return dict(columns, length=int)


NUMBER = (int, float)
NONE = type(None)
# The types of a processed profile of version 58, from the profiler's src/types/profile.ts and
# markers.ts, without what only a browser records.
THREAD = {
    "processType": str, "processStartupTime": NUMBER, "processShutdownTime": (int, float, NONE),
    "registerTime": NUMBER, "unregisterTime": (int, float, NONE),
    "pausedRanges": [{"startTime": NUMBER, "endTime": NUMBER, "reason": str}],
    "showMarkersInTimeline?": bool, "name": str, "isMainThread": bool, "processName?": str,
    "pid": str, "tid": (int, str),
    "samples": table(stack=[(int, NONE)], time=[NUMBER], weight=[NUMBER],
                     weightType={"samples", "tracing-ms", "bytes"}),
    "markers": table(data=[{"type": str, "module": str, "lower_ns": int, "upper_ns": int,
                            "cpu_ns": int, "blocked_ns": int, "runnable_ns": int,
                            "max_calls": int}],
                     name=[int], startTime=[NUMBER], endTime=[NUMBER], phase=[{0, 1, 2, 3}],
                     category=[int]),
    "stackTable": table(frame=[int], prefix=[(int, NONE)]),
    "frameTable": table(address=[int], inlineDepth=[int], category=[(int, NONE)],
                        subcategory=[(int, NONE)], func=[int], nativeSymbol=[(int, NONE)],
                        innerWindowID=[(int, NONE)], line=[(int, NONE)], column=[(int, NONE)]),
    "funcTable": table(name=[int], isJS=[bool], relevantForJS=[bool], resource=[int],
                       source=[(int, NONE)], lineNumber=[(int, NONE)],
                       columnNumber=[(int, NONE)]),
    "resourceTable": table(lib=[(int, NONE)], name=[int], host=[(int, NONE)], type=[int]),
    "nativeSymbols": table(libIndex=[int], address=[int], name=[int],
                           functionSize=[(int, NONE)]),
}
COLORS = {"transparent", "purple", "green", "orange", "yellow", "lightblue", "blue", "brown",
          "magenta", "red", "lightred", "darkgrey", "grey"}
PLACES = {"marker-chart", "marker-table", "timeline-overview", "timeline-memory", "timeline-ipc",
          "timeline-fileio", "stack-chart"}
FORMATS = {"string", "duration", "time", "seconds", "milliseconds", "microseconds", "nanoseconds",
           "bytes", "percentage", "integer", "decimal"}
PROFILE = {
    "meta": {
        "interval": NUMBER, "startTime": NUMBER, "profilingStartTime?": NUMBER,
        "profilingEndTime?": NUMBER, "processType": int, "product": str, "importedFrom?": str,
        "stackwalk": {0, 1}, "version": int, "preprocessedProfileVersion": {58},
        "symbolicated?": bool, "symbolicationNotSupported?": bool,
        "sourceCodeIsNotOnSearchfox?": bool, "usesOnlyOneStackType?": bool,
        "categories?": [{"name": str, "color": COLORS, "subcategories": [str]}],
        "markerSchema": [{"name": str, "display": [PLACES], "tooltipLabel?": str,
                          "chartLabel?": str, "tableLabel?": str, "isStackBased?": bool,
                          "description?": str,
                          "fields": [{"key": str, "label?": str, "format": FORMATS}]}],
    },
    "libs": list,
    "threads": [THREAD],
    "shared": {"stringArray": [str], "sources": table(uuid=list, filename=[int])},
}


def check_tables(what, value):
    """Columns are as long as their table says."""
    for name, member in value.items():
        if isinstance(member, dict):
            check_tables(f"{what}.{name}", member)
        elif isinstance(member, list) and "length" in value and len(member) != value["length"]:
            print(f"{what}.{name} has {len(member)} rows, not {value['length']}")


def check_firefox(profile):
    check("profile", profile, PROFILE)
    meta = profile["meta"]
    if not any(category["color"] == "grey" for category in meta["categories"]):
        print("no default category")
    schemas = {schema["name"] for schema in meta["markerSchema"]}
    strings = profile["shared"]["stringArray"]
    for thread in profile["threads"]:
        check_tables(thread["name"], thread)
        markers = thread["markers"]
        if not all(name < len(strings) for name in markers["name"]):
            print("a marker without a name")
        if not all(category < len(meta["categories"]) for category in markers["category"]):
            print("a marker of no category")
        if not all(data["type"] in schemas for data in markers["data"]):
            print("a marker of no schema")
        check_samples(thread, profile)


def check_indices(what, values, length):
    """None or below `length`."""
    if any(value is not None and not 0 <= value < length for value in values):
        print(what, "is nowhere")


def check_samples(thread, profile):
    stacks, frames, functions = thread["stackTable"], thread["frameTable"], thread["funcTable"]
    strings = len(profile["shared"]["stringArray"])
    check_indices("a sample's stack", thread["samples"]["stack"], stacks["length"])
    check_indices("a stack's frame", stacks["frame"], frames["length"])
    check_indices("a frame's function", frames["func"], functions["length"])
    check_indices("a frame's category", frames["category"], len(profile["meta"]["categories"]))
    check_indices("a function's name", functions["name"], strings)
    check_indices("a resource's name", thread["resourceTable"]["name"], strings)
    check_indices("a function's resource", [resource for resource in functions["resource"]
                                            if resource != -1], thread["resourceTable"]["length"])
    if any(prefix is not None and prefix >= i for i, prefix in enumerate(stacks["prefix"])):
        print("a stack comes before the one that it is on")
    times = thread["samples"]["time"]
    for i, (begin, end) in enumerate(zip(times, times[1:])):
        if round(begin * 10**6) + round(thread["samples"]["weight"][i] * 10**6) != round(end * 10**6):
            print("sample", i, "does not last until the next one")
            break


def names_of(thread, strings, stack):
    """Names of functions, the innermost first."""
    names = []
    while stack is not None:
        function = thread["frameTable"]["func"][thread["stackTable"]["frame"][stack]]
        names.append(strings[thread["funcTable"]["name"][function]])
        stack = thread["stackTable"]["prefix"][stack]
    return names


def read_samples(profile):
    """Own and total time by name, as the call tree shows them."""
    found = sums()
    for thread in profile["threads"]:
        samples = thread["samples"]
        for stack, weight in zip(samples["stack"], samples["weight"]):
            names = names_of(thread, profile["shared"]["stringArray"], stack)
            for name in set(names):
                found[name][1] += round(weight * 10**6)
            if names:
                found[names[0]][0] += round(weight * 10**6)
    return {name: row for name, row in found.items() if any(row)}


def read_markers(profile):
    """Own and total time by name, from nested markers in the order of their begins."""
    found = sums()
    strings = profile["shared"]["stringArray"]
    for thread in profile["threads"]:
        markers = thread["markers"]
        stack = []
        for name, begin, end in zip(markers["name"], markers["startTime"], markers["endTime"]):
            name, begin, end = strings[name], round(begin * 10**6), round(end * 10**6)
            while stack and stack[-1] <= begin and end > stack[-1]:
                stack.pop()
            if stack and not end <= stack[-1]:
                print("not nested:", name, begin, end)
            stack.append(end)
            found[name][1] += end - begin
    return found


def svg_frames(path):
    """Name, left end, width and lower end of each frame, in pixels."""
    for group in ElementTree.parse(path).iter(SVG + "g"):
        rect = group.find(SVG + "rect")
        yield (group.find(SVG + "title").text.rsplit(": ", 1)[0], float(rect.get("x")),
               float(rect.get("width")), float(rect.get("y")))


def compare_svg(rows, path):
    """Frames lie on their callers, and those of the larger functions are as wide as their time, to the
    half pixel that lies between two frames."""
    frames = list(svg_frames(path))
    below = collections.defaultdict(list)
    for _, x, width, y in frames:
        below[y].append((x, x + width))
    rows_of_frames = sorted(below)
    for name, x, width, y in frames:
        under = next((row for row in rows_of_frames if row > y), None)
        if under and not any(begin - .6 <= x and x + width <= end + .6 for begin, end in below[under]):
            print(f"{name} at {x}, {y} lies on nothing")
    widest = max(rows, key=lambda name: rows[name][1])
    widths = collections.defaultdict(list)
    for name, _, width, _ in frames:
        widths[name].append(width)
    scale = rows[widest][1] / sum(widths[widest])
    for name, (_, total) in rows.items():
        shown = sum(widths[name]) * scale
        if total > rows[widest][1] / 20 and abs(shown - total) > (len(widths[name]) + 1) * scale:
            print(f"{name}: {shown:.0f} ns wide, {total} ns")


def main(command, *arguments):
    if command == "speedscope":
        compare(read_rows(arguments[0]), read_speedscope(arguments[1], None))
    elif command == "two":
        compare(read_rows(arguments[0]), read_speedscope(arguments[1], 0))
        compare(read_rows(arguments[0], "base_"), read_speedscope(arguments[1], 1))
    elif command == "callgrind":
        compare(read_rows(arguments[0]), read_annotated(sys.stdin))
    elif command == "svg":
        compare_svg(read_rows(arguments[0]), arguments[1])
    elif command == "schema":
        check_firefox(json.load(open(arguments[0])))
    elif command == "firefox":
        profile = json.load(open(arguments[1]))
        check_firefox(profile)
        rows = {name: total for name, (_, total) in read_rows(arguments[0]).items()}
        found = {name: total for name, (_, total) in read_markers(profile).items()
                 if total and name not in PROCESSES | APART}
        if not rows or rows != found:
            print("differ:", sorted(set(rows.items()) ^ set(found.items())))
        compare(read_rows(arguments[0]), read_samples(profile))
    else:
        sys.exit(f"unknown: {command}")


main(*sys.argv[1:])
