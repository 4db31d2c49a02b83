# SPDX-License-Identifier: MIT
"""The source lines of culprits on the page."""

import json
import sys
from pathlib import Path

from browser import says
from measures import CUT_OFF

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from tap import check  # noqa: E402


# What is shown of each line: its number, its text, and what it and its calls cost.
SOURCE_LINES = """
let line = 0;
return Array.from(document.querySelectorAll("#lines details[open] tr:has(.line)"), (row) => {
    const [own, time, below, called, number, code] = Array.from(row.cells, (cell) =>
        cell.textContent.replace(/\\u00a0/g, " "));
    line = number === "" ? line : Number(number);
    return { own, time, below, called, line, code };
});
"""


def check_source(browser, directory):
    """The page of a program whose costly lines are known, against what annotate says of it."""
    browser.open(directory / "source.html")
    rows = browser.run(SOURCE_LINES)
    wanted = [json.loads(line) for line in (directory.parent / "lines.jsonl").read_text().splitlines()][1:]
    own = [(row["line"], row["cpu_ns"]) for row in wanted if row["type"] == "line"]
    calls = [(row["line"], row["callee"], row["total_ns"]) for row in wanted if row["type"] == "call"]
    shown = [(row["line"], row["time"]) for row in rows if row["own"]]
    below = [(row["line"], row["called"], row["below"]) for row in rows if row["below"]]
    check("the culprit's lines are on the page, with what they cost themselves", [
        len(own) > 1, [line for line, _ in shown], [one for one, (_, ns) in zip(shown, own) if not says(one[1], ns)]],
        [True, [line for line, _ in own], []])
    check("and what their calls cost", [
        len(calls) > 1, [one[:2] for one in below],
        [one for one, (_, _, ns) in zip(below, calls) if not says(one[2], ns)]],
        [True, [one[:2] for one in calls], []])
    hot = next(row["code"] for row in rows if "HOT" in row["code"])
    check("a line is shown as it is, also where it looks like the end of the page",
          hot.rstrip().endswith("/* HOT */ // </script><!-- <b>"), True)
    check("which is the most costly one, and the reddest", browser.run("""
        const rows = Array.from(document.querySelectorAll("#lines tr[style]"));
        const colour = (row) => getComputedStyle(row).backgroundColor;
        const hot = rows.find((row) => row.textContent.includes("HOT"));
        return [colour(hot) !== colour(rows.find((row) => row !== hot)), rows.length];""")[0], True)
    browser.open(directory / "source.html", "", 400, 900)
    check("no line is cut off on a telephone", browser.run(
        "return Array.from(document.querySelectorAll('.listing'), (one) => one.scrollWidth > one.clientWidth)"
        ".filter(Boolean)") + browser.run(CUT_OFF)[1:], [0])
    browser.open(directory / "both-sources.html")
    check("a comparison has both, of which the slow one is open", [
        [text.split(": ")[0] for text in browser.texts("#lines summary")],
        len(browser.all("#lines details[open]"))], [["lines, lines.data", "short, short.data"], 1])
    for name, says_so in (("no-source", "The source lines were left out (--no-source)."),
                          ("profile-source", "There are no source lines: a page with some is made of recordings"),
                          ("piped-source", "There are no source lines, as the recording would be read once more"),
                          ("shipped", "There are no source lines: a page with some is made of recordings")):
        browser.open(directory / f"{name}.html")
        check(f"{name}: it is told why there are no lines", [
            browser.text("#lines p")[:len(says_so)], len(browser.all("#lines table"))], [says_so, 0])
    browser.open(directory / "moved-source.html")
    check("a source that is not found leaves the numbers of its lines",
          ["not found" in browser.text("#lines caption"), len(browser.all("#lines tr[style]")) > 3,
           {row["code"] for row in browser.run(SOURCE_LINES)}], [True, True, {""}])
    browser.open(directory / "stripped-source.html")
    check("without debug data, it is told what to do, and addresses stand for lines",
          ["as no debug data of lines is at hand" in browser.text("#lines p"),
           browser.texts("#lines th")[4], "0x" in browser.text("#lines .line")], [True, "address", True])
    check("none of them complains", browser.complaints(), [])
