# SPDX-License-Identifier: MIT
"""What the page says of one path, against the JSON lines of the same run."""

import json
import sys
from pathlib import Path

from browser import says

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from tap import check  # noqa: E402


def read_lines(path):
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return {kind: [line for line in lines if line["type"] == kind]
            for kind in ("header", "path", "summary")}


def pair(text):
    """ "20 ms → 593 ms", or one time. """
    return text.split(" → ")


def calls(frame, side=""):
    """How often it was called; "≥" before what is only the least."""
    seen, possible = frame[f"{side}count"], frame[f"{side}possible_count"]
    is_close = possible is not None and possible - seen <= seen / 20
    return ("" if is_close or seen == 0 else "≥") + str(seen)


def select_path(browser, rank):
    """In the list of all paths."""
    browser.keys("2")
    browser.click(f'#view .path[data-path="{rank}"] .name')


def as_read(frames, at):
    """From the culprit to its callers, and what it calls."""
    return frames[at:at + 1] + frames[:at][::-1] + frames[at + 1:]


def frames_as_read(browser, path):
    """Where a path has no culprit, the page begins with a function that it chooses."""
    names = [name.removesuffix(" ◀") for name in browser.texts("#frames tr[data-node] td:first-child")]
    places = [path["culprit"]] if path["culprit"] is not None else range(len(path["frames"]))
    orders = [as_read(path["frames"], at) for at in places]
    return next((frames for frames in orders if [frame["function"] for frame in frames] == names), orders[0])


def check_details(browser, name, path, has_base):
    """Clicks the row of a path; all its numbers are those of the JSON line."""
    select_path(browser, path["rank"])
    frames = frames_as_read(browser, path)
    sentence = f"{name}: path {path['rank']}"
    check(f"{sentence} is opened by a click",
          browser.text("#details h2").startswith(f"Path {path['rank']}: "), True)
    rows = browser.run("""
        return Array.from(document.querySelectorAll("#frames tr[data-node]"), (row) =>
            Array.from(row.cells, (cell) => [cell.textContent.replace(/\\u00a0/g, " "),
                                             Number(cell.dataset.ns)]))""")
    shift = 1 if has_base else 0
    check(f"{sentence} says what it costs", browser.text("#details .numbers li").split()[:-2],
          ["Δ", "cost"] if has_base else ["cost"])
    check(f"{sentence} has its functions from the culprit on, which is marked", [row[0][0] for row in rows],
          [frame["function"] + (" ◀" if i == 0 and path["culprit"] is not None else "")
           for i, frame in enumerate(frames)])
    check(f"{sentence} has their modules", [row[1][0] for row in rows],
          [frame["module"] for frame in frames])
    check(f"{sentence} has their own latencies, to the nanosecond",
          [row[2 + shift][1] for row in rows], [frame["own_ns"] for frame in frames])
    check(f"{sentence} says them as they are rounded",
          [row[2 + shift][0] for row, frame in zip(rows, frames)
           if not says(pair(row[2 + shift][0])[-1], frame["own_ns"])], [])
    check(f"{sentence} has their totals, to the nanosecond",
          [row[3 + shift][1] for row in rows], [frame["total_ns"] for frame in frames])
    if has_base:
        check(f"{sentence} has what changed, to the nanosecond", [row[2][1] for row in rows],
              [frame["own_ns"] - frame["base_own_ns"] for frame in frames])
        check(f"{sentence} has the base's totals", [row[4][0] for row, frame in zip(rows, frames)
              if not says(pair(row[4][0])[0], frame["base_total_ns"])], [])
    check(f"{sentence} has their calls",
          [row[5 + shift][0].replace(" ", "").replace("→", " ") for row in rows],
          [(f"{calls(frame, 'base_')} " if has_base else "") + calls(frame) for frame in frames])
