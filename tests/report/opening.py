# SPDX-License-Identifier: MIT
"""What a stranger sees first: the sentence, the flame graph with the culprit, and the first paths."""

import re
import sys
from pathlib import Path

from browser import says
from details import as_read

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from tap import check  # noqa: E402

KINDS = ("on a CPU", "blocked", "waiting for a CPU")

# What is in the window without scrolling, and in this order: the sentence, the legend, and in the view the mark
# of the culprit.
FIRST_SCREEN = """
const place = (selector) => document.querySelector(selector).getBoundingClientRect();
const [sentence, legend, view] = ["#sentence", "#legend", "#view"].map(place);
const mark = place(".mark");
return [sentence.top >= 0 && sentence.bottom <= legend.top && legend.bottom <= view.top,
    mark.top >= view.top && mark.bottom <= Math.min(view.bottom, innerHeight) && mark.left >= 0 &&
    mark.right <= innerWidth + 1, scrollY];
"""

# The marked box: its node, and its colour.
MARKED = """
const ring = document.querySelector(".mark .ring").getBoundingClientRect();
const box = Array.from(document.querySelectorAll(".box.culprit")).find((one) => {
    const { left, top } = one.querySelector(".frame").getBoundingClientRect();
    return Math.abs(left - ring.left) < 3 && Math.abs(top - ring.top) < 3;
});
return [Number(box.dataset.node), box.querySelector(".frame").getAttribute("fill")];
"""

# The legend's swatches: words to colours, "#rrggbb".
SWATCHES = """
const hex = (colour) => "#" + colour.match(/[0-9]+/g).slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, "0")).join("");
return Object.fromEntries(Array.from(document.querySelectorAll("#legend .key"), (key) =>
    [key.parentNode.textContent.replace(/\\u00a0/g, " "), hex(getComputedStyle(key).backgroundColor)]));
"""

# The legend's times of kinds, in nanoseconds, by colour.
LEGEND_TIMES = """
const hex = (colour) => "#" + colour.match(/[0-9]+/g).slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, "0")).join("");
const units = { ns: 1, "\u00b5s": 1e3, ms: 1e6, s: 1e9 };
return Object.fromEntries(Array.from(document.querySelectorAll("#legend .key"), (key) => {
    const time = key.parentNode.textContent.match(/([0-9.]+)\u00a0(ns|\u00b5s|ms|s)$/);
    return [hex(getComputedStyle(key).backgroundColor), time ? Number(time[1]) * units[time[2]] : 0];
}));
"""

# Of each bar below the picture: its path, cost, culprit, and of its parts the kinds and the lengths.
BARS = """
return Array.from(document.querySelectorAll("#paths .path"), (row) => ({
    rank: Number(row.dataset.path),
    cost: row.querySelector(".cost").textContent.replace(/\\u00a0/g, " "),
    name: row.querySelector(".name").textContent,
    kinds: Array.from(row.querySelectorAll(".bar i"), (part) => part.className),
    pixels: Array.from(row.querySelectorAll(".bar i"), (part) => part.getBoundingClientRect().width)
        .reduce((a, b) => a + b, 0),
}));
"""


def swatches(browser):
    """Without the times behind the words."""
    return {next((kind for kind in KINDS if text.startswith(kind)), text): colour
            for text, colour in browser.run(SWATCHES).items()}


def distance(colour, other):
    channels = [[int(one[at:at + 2], 16) for at in (1, 3, 5)] for one in (colour, other)]
    return sum(abs(a - b) for a, b in zip(*channels))


def check_first_screen(browser, name, lines):
    browser.resize(1280, 800)
    first = lines["path"][0]
    check(f"{name}: the flame graph is the first view", browser.text("#views [aria-pressed=true]"), "Flame graph1")
    check(f"{name}: its sentence names the program and the function to open", [
        first["process"] in browser.text("#sentence"),
        first["culprit"] is None or first["frames"][first["culprit"]]["function"] in browser.text("#sentence")],
        [True, True])
    check(f"{name}: the sentence, the legend and the culprit, marked, are seen without scrolling",
          browser.run(FIRST_SCREEN), [True, True, 0])
    check(f"{name}: the legend has swatches of what time is spent on",
          [kind for kind in KINDS if kind in swatches(browser)], list(KINDS))
    check(f"{name}: the legend says what width and colour mean", re.match(
        "Width: time now, .* in allColour: what was added" if lines["header"][0]["base"] else
        "Width: time, .* in allColour: what it was spent on", browser.text("#legend")) is not None, True)
    browser.resize(1440, 1000)


def check_bars(browser, name, lines):
    bars = browser.run(BARS)
    paths = {path["rank"]: path for path in lines["path"]}
    check(f"{name}: a few paths stand below the picture, as bars", 1 <= len(bars) <= 5, True)
    check(f"{name}: which say what each costs",
          [bar["cost"] for bar in bars if not says(bar["cost"], paths[bar["rank"]]["cost_ns"])], [])
    check(f"{name}: and name their culprits", [bar["name"] for bar in bars if paths[bar["rank"]]["culprit"] is not None and
          bar["name"] != paths[bar["rank"]]["frames"][paths[bar["rank"]]["culprit"]]["function"]], [])
    most = max(bars, key=lambda bar: bar["pixels"])
    lengths = [abs(bar["pixels"] / most["pixels"] - abs(paths[bar["rank"]]["cost_ns"] / paths[most["rank"]]["cost_ns"]))
               for bar in bars]
    check(f"{name}: as long as that is", [length for length in lengths if length > 0.03], [])
    check(f"{name}: a bar that costs less has one kind, less", [
        bar["kinds"] for bar in bars if paths[bar["rank"]]["cost_ns"] < 0 and bar["kinds"] != ["less"]], [])
    browser.click("#paths .path:last-of-type")
    check(f"{name}: a click selects a path", browser.text("#details h2").startswith("Path "), True)


