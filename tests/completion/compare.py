# SPDX-License-Identifier: MIT
"""Compares stacks by frame pointers, before and after they were completed, with unwound ones.

    compare.py [-v] UNWOUND BEFORE AFTER

Files with the output of tests/perf/dump-stacks of the same samples, the last one with -f. Prints
what it found as NAME VALUE; with -v, on standard error, also where frames are wrong or missing.

Stacks are compared down to the root of the one by frame pointers: such chains end where the C
library has called the program. One of a single frame is lost: the code there uses the frame pointer
for something else. A hole is a place where frames are missing between two that follow each other.
"""
import argparse
import collections
import re
import sys

FRAME = re.compile(r"(\+?[^@]*@\S*)(?: |$)")
NAMELESS = re.compile(r"(\S+)\+0x[0-9a-f]+@\1$")
SIGNAL_RETURN = "__restore_rt@"
ONE_OF = re.compile(r"\+one of (\d+): (.*)@")


def stacks(path):
    """For each stack who and when, and its user frames, root first."""
    seen = collections.Counter()
    with open(path, encoding="utf-8") as file:
        for line in file:
            thread, time, frames = line.rstrip("\n").split(" ", 2)
            user = [frame for frame in FRAME.findall(frames) if "@[k" not in frame]
            seen[thread, time] += 1
            yield (thread, time, seen[thread, time]), user[::-1]


def align(frames, truth):
    """The index in `truth` of each of `frames`, as late as possible; None where they do not fit."""
    places, at = [], len(truth)
    for frame in reversed(frames):
        at -= 1
        while at >= 0 and truth[at] != frame:
            at -= 1
        if at < 0:
            return None
        places.append(at)
    return places[::-1]


def name_signals(frames, truth):
    """The return from a signal handler is nobody's return address: the byte before has no name."""
    for i, frame in enumerate(frames):
        match = NAMELESS.match(frame)
        if match and SIGNAL_RETURN + match[1] in truth:
            frames[i] = SIGNAL_RETURN + match[1]


def holes(places):
    """Those between frames that follow each other, as the places of these."""
    return [(a, b) for a, b in zip(places, places[1:]) if b != a + 1]


class Comparison:
    def __init__(self):
        self.counts = collections.Counter()
        self.remarks = collections.Counter()

    def remark(self, what, frames, truth):
        self.remarks[f"{what}: {' '.join(frames[-5:])} IN TRUTH {' '.join(truth[-6:])}"] += 1

    def judge_choices(self, marked, truth):
        """Frames that stand for one of several functions; returns the stack without them."""
        rest = []
        for i, frame in enumerate(marked):
            match = ONE_OF.match(frame)
            if not match:
                rest.append(frame.removeprefix("+"))
                continue
            self.counts["choices"] += 1
            # What is known of the place is the frame below.
            places = align(rest, truth)
            missing = truth[places[-1] + 1].partition("@")[0] if places else ""
            names = match[2].split(", ")
            if missing not in names and names[-1] != "…":
                self.counts["wrong_choices"] += 1
                self.remark("WRONG CHOICE", marked, truth)
        return rest

    @staticmethod
    def choices_in(marked):
        return sum(ONE_OF.match(frame) is not None for frame in marked)

    def compare(self, truth, before, marked):
        self.counts["stacks"] += 1
        name_signals(before, truth)
        name_signals(marked, truth)
        places = align(before, truth)
        if len(before) == 1:
            self.counts["lost"] += 1
            return
        if places is None:
            self.counts["other"] += 1
            self.remark("OTHER", before, truth)
            return
        truth = truth[places[0]:]
        places = align(before, truth)
        after = self.judge_choices(marked, truth)
        self.counts["compared"] += 1
        self.counts["equal_before"] += before == truth
        self.counts["equal_after"] += after == truth
        self.counts["filled"] += len(after) - len(before)
        self.counts["completed"] += len(marked) > len(before)
        self.counts["holes_before"] += len(holes(places))
        new_places = align(after, truth)
        if new_places is None:
            self.counts["wrong"] += len(after) - len(before)
            self.remark("WRONG", marked, truth)
            new_places = places
        self.counts["holes_after"] += len(holes(new_places)) - self.choices_in(marked)
        for a, b in holes(new_places):
            self.remarks["MISSING: " + " ".join(
                f"[{frame}]" if a < i < b else frame
                for i, frame in enumerate(truth) if a <= i <= b)] += 1


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("-v", action="store_true", dest="is_verbose")
    parser.add_argument("files", nargs=3)
    arguments = parser.parse_args()
    comparison = Comparison()
    unwound, before, after = (dict(stacks(path)) for path in arguments.files)
    for key, frames in before.items():
        if frames and unwound.get(key):
            comparison.compare(unwound[key], frames, after[key])
    for name, value in comparison.counts.items():
        print(name, value)
    for text, count in comparison.remarks.most_common() if arguments.is_verbose else []:
        print(count, text, file=sys.stderr)


main()
