# SPDX-License-Identifier: MIT
"""The report page in a real browser, against the JSON lines of the same run.

    page.py CHROMIUM CHROMEDRIVER DIRECTORY SCREENSHOTS

DIRECTORY holds NAME.html, and for the comparisons among them NAME.jsonl, made by
test-report-page.sh.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import which

from browser import Browser, nanoseconds, says
from details import check_details, read_lines, select_path
from large import check_cut, check_large, check_old, check_saved
from measures import (AXIS, BAD_LENGTHS, BOXES, BOX_LOOKS, CELLS_IN_VIEW, COVERED_HEADS, CUT_OFF, FLAME_LIES, IN_TIME,
                      LEAST_CONTRAST, OVERLAPS, ROOT_AND_CURRENT)
from opening import check_bars, check_colours, check_first_screen, check_folds, check_heat_key, check_phone
from selenium.webdriver.common.keys import Keys
from source import check_source
from timeline import check_requests, check_runs, check_units

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from tap import check, done_testing  # noqa: E402

VIEWS = ("flame", "paths", "tree", "time", "heat")


def check_summary(browser, name, lines):
    header = lines["header"][0]
    workloads = browser.texts("#workloads tr")
    check(f"{name}: the title names what was compared", browser.text("#title"),
          f"{header['suspect']} against {header['base']}" if header["base"] else header["suspect"])
    check(f"{name}: a line for each workload", len(workloads), 2 if header["base"] else 1)
    check(f"{name}: which says how complete it is",
          all("complete" in line for line in workloads), True)


def check_heat_map(browser, name, lines):
    browser.keys("5")
    rows = browser.all(".row")
    check(f"{name}: a row for each ranked path", len(rows), len(lines["path"]))
    costs = browser.texts(".row .cost")
    check(f"{name}: costs are those of the JSON lines",
          [cost for cost, path in zip(costs, lines["path"]) if not says(cost, path["cost_ns"])], [])
    cells = browser.run("return Array.from(document.querySelectorAll('.row'), "
                        "(row) => row.querySelectorAll('.cell').length)")
    check(f"{name}: a cell for each function", cells, [len(path["frames"]) for path in lines["path"]])
    zeros = browser.run("return Array.from(document.querySelectorAll('.row'), (row) => Array.from("
                        "row.querySelectorAll('.cell text'), (t) => t.textContent).indexOf('0'))")
    check(f"{name}: 0 marks the hottest function", zeros, [
        max(range(len(frames)), key=lambda i: (abs(frames[i]["own_ns"] - frames[i]["base_own_ns"]), -i))
        for frames in (path["frames"] for path in lines["path"])])
    check(f"{name}: texts of the heat map do not meet", browser.run(OVERLAPS, ".row text"), [])


def check_distribution(browser, name, frame):
    spread = browser.texts("#distribution .small")
    spread = [text for text in spread if "min " in text][-1]
    parts = dict(part.rsplit(": ", 1)[-1].split(" ", 1) for part in spread.split(" · "))
    check(f"{name}: the distribution begins and ends as the JSON line says",
          [says(parts["min"], frame["min_ns"]), says(parts["max"], frame["max_ns"])], [True, True])
    ticks = re.fullmatch(r"own CPU (.*) ± (.*), ([0-9 ]+) ticks?", browser.texts("#distribution .ticks")[-1])
    check(f"{name}: its own CPU time is told with its error, twice the deviation of the JSON line, and its ticks",
          [says(ticks[1], frame["own_cpu_ns"]), says(ticks[2], 2 * frame["own_deviation_ns"]),
           ticks[3].replace(" ", "")], [True, True, str(frame["samples"])])
    slowest = browser.text("#slowest li") or ""
    check(f"{name}: the slowest call is told, with its time stamp and thread",
          [says(slowest.split(" after ")[0], frame["max_ns"]),
           re.search(r": ([0-9:.]+ UTC, )?clock [0-9]+\.[0-9]{6}, thread [0-9]+$", slowest) is not None],
          [True, True])
    check(f"{name}: and lies on a timeline", len(browser.all("#slowest .call")) > 0, True)


def check_search(browser, name, lines):
    function = lines["path"][0]["frames"][max(lines["path"][0]["culprit"], 0)]["function"]
    browser.keys("1", "/")
    browser.keys(function)
    check(f"{name}: search counts matches", "own" in browser.text("#hits"), True)
    check(f"{name}: and marks them", len(browser.all(".box.hit")) > 0, True)
    browser.keys(Keys.ENTER)
    check(f"{name}: Enter goes to one", function in browser.text("#frames tr.current td"), True)
    browser.keys(Keys.ESCAPE)
    check(f"{name}: Esc forgets it", [browser.text("#hits"), len(browser.all(".hit"))], ["", 0])
    browser.keys("/", "no such function")
    check(f"{name}: a search that finds nothing says so", browser.text("#hits"), "no match")
    browser.keys(Keys.ESCAPE)


def check_flame(browser, name, lines):
    header = lines["header"][0]
    modes = [("s", "suspect_own_ns")] + ([("b", "base_own_ns")] if header["base"] else [])
    browser.keys("1")
    for key, total in modes:
        browser.keys(key)
        text = browser.text("#legend").split(", ")[1].split(" in all")[0]
        value, rounding = nanoseconds(text)
        # Functions with less than nothing, by the arithmetic of bounds, count as nothing.
        check(f"{name}: the flame of {total} is as wide as that",
              abs(value - header[total]) <= rounding + 0.01 * header[total], True)
        check(f"{name}: no name in it is wider than its box", browser.run(FLAME_LIES), 0)
    if header["base"]:
        before = browser.run(BOXES)
        browser.keys("s")
        now = browser.run(BOXES)
        browser.keys("d")
        shown = browser.run(BOXES)
        check(f"{name}: what was added is as wide as the time now, not as before",
              [shown == now, shown == before], [True, False])
    box = browser.run("const boxes = Array.from(document.querySelectorAll('.box:not(.start)'));"
                      "return boxes[Math.floor(boxes.length / 2)].dataset.node")

    def click_box():
        browser.run("document.querySelector(`.box[data-node='${arguments[0]}'] .frame`)"
                    ".dispatchEvent(new MouseEvent('click', { bubbles: true }))", box)

    # A selected box is drawn however narrow it is, so the picture to go back to has it selected.
    click_box()
    browser.keys(Keys.ESCAPE)
    before = browser.run(BOXES)
    click_box()
    check(f"{name}: a click zooms to a box", [browser.run(
        "const [b] = document.querySelectorAll('.box'); return [b.dataset.node, "
        "Number(b.querySelector('.frame').getAttribute('width')) > 0.95 * "
        "document.querySelector('#view svg').clientWidth]")], [[box, True]])
    check(f"{name}: and the address says where", f"zoom={box}" in browser.fragment(), True)
    browser.keys(Keys.ESCAPE)
    check(f"{name}: Esc goes back", ["zoom=" in browser.fragment(), browser.run(BOXES)], [False, before])


def check_tree(browser, name):
    browser.keys("3")
    before = len(browser.all(".node"))
    check(f"{name}: the tree shows the ranked paths", before > 3, True)
    check(f"{name}: its names do not meet", browser.run(OVERLAPS, ".node text.name"), [])
    # Of those that hold most: one that holds a single leaf becomes just that.
    browser.run("const count = (node) => parseInt(node.textContent);"
                "Array.from(document.querySelectorAll('.node.more'))"
                ".reduce((most, node) => count(node) > count(most) ? node : most)"
                ".dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    check(f"{name}: more opens with a click", len(browser.all(".node")) > before, True)
    check(f"{name}: and names still do not meet", browser.run(OVERLAPS, ".node text.name"), [])


def check_links(browser, name, file, lines):
    """A link brings somebody else to the same place."""
    rank = lines["path"][-1]["rank"]
    browser.open(file, f"view=tree&path={rank}")
    browser.keys("1")
    heading = browser.text("#details h2")
    check(f"{name}: the address opens a path", heading.startswith(f"Path {rank}: "), True)
    browser.keys(Keys.ARROW_RIGHT)
    fragment, current = browser.fragment(), browser.texts("#frames tr.current td")
    browser.open(file, fragment)
    check(f"{name}: the address of a function leads to it", browser.texts("#frames tr.current td"), current)
    browser.open(file, "view=nothing&path=99999&node=-7&zoom=1e9&mode=no")
    check(f"{name}: an address that makes no sense shows the beginning",
          [browser.text("#views [aria-pressed=true]"), len(browser.all(".mark")) > 0,
           browser.text("#details h2").startswith("Path ")], ["Flame graph1", True, True])


def check_copy(browser, name, path):
    browser.run("navigator.clipboard.writeText = async (text) => { window.copied = text; };")
    select_path(browser, path["rank"])
    browser.keys("c")
    copied = browser.run("return window.copied").splitlines()
    check(f"{name}: a path is copied as text, a line for each function",
          [line.split("  ")[0].replace(" ◀ culprit", "") for line in copied[-len(path["frames"]):]],
          [frame["function"] for frame in path["frames"]])


def check_comparison(browser, directory, name, screenshots):
    file = directory / f"{name}.html"
    lines = read_lines(directory / f"{name}.jsonl")
    has_base = lines["header"][0]["base"] is not None
    browser.open(file)
    check_summary(browser, name, lines)
    check_first_screen(browser, name, lines)
    check_bars(browser, name, lines)
    check_heat_map(browser, name, lines)
    for path in lines["path"][:3]:
        check_details(browser, name, path, has_base)
    first = lines["path"][0]
    select_path(browser, first["rank"])
    check_folds(browser, name, first)
    if first["culprit"] is not None:
        check_distribution(browser, name, first["frames"][first["culprit"]])
    check_copy(browser, name, first)
    check_search(browser, name, lines)
    check_flame(browser, name, lines)
    check_tree(browser, name)
    browser.keys("4")
    check(f"{name}: the fourth view is the timeline",
          browser.text("#views [aria-pressed=true]"), "Timeline4")
    check_links(browser, name, file, lines)
    if name == "shipped":
        take_pictures(browser, file, name, screenshots)
    check(f"{name}: the console is silent", browser.complaints(), [])


def check_scrolling(browser, file):
    """In a window in which a path's functions do not fit."""
    browser.open(file, "", 1440, 500)
    for _ in range(2):
        browser.run("for (const one of document.querySelectorAll('.fold [aria-expanded=false]')) one.click();")
    browser.run("document.querySelector('#frames').scrollIntoView({ block: 'end' })")
    check("the heads of the functions stay on top of them", browser.run(COVERED_HEADS), [0, True])


