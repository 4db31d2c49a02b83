# SPDX-License-Identifier: MIT
"""Pages whose tree is large: read late, saved, cut, or in an old browser."""

import re
import sys
from pathlib import Path

from browser import nanoseconds
from details import check_details, pair, read_lines
from measures import IN_TIME
from selenium.webdriver.common.keys import Keys

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from tap import check  # noqa: E402


READ = ("document.querySelector('script.stats') && "
        "document.querySelectorAll('script.stats:not([data-read])').length === 0")


def check_large(browser, directory):
    """A tree of which most is compressed, and read when the page is there."""
    browser.open(directory / "large.html")
    check("20 000 contexts: what stands behind the script is read", browser.run(IN_TIME, READ), True)
    lines = read_lines(directory.parent / "large.jsonl")
    for path in lines["path"][:3]:
        check_details(browser, "large", path, True)
    for node, kind, calls in ((12000, "among those with most time", r"[0-9]"), (19999, "with little time", "\u2013")):
        browser.open(directory / "large.html", f"node={node}")
        check(f"a function beside the ranked paths, {kind}, is opened by its address", browser.run(IN_TIME,
            f"document.querySelector('#frames tr.current[data-node=\"{node}\"]') !== null"), True)
        cell = {head: pair(browser.text(f"#frames tr.current td[data-head='{head}']"))[-1]
                for head in ("Total", "Calls", "Bounds", "Each")}
        check("and has its time", nanoseconds(cell["Total"])[0] > 0, True)
        check("its calls are told where they are known", [
            re.search(calls, cell[head]) is not None for head in ("Calls", "Bounds", "Each")], [True] * 3)
        check("and where they are not, it says so", "has its time only" in browser.text("#distribution"), calls == "\u2013")
    browser.open(directory / "large.html")
    for key in "1sbd":
        browser.keys(key)
    for key in (Keys.ENTER, Keys.ARROW_LEFT, Keys.ENTER, Keys.ESCAPE, "3", "5", "2", "1"):
        browser.keys(key)
    check("20 000 contexts: nothing complains", browser.complaints(), [])


def check_saved(browser, directory):
    """What a browser saves is not the file, but what has become of it."""
    browser.open(directory / "large.html")
    browser.run(IN_TIME, READ)
    costs = browser.texts(".path .cost")
    saved = directory.parent / "saved.html"
    saved.write_text("<!DOCTYPE html>\n" + browser.run("return document.documentElement.outerHTML"))
    browser.open(saved, "node=12000")
    check("a page that a browser has saved is whole", [
        browser.run(IN_TIME, "document.querySelector('#frames tr.current[data-node=\"12000\"]') !== null"),
        browser.texts(".path .cost") == costs, len(browser.all("#keys table"))],
        [True, True, 1])
    # Styles that a script had set stand in it as attributes, which its policy refuses: they are set anew.
    check("and complains of nothing but that", [
        text[:300] for text in browser.complaints() if "Applying inline style violates" not in text], [])


def check_cut(browser, directory):
    """A file that was not sent to its end."""
    whole = (directory / "large.html").read_bytes()
    cut = directory.parent / "cut.html"
    behind = whole.index(b'class="stats"')
    for sentence, end in (("in its last numbers", (behind + len(whole)) // 2), ("before these", behind - 20)):
        cut.write_bytes(whole[:end])
        browser.open(cut)
        check(f"a page that is cut {sentence} is drawn, and says so", [
            browser.run(IN_TIME, "document.querySelector('#doubts').textContent.includes('not whole')"),
            len(browser.all(".box")) > 0], [True, True])
        browser.open(cut, "node=12000")
        check("as does a context whose numbers it lacks", browser.run(
            IN_TIME, "document.querySelector('#details').textContent.includes('not whole')"), True)
    cut.write_bytes(whole[:whole.index(b'id="nodes"') + 5000])
    browser.driver.get(f"file://{cut.resolve()}")
    check("one that has no script left says so as well", "the file is not whole" in browser.text("#view"), True)
    browser.complaints()


def check_old(browser, directory):
    """A browser that cannot decompress: it is told so where it must, and only there."""
    with browser.without("DecompressionStream"):
        browser.open(directory / "large.html")
        told = browser.text("#view")
        browser.open(directory / "shipped.html")
        check("a browser that is too old for a large page says so, and reads a small one",
              [told.startswith("This browser is too old"), len(browser.all(".box")) > 0], [True, True])
    with browser.without("Uint8Array.fromBase64"):
        browser.open(directory / "large.html")
        check("one that lacks newer ways to read it takes the older ones", len(browser.all(".box")) > 0, True)
    check("neither complains", browser.complaints(), [])
