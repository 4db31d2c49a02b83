# SPDX-License-Identifier: MIT
"""When it was: runs, units of work and what threads did, on the page."""

import re
import sys
from pathlib import Path

from selenium.webdriver.common.keys import Keys

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from tap import check  # noqa: E402


def check_runs(browser, directory):
    """Two recordings of one workload, a day apart, of 50 µs each."""
    browser.open(directory / "runs.html", "view=time")
    check("each call counts from the beginning of its own recording, by its clock",
          browser.texts("#slowest li"),
          ["10 µs after 5.0 µs: 00:00:00.000005 UTC, clock 0.000005, thread 7, later.data",
           "9.0 µs after 5.0 µs: 00:00:00.000005 UTC, clock 0.000005, thread 7, <i>slow</i> \"new\"\ufffd\ufffd.data"])
    check("the timeline is as long as they are", browser.texts("#view .axis text")[-1].endswith(" µs"), True)


def check_units(browser, directory):
    """A server whose units are of four types."""
    browser.open(directory / "units.html", "view=time")
    rows = [text for text in browser.texts(".lane text") if text.startswith("units of ")]
    check("the slowest units of each type stand above the calls", sorted(rows),
          ["units of ask_all", "units of serve: answer", "units of serve: hand_over", "units of work"])
    check("these are the first rows", browser.texts(".lane text")[:4], rows)
    check("eight of each are there", len(browser.all(".lane .call")) >= 32, True)
    check_unit_rows(browser, directory)
    check_lives(browser, directory)
    check_arrows(browser, directory)
    check("nothing went wrong", browser.complaints(), [])


# How much of each thread's picture is painted, right of its label.
PAINTED = """
return Array.from(document.querySelectorAll(".life canvas"), (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let painted = 0;
    for (let i = 3; i < data.length; i += 4) {
        painted += data[i] > 0;
    }
    return painted / (data.length / 4);
});
"""


# For each type of units: how long all are together, and how long they are in the rows above the threads;
# and how long the cells are, of which one that a unit only begins or ends in is all its own.
UNIT_ROWS = """
const data = JSON.parse(document.getElementById("data").textContent);
const { cell_ns: cell, threads } = data.lives.suspect;
const rows = data.units.suspect.map(() => 0);
threads.forEach(({ units }) => {
    for (let i = 0; i < units.length; i += 3) {
        if (units[i + 1] > 0) {
            rows[units[i + 1] - 1] += units[i] * cell;
        }
    }
});
return data.units.suspect.map(({ count, total_ns: total }, i) => [count, total, rows[i], cell]);
"""

# Moves the pointer over the first thread's picture, from left to right, until it is on a unit.
UNIT_TIP = """
const canvas = document.querySelector(".life canvas");
const { left, top, width } = canvas.getBoundingClientRect();
for (let x = 0; x < width; x++) {
    canvas.dispatchEvent(new MouseEvent("mousemove", { clientX: left + x, clientY: top + 4 }));
    if (document.getElementById("tip").textContent.startsWith("unit of ")) {
        return document.getElementById("tip").textContent.replace(/\\u00a0/g, " ");
    }
}
return "";
"""


def check_unit_rows(browser, directory):
    """All units of the shown threads, which are all that the server has."""
    browser.open(directory / "units.html", "view=time")
    types = browser.run(UNIT_ROWS)
    check("above each thread are its units, of all types, as long as they are", [len(types) > 2] + [
        count for count, total, shown, cell in types if not 0 < shown or abs(shown - total) > 2 * count * cell],
        [True])
    check("a unit says what it is", re.match(
        r"unit of [^\n]+\nthread [0-9]+, about [0-9.]+ .?s after [0-9.]+ .?s$", browser.run(UNIT_TIP)) is not None, True)
    browser.click("#zoom [aria-label=Nearer]")
    check("also when one looks nearer", browser.run(UNIT_TIP).startswith("unit of "), True)


def check_lives(browser, directory):
    """What the threads did, all of the time, and a part of it."""
    browser.open(directory / "units.html", "view=time")
    painted = browser.run(PAINTED)
    check("threads have pictures of what they did", [1 <= len(painted) <= 6, max(painted) > 0.3], [True, True])
    whole = browser.texts("#times .axis text")
    browser.click("#zoom [aria-label=Nearer]")
    check("one sees a part of it nearer, and the address says so",
          [browser.texts("#times .axis text") != whole, "from=" in browser.fragment()], [True, True])
    nearer = browser.texts("#times .axis text")
    browser.click("#zoom [aria-label=Later]")
    check("and what comes later", browser.texts("#times .axis text") != nearer, True)
    browser.keys(Keys.ESCAPE)
    check("Esc goes back to all of it", browser.texts("#times .axis text"), whole)