def check_contrast(browser, file):
    for theme in ("light", "dark"):
        browser.open(file, f"view=heat&theme={theme}")
        least = browser.run(LEAST_CONTRAST, ".cell")
        check(f"{file.stem}: numbers can be read on {theme} cells ({least:.1f})", least >= 3.5, True)
        browser.open(file, f"theme={theme}")
        least = browser.run(LEAST_CONTRAST, ".box")
        check(f"{file.stem}: names can be read on {theme} boxes ({least:.1f})", least >= 3.5, True)


def check_alone(browser, directory):
    browser.open(directory / "alone.html", "view=heat")
    check("one call is one row, with one cell", [len(browser.all(".row")), browser.texts(".cell text")],
          [1, ["0"]])
    check("it is told once how long it took", "9.0 µs to" in browser.text("#distribution .small"), False)
    browser.keys("1")
    check("the flame has it, marked, and its process", browser.texts(".box text"), ["program", "main  ◀ culprit"])
    widths, colours = browser.run(BOX_LOOKS)
    check("a process has no time of its own in it", [len(set(widths)), len(set(colours))], [1, 1])
    for key in "234":
        browser.keys(key)
    check("one call is nothing to complain about", browser.complaints(), [])


def check_narrow(browser, file):
    browser.open(file, "view=time", 420, 900)
    check("a narrow page has room for what was compared", browser.run(
        "return Array.from(document.querySelectorAll('#workloads td')).filter((cell) => {"
        "const { right, height } = cell.getBoundingClientRect();"
        "return right > innerWidth || height > 45; }).length"), 0)
    axis, width = browser.run(AXIS, "#view")
    check("and for the timeline", axis > width / 2, True)
    browser.open(file)
    axis, width = browser.run(AXIS, "#slowest")
    check("slowest calls have most of the room", axis > width * 2 / 3, True)
    check("it is told whose they are", browser.text("#slowest div.small"), "slow:")


