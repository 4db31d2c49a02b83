# SPDX-License-Identifier: MIT
"""The product's ranking of two recordings, and the paper's figures of it (section 5.1).

Keys of the JSON lines that are not known here are ignored.
"""

import json
import os
import re
import subprocess

from names import plain_name


class RankingFailed(Exception):
    """babeltrace2 failed; the text is its own."""


class Truth:
    """The function that a developer has to open."""

    def __init__(self, function, module):
        self.function, self.module = re.compile(function), re.compile(module)

    def is_function(self, name):
        return bool(self.function.search(plain_name(name)))

    def is_frame(self, name, module):
        return self.is_function(name) and bool(self.module.search(module))


def rank(build, base, suspect, **parameters):
    """All paths, in their order, the header and the summary; `parameters` are the sink's."""
    parameters = {"base": base.name, "format": "jsonl", **parameters}
    texts = [f'{name}="{value}"' for name, value in parameters.items()]
    command = ["babeltrace2", f"--plugin-path={build}", str(base), str(suspect),
               "--component=filter.introperf.infer", "--component=filter.introperf.normalize",
               "--component=sink.introperf.rank",
               f"--params=top=0,{','.join(texts)}"]
    done = subprocess.run(command, capture_output=True, text=True,
                          env={**os.environ, "LC_ALL": "C.UTF-8"})
    if done.returncode != 0:
        raise RankingFailed(done.stderr.strip())
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    found = {kind: [line for line in lines if line["type"] == kind]
             for kind in ("header", "path", "summary")}
    paths = sorted(found["path"], key=lambda path: path["rank"])
    return found["header"][0], paths, found["summary"][0]


def _taken(path):
    """The path was taken by the suspect, not by the base alone."""
    return path["frames"][-1]["count"] > 0


def characteristics(paths):
    """|L|, |P|, |F| and the mean length of the suspect's paths."""
    paths = [path for path in paths if _taken(path)]
    frames = [frame for path in paths for frame in path["frames"]]
    return {"modules": len({frame["module"] for frame in frames}), "paths": len(paths),
            "functions": len({(frame["function"], frame["module"]) for frame in frames}),
            "length": len(frames) / max(len(paths), 1)}


def entry_in(lines):
    """The text of the first entry in lines that a user reads, in one line; the sentence before the
    table may have lines that begin with a number, too, as "1 500 times"."""
    heads = [number for number, line in enumerate(lines) if re.match(r" *~? *1  *[+−]", line)]
    if not heads:
        return ""
    entry = lines[heads[0]:]
    ends = [number for number, line in enumerate(entry[1:], 1) if not line.startswith("     ")]
    return " ".join(" ".join(entry[:min(ends, default=None)]).split())


def first_entry(build, base, suspect):
    """The text of the first entry as a user reads it."""
    done = subprocess.run([build / "perf-introperf", "diff", "--top=1", base, suspect],
                          capture_output=True, text=True,
                          env={**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "160"})
    if done.returncode != 0:
        raise RankingFailed(done.stderr.strip())
    return entry_in(done.stdout.splitlines())


def _distance(index, places):
    return min(abs(index - place) for place in places)


def evaluate(paths, truth):
    """p_min, f_min and the culprit's distance: of the first path that holds the true function.
    A path without a culprit offers its hottest frame."""
    for path in paths:
        frames = path["frames"]
        places = [index for index, frame in enumerate(frames)
                  if truth.is_frame(frame["function"], frame["module"])]
        if places:
            hottest = min(range(len(frames)), key=lambda index: frames[index]["rank"])
            culprit = path["culprit"] if path["culprit"] is not None else hottest
            origin = path.get("origin")
            return {"p_min": path["rank"], "f_min": _distance(hottest, places),
                    "distance": _distance(culprit, places),
                    "origin": None if origin is None else _distance(origin, places),
                    "culprit": frames[culprit]["function"],
                    "culprit_module": frames[culprit]["module"], "noise": path.get("noise")}
    return dict.fromkeys(("p_min", "f_min", "distance", "origin", "culprit", "culprit_module",
                          "noise"))


def significant(paths):
    """Whether any path is said to differ, sure or likely."""
    return any(not path["noise"] for path in paths)


def sure(paths):
    """Whether any path is said to differ for sure."""
    return any(path["verdict"] == "sure" for path in paths)