# Of each arrow: whether it begins and ends at strips of different threads, and what it says.
ARROWS = """
const strips = Array.from(document.querySelectorAll(".life"), (e) => [e.offsetTop, e.offsetTop + e.offsetHeight]);
const rowAt = (y) => strips.findIndex(([top, bottom]) => top <= y && y <= bottom);
return Array.from(document.querySelectorAll(".arrow"), (arrow) => {
    const [, from, to] = arrow.querySelector(".line").getAttribute("d").match(/M[^,]+,([^V]+)V([^M]+)M/).map(Number);
    arrow.dispatchEvent(new MouseEvent("mousemove", {}));
    const rows = [rowAt(from), rowAt(to)];
    return [rows[0] >= 0 && rows[1] >= 0 && rows[0] !== rows[1], rows.map((row) => document
        .querySelectorAll(".life span")[row].textContent.match(/thread ([0-9]+)/)[1]),
        document.getElementById("tip").textContent.replace(/\\u00a0/g, " ")];
});
"""


def check_arrows(browser, directory):
    """A worker that waits for jobs, which another thread hands over."""
    browser.open(directory / "units.html", "view=time")
    arrows = browser.run(ARROWS)
    check("arrows show who waits for whom", [len(arrows) > 0, [one for one in arrows if not one[0]]], [True, []])
    pattern = r"thread ([0-9]+) waits [0-9.]+ .?s for thread ([0-9]+), which wakes it in \S+, after [0-9.]+ .?s"
    told = [re.fullmatch(pattern, text) for _, _, text in arrows]
    check("from whom is waited for to who waits, as their tips say",
          [bool(one) and [one[2], one[1]] == rows for one, (_, rows, _) in zip(told, arrows)], [True] * len(arrows))
    check("the legend has swatches, the arrow and what goes to the right", [
        word in browser.text("#legend") for word in ("on a CPU", "blocked", "waiting for a CPU", "culprit", "\u2191", "Time")],
        [True] * 6)
    check("the axis has units", [text for text in browser.texts("#times .axis text")
          if not re.fullmatch(r"[0-9.]+ (ns|\u00b5s|ms|s|min|h)", text)], [])


# Of the first request's picture: where the bars are, and their colours.
HOPS = """
const bars = Array.from(document.querySelector(".request").querySelectorAll(".hop"));
return bars.map((bar) => [Number(bar.getAttribute("x")), Number(bar.getAttribute("width")), Number(bar.getAttribute("y")),
    bar.getAttribute("fill")]);
"""

HOP_TIPS = """
return Array.from(document.querySelector(".request").querySelectorAll(".hop")).map((hop) => {
    hop.dispatchEvent(new MouseEvent("mousemove", {}));
    return document.getElementById("tip").textContent.replace(/\\u00a0/g, " ");
});
"""

# Of times, in seconds.
UNITS = {"ns": 1e-9, "\u00b5s": 1e-6, "ms": 1e-3, "s": 1}

HOP_TIP = """
document.querySelector(".request").querySelectorAll(".hop")[2].dispatchEvent(new MouseEvent("mousemove", {}));
return document.getElementById("tip").textContent.replace(/\\u00a0/g, " ");
"""

LINKS = """return document.querySelector(".request").querySelectorAll("path").length;"""

CLICK = """document.querySelector(".request").dispatchEvent(new MouseEvent("click", { bubbles: true }));"""


def check_requests(browser, directory):
    """A client that asks a server, which asks another one, where the time goes."""
    browser.open(directory / "requests.html", "view=time")
    check("the slowest requests stand on the timeline, with their ways",
          [re.sub(r"of \S+ \S+:", "of TIME:", text) for text in browser.texts(".request text") if text.startswith("request")],
          ["request of TIME: client \u2192 pages \u2192 rows"] * 8)
    browser.run(CLICK)
    bars = browser.run(HOPS)
    check("a click shows one from nearby", bars[0][1] > 500, True)
    check("each hop lies below the one that asked it, and within",
          all(inner[0] >= outer[0] and inner[0] + inner[1] <= outer[0] + outer[1] + 1 and inner[2] > outer[2]
              for outer, inner in zip(bars, bars[1:])), True)
    # In the slowest request that is up to the machine's load: as their tips say.
    own = [float(took) * UNITS[unit] for tip in browser.run(HOP_TIPS)
           for took, unit in re.findall(r"of it ([0-9.]+) (\S+) in it", tip)]
    colors = [color for _, _, _, color in bars]
    check("the one that took most is marked", [colors.count(color) == 1 for color in colors], [part == max(own) for part in own])
    # On a busy machine, the slowest request may have waited for a CPU elsewhere.
    tip = re.sub(r"\d+(\.\d+)? (\u00b5|m)?s", "TIME", browser.run(HOP_TIP)).split("\n")[1:2]
    check("and says in which function", [re.sub("(serve_rows|receive|main)$", "fetch_row", text) for text in tip],
          ["of it TIME in it, mostly in fetch_row"])
    check("lines lead to each hop and back", browser.run(LINKS), 4)
    browser.open(directory / "both-requests.html", "view=time")
    check("in a comparison there are those of both", len(browser.all(".request")), 16)
    check("nothing went wrong with requests", browser.complaints(), [])