def check_widths(browser, directory):
    """Pages of all kinds, as wide as a telephone, half a screen and a screen."""
    for name in ("shipped", "single", "large", "hostile", "alone"):
        for width in (400, 760, 1280):
            bad, unseen = [], []
            for view in VIEWS:
                browser.open(directory / f"{name}.html", f"view={view}", width, 900)
                bad += browser.run(BAD_LENGTHS)
                if view == "tree":
                    unseen = browser.run(ROOT_AND_CURRENT)
            check(f"{name}, {width} pixels: no shape has a length below 0", bad, [])
            check(f"{name}, {width} pixels: the tree shows its root and the culprit", unseen, [True, True])
            check(f"{name}, {width} pixels: names cut off no column, and the page is no wider",
                  browser.run(CUT_OFF), [0, 0])
        browser.open(directory / f"{name}.html", "view=heat", 400, 900)
        check(f"{name}: a narrow heat map has all its cells in view", browser.run(CELLS_IN_VIEW), [0, True])
        check(f"{name}: and its texts do not meet", browser.run(OVERLAPS, ".row text"), [])


def pdf_pages(pdf):
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def check_print(browser, directory):
    """A path begins right behind the picture, and this on the first page."""
    for name, most in (("shipped", 3), ("single", 3), ("large", 3), ("alone", 1), ("source", 3)):
        if not (directory / f"{name}.html").exists():
            continue
        browser.open(directory / f"{name}.html", "", 1280, 900)
        pdf = browser.print()
        check(f"{name}: printed on at most {most} pages ({pdf_pages(pdf)})", pdf_pages(pdf) <= most, True)
        if which("pdftotext"):
            first = subprocess.run(["pdftotext", "-l", "1", "-", "-"], input=pdf, check=True,
                                   capture_output=True).stdout.decode()
            told = [" ".join(text.split()) for text in (browser.text("#sentence"), first)]
            check(f"{name}: the first page has the sentence, the picture and the path", [
                told[0] in told[1], "Width: time" in first, "Path 1: " in first], [True] * 3)