def check_folds(browser, name, path):
    """Of the path that is selected."""
    shown = browser.run("return Array.from(document.querySelectorAll('#frames tr[data-node]'))"
                        ".filter((row) => !row.hidden).map((row) => row.cells[0].textContent)")
    functions = [frame["function"] for frame in path["frames"]]
    if path["culprit"] is None:
        return
    check(f"{name}: a path begins with its culprit", shown[0], f"{functions[path['culprit']]} ◀")
    before = len(shown)
    browser.run("document.querySelectorAll('.fold [aria-expanded=false]').forEach((one) => one.click())")
    browser.run("document.querySelectorAll('.fold [aria-expanded=false]').forEach((one) => one.click())")
    shown = browser.run("return Array.from(document.querySelectorAll('#frames tr[data-node]'))"
                        ".filter((row) => !row.hidden).map((row) => row.cells[0].textContent.replace(' ◀', ''))")
    check(f"{name}: a click on what is folded shows it, so that nothing is missing",
          [before < len(functions) or len(functions) < 4, shown],
          [True, as_read(functions, path["culprit"])])
    browser.run("document.querySelectorAll('.fold [aria-expanded=true]').forEach((one) => one.click())")
    browser.run("document.querySelectorAll('.fold [aria-expanded=true]').forEach((one) => one.click())")


def check_phone(browser, directory):
    """400 pixels wide, and no higher than small telephones are."""
    for name in ("shipped", "single", "large", "alone"):
        browser.open(directory / f"{name}.html", "", 400, 640)
        check(f"{name}: a telephone shows the first result without scrolling", browser.run(FIRST_SCREEN),
              [True, True, 0])


def check_colours(browser, directory):
    """Words and colours of exported flame graphs; a frame has the colour of what was added, or of its time."""
    exported = dict((word, colour) for colour, word in re.findall(
        r'y="30"[^>]*fill="(#[0-9a-f]{6})"/><text[^>]*>([^<]*)</text>',
        (directory.parent / "shipped.svg").read_text()))
    for theme in ("light", "dark"):
        browser.open(directory / "shipped.html", f"theme={theme}")
        shown = swatches(browser)
        check(f"swatches have the words and colours of an exported flame graph ({theme})",
              {word: shown.get(word) for word in exported}, exported)
    browser.open(directory / "shipped.html")
    check("the culprit has the colour of what was added: it is blocked",
          distance(browser.run(MARKED)[1], exported["blocked"]) < 30, True)
    process = browser.run("return document.querySelector('.box .frame').getAttribute('fill')")
    check("less of what was there before has less of that colour",
          distance(process, exported["blocked"]) > distance(browser.run(MARKED)[1], exported["blocked"]), True)
    browser.keys("b")
    check("a key shows the base, which does not block", "time before" in browser.text("#legend"), True)
    browser.open(directory / "single.html")
    check("one run has the colours of what its time was spent on",
          [browser.run(MARKED)[1], set(browser.run("return Array.from(document.querySelectorAll('.box .frame'), "
           "(e) => e.getAttribute('fill'))")) <= set(swatches(browser).values()) | {exported["blocked"]}],
          [exported["blocked"], True])
    for name, key in (("single", "s"), ("shipped", "s"), ("shipped", "b")):
        browser.open(directory / f"{name}.html")
        browser.keys(key)
        times = browser.run(LEGEND_TIMES)
        check(f"{name}, {key}: the process has the colour of most of its time", browser.run(
            "return document.querySelector('.box .frame').getAttribute('fill')"), max(times, key=times.get))
    if not (directory / "source.html").exists():
        return
    browser.open(directory / "source.html")
    hidden = browser.run("return Array.from(document.querySelectorAll('#frames tr[data-node][hidden]'), "
                         "(row) => row.cells[0].textContent)")
    check("_start … main of a path is folded", ["_start" in hidden, any(
        text.startswith("▸ _start … ") for text in browser.texts("#frames .fold td:first-child"))], [True, True])
    check("what only leads to the program's own functions is one box", len(browser.all(".box.start")) > 0, True)
    before = len(browser.all(".box"))
    browser.run("document.querySelector('.box.start .frame').dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    check("which a click opens", len(browser.all(".box")) > before, True)


def check_heat_key(browser, file):
    """The paper's picture."""
    browser.open(file)
    check("the heat map is no view that is offered at first",
          [text for text in browser.texts("#views button") if "Heat" in text], [])
    browser.keys("5")
    check("a key shows it", [len(browser.all(".cell")) > 0, browser.text("#views [aria-pressed=true]")],
          [True, "Heat map5"])
    browser.open(file, "view=heat")
    check("and so does a link", len(browser.all(".cell")) > 0, True)
