# SPDX-License-Identifier: MIT
"""hostile.py NAMES FORMAT FILE: FILE, from `scene hostile FORMAT`, holds the names as data.

NAMES is what `scene names` prints. Prints what is wrong.
"""
import gzip
import json
import re
import sys
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def check(what, got, wanted):
    if got != wanted:
        print(f"{what}: {str(got)[:200]!r} is not {str(wanted)[:200]!r}")


def plain(name):
    """As a name is in text: what is not seen as one character is replaced."""
    return "".join(c if c.isprintable() else " " if c == "\t" else "\ufffd" for c in name) or "?"


def check_speedscope(names, data):
    document = json.loads(data)
    frames = [frame["name"] for frame in document["shared"]["frames"]]
    modules = [frame["file"] for frame in document["shared"]["frames"]]
    sampled, evented = document["profiles"]
    check("modules", modules[1:], names)
    check("sampled", [frames[i] for i in sampled["samples"][-1]], names)
    check("weights", sampled["weights"], list(range(1, len(names) + 1)))
    check("begins", [frames[e["frame"]] for e in evented["events"] if e["type"] == "O"], names)
    check("name", document["name"], names[1])
    check("thread", evented["name"], names[0] + " (pid 1, tid 1)")


def check_chrome(names, data):
    events = json.loads(data)["traceEvents"]
    check("processes", {e["args"]["name"] for e in events if e["name"] in ("process_name", "thread_name")}, {names[0]})
    begins = [e["name"] for e in events if e["ph"] == "B"]
    ends = [e for e in events if e["ph"] == "E"]
    # Without arguments; what is told in full comes with the end.
    check("begins", begins, [re.sub(r"\([^()]*\)", "", name) for name in names])
    check("ends", [e["name"] for e in ends], begins[::-1])
    check("functions", [e["args"]["function"] for e in ends], names[::-1])
    check("modules", [e["args"]["module"] for e in ends], names[::-1])


def check_firefox(names, data):
    profile = json.loads(data)
    markers = profile["threads"][0]["markers"]
    strings = profile["shared"]["stringArray"]
    check("markers", [strings[name] for name in markers["name"]], names)
    check("modules", [payload["module"] for payload in markers["data"]], names)
    check("name", profile["threads"][0]["name"], names[0])
    thread = profile["threads"][0]
    stacks, functions = thread["stackTable"], thread["funcTable"]
    check("stacks", stacks["prefix"], [None] + list(range(len(names) - 1)))
    called = [thread["frameTable"]["func"][frame] for frame in stacks["frame"]]
    check("functions", [strings[functions["name"][i]] for i in called], names)
    check("libraries", [strings[thread["resourceTable"]["name"][functions["resource"][i]]]
                        if functions["resource"][i] >= 0 else "" for i in called], names)
    check("weights", sorted(thread["samples"]["weight"]), [n / 10**6 for n in range(len(names) + 1)])


def check_folded(names, data, values=1):
    frames = [plain(name).replace(";", ":") for name in names]
    frames = [re.sub(r" ([\d.]+)$", r"_\1", frame) for frame in frames]
    lines = data.decode().split("\n")
    check("last line", lines.pop(), "")
    wanted = [";".join(frames[:i + 1]) + f" {i + 1}" * values for i in range(len(frames))]
    check("lines", lines, wanted)


def check_callgrind(names, data):
    lines = data.decode().split("\n")
    labels = [plain(name) for name in names]
    found = [line.split(") ", 1)[1] for line in lines if re.match(r"c?fn=\(\d+\) ", line)]
    check("functions", found, labels)
    known = re.compile(r"$|# callgrind format$|(version|creator|cmd|positions|events|summary): .*"
                       r"|c?(fn|ob|fl)=\(\d+\)( .*)?$|calls=\d+ 0$|0 \d+$")
    check("lines of no kind", [line for line in lines if not known.match(line)], [])
    check("objects", [line.split(") ", 1)[1] for line in lines if re.match(r"c?ob=\(\d+\) ", line)],
          [plain(name) if name else "???" for name in names])


def check_pprof(names, data):
    raw = gzip.decompress(data)
    check("names that are missing",
          [name for name in names if name and plain(name).encode() not in raw], [])
    raw.decode("utf-8", "replace")
    check("bytes that are no UTF-8", b"\377\376 no" in raw, False)


def check_svg(names, data):
    tree = ElementTree.fromstring(data)
    titles = [title.text for title in tree.iter(SVG + "title")]
    check("names that are missing",
          [name for name in names if name and not any(shown.startswith(plain(name) + ": ")
                                                      for shown in titles)], [])
    check("what is no picture", {element.tag for element in tree.iter()} -
          {SVG + tag for tag in ("svg", "g", "rect", "text", "title")}, set())


def check_unseen(text):
    """Whoever looks at a file in a terminal sees all of it."""
    check("characters that are not seen", sorted({c for c in text if not c.isprintable()}), ["\n"])


def main(names_file, kind, file):
    names = open(names_file, "rb").read().split(b"\0")[:-1]
    names = [name.decode("utf-8", "replace") for name in names]
    data = open(file, "rb").read()
    if kind != "pprof":
        check_unseen(data.decode())
    if kind == "folded2":
        check_folded(names, data, 2)
    else:
        globals()["check_" + kind](names, data)


main(*sys.argv[1:])