def check_tree_place(browser, file):
    """Of a tree that is larger than the window."""
    seen = ("const node = document.querySelector('.node.current').getBoundingClientRect();"
            "const view = document.querySelector('#view').getBoundingClientRect();"
            "return node.top >= view.top && node.bottom <= view.bottom && "
            "node.left >= view.left && node.right <= view.right")
    for path in (1, 8):
        browser.open(file, f"path={path}&view=tree")
        check(f"the tree begins where the culprit of path {path} is", browser.run(seen), True)
    place = ("const view = document.querySelector('#view');"
             "return [view.scrollLeft, view.scrollTop]")
    browser.run("document.querySelector('#view').scrollTo(0, 0)")
    browser.run("document.querySelector('.node.more')"
                ".dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    check("and stays where more is opened", browser.run(place), [0, 0])


def check_words(browser, file):
    """Where a word stands, it tells what it means, once in each sentence."""
    browser.open(file)
    words = browser.texts("#summary .word")
    check("words of the summary are marked, each once", [words[0], len(words)], ["Own", len(set(words))])
    for word in ("own", "broken", "culprit", "cost", "each", "why", "bounds"):
        check(f"{word!r} is marked somewhere", word in map(str.lower, browser.texts(".word")), True)
    browser.click("#summary .word")
    check("a click tells what it means", browser.text("#tip").startswith("own: Time in a function itself"), True)
    browser.click("h1")
    check("another one takes it away", browser.all("#tip")[0].is_displayed(), False)
    browser.keys("?")
    check("all that the page uses stand under the keys", [word in browser.texts("dialog dt") for word in
          ("own", "culprit, ◀", "sure", "unit")], [True, True, True, False])
    browser.keys(Keys.ESCAPE)


def check_names(browser, file):
    """What a screen reader says."""
    def names_of(selector):
        return [control.accessible_name for control in browser.all(selector) if control.is_displayed()]

    browser.open(file)
    names = names_of("button, input")
    browser.keys("?")
    names += names_of("dialog, dialog button")
    browser.keys(Keys.ESCAPE)
    check("all controls have names", [name for name in names if not re.search("[a-zA-Z]{3}", name)], [])
    check("no list of tabs is without tabs", browser.run(
        "return Array.from(document.querySelectorAll('[role=tablist]'))"
        ".filter((list) => !list.querySelector('[role=tab]')).length"), 0)
    check("what scrolls can be reached by Tab", browser.run(
        "return Array.from(document.querySelectorAll('main *, section *'))"
        ".filter((e) => getComputedStyle(e).overflowY === 'auto' && e.tabIndex < 0).length"), 0)
    browser.keys("1")
    check("the view is called what it is", browser.all("#view")[0].accessible_name, "Flame graph")


def take_pictures(browser, file, name, screenshots):
    """For a person to look at."""
    for width in (1440, 760, 400):
        for theme in ("light", "dark"):
            for view in VIEWS:
                browser.open(file, f"view={view}&theme={theme}", width, 1100)
                browser.screenshot(screenshots / f"{name}-{view}-{width}-{theme}.png")
    check(f"{name}: pictures at three widths in both themes",
          len(list(screenshots.glob(f"{name}-*.png"))), 6 * len(VIEWS))


def check_hostile(browser, directory):
    for view in VIEWS:
        browser.open(directory / "hostile.html", f"view={view}")
        check(f"hostile names are only names in view {view}", browser.run(
            "return [document.title.includes('against'), document.images.length, "
            "document.scripts.length, document.querySelectorAll('i[onclick], b b, h1 i').length, "
            "typeof window.copied]"), [True, 0, 7, 0, "undefined"])
        check(f"and nothing complains in view {view}", browser.complaints(), [])
    browser.open(directory / "hostile.html", "view=heat")
    names = browser.texts("#frames td:first-child")
    check("a name is shown as it is",
          any(name.startswith("</script><script>document.title='taken'") for name in names), True)
    check("an endless one is not", max(map(len, names)) < 300, True)
    check("texts do not meet", browser.run(OVERLAPS, ".row text"), [])


def check_alone_in_the_world(browser, directory):
    """A page is all that is asked for, whatever it shows, and nothing else could be."""
    browser.requests()
    asked, links, allowed = set(), set(), set()
    names = sorted(directory.glob("*.html"))
    for file in names:
        for view in VIEWS:
            browser.open(file, f"view={view}")
        browser.keys("?", Keys.ESCAPE, "c", "/", "a", Keys.ENTER)
        asked |= {url.split("#")[0] for url in browser.requests()}
        links |= set(browser.run("return Array.from(document.querySelectorAll('[src], [href], [action], [data]'), "
                                 "(e) => e.outerHTML)"))
        allowed |= set(browser.run("""
            const policy = document.querySelector("meta[http-equiv=Content-Security-Policy]").content;
            return policy.split(";").map((part) => part.trim())
                .filter((part) => !/^(script|style)-src( 'sha256-[^']+')+$/.test(part));"""))
    check("pages ask for nothing but themselves", asked - {"about:blank"},
          {f"file://{file.resolve()}" for file in names})
    check("nor do they have links", links, set())
    check("and it could not: its policy allows its own scripts and styles, and images in it",
          allowed, {"default-src 'none'", "img-src data:"})
    browser.run("window.tried = 0; for (const make of [() => fetch('https://example.invalid/'), "
                "() => { new Image().src = 'https://example.invalid/i'; return Promise.reject(); }, "
                "() => { const s = document.createElement('script'); s.src = 'https://example.invalid/s'; "
                "document.head.append(s); return Promise.reject(); }]) make().catch(() => { window.tried += 1; });")
    tried = browser.run(IN_TIME, "window.tried === 3")
    refused = [text for text in browser.complaints() if "Content Security Policy" in text]
    check("what tries is refused, and seen to try", [tried, len(refused) >= 3, len(browser.requests())],
          [True, True, 2])


def check_empty(browser, directory):
    browser.open(directory / "empty.html")
    check("a report without paths says so", browser.text("#sentence"),
          "No function call was inferred: there is nothing to rank.")
    for key in "12345":
        browser.keys(key)
    check("and has nothing to complain about", browser.complaints(), [])


def main():
    chromium, chromedriver, directory, screenshots = sys.argv[1:]
    directory, screenshots = Path(directory), Path(screenshots)
    os.makedirs(screenshots, exist_ok=True)
    browser = Browser(chromium, chromedriver)
    try:
        for file in sorted(directory.glob("*.jsonl")):
            check_comparison(browser, directory, file.stem, screenshots)
        check_scrolling(browser, directory / "shipped.html")
        check_phone(browser, directory)
        check_colours(browser, directory)
        check_heat_key(browser, directory / "shipped.html")
        check_narrow(browser, directory / "shipped.html")
        check_widths(browser, directory)
        check_print(browser, directory)
        check_tree_place(browser, directory / "large.html")
        check_names(browser, directory / "shipped.html")
        check_words(browser, directory / "shipped.html")
        check_contrast(browser, directory / "single.html")
        check_contrast(browser, directory / "large.html")
        check_hostile(browser, directory)
        check_large(browser, directory)
        check_saved(browser, directory)
        check_cut(browser, directory)
        check_old(browser, directory)
        check_alone(browser, directory)
        check_alone_in_the_world(browser, directory)
        check_runs(browser, directory)
        check_empty(browser, directory)
        if (directory / "source.html").exists():
            check_source(browser, directory)
        if (directory / "units.html").exists():
            check_units(browser, directory)
        if (directory / "requests.html").exists():
            check_requests(browser, directory)
    finally:
        browser.close()
    done_testing()


main()
