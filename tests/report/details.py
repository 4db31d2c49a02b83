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


def check_details(browser, name, path, has_base):
    """Clicks the row of a path; all its numbers are those of the JSON line."""
    browser.click(f'.row[data-path="{path["rank"]}"] .name')
    frames = path["frames"]
    sentence = f"{name}: path {path['rank']}"
    check(f"{sentence} is opened by a click",
          browser.text("#details h2").startswith(f"Path {path['rank']}: "), True)
    rows = browser.run("""
        return Array.from(document.querySelectorAll("#frames tbody tr"), (row) =>
            Array.from(row.cells, (cell) => [cell.textContent.replace(/\\u00a0/g, " "),
                                             Number(cell.dataset.ns)]))""")
    shift = 1 if has_base else 0
    check(f"{sentence} says what it costs", browser.text("#details .numbers li").split()[:-2],
          ["Δ", "cost"] if has_base else ["cost"])
    check(f"{sentence} has its functions, the culprit marked", [row[0][0] for row in rows],
          [frame["function"] + (" ◀" if i == path["culprit"] else "") for i, frame in enumerate(frames)])
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
