# SPDX-License-Identifier: MIT
"""The page of mined clusters in a real browser, against the JSON lines of the same run.

    mining.py CHROMIUM CHROMEDRIVER PAGE LINES

Prints "the same", or what is not.
"""

import json
import sys
from pathlib import Path

from browser import Browser, says


def differences(browser, clusters):
    rows = browser.run("""
        return Array.from(document.querySelectorAll("tr.cluster"), (row) => ({
            cost: row.children[1].textContent.replace(/\\u00a0/g, " "),
            functions: Array.from(row.querySelectorAll(".where > span"), (e) => e.textContent),
            patterns: row.querySelectorAll("li").length }))""")
    if len(rows) != len(clusters):
        yield f"{len(rows)} rows for {len(clusters)} clusters"
    for row, cluster in zip(rows, clusters):
        common = [name.split("!", 1)[1] for name in cluster["common"]]
        if not says(row["cost"], cluster["cost_ns"]):
            yield f"{row['cost']} for {cluster['cost_ns']} ns"
        if row["functions"] != ["itself" if name.endswith("![itself]") else name for name in common]:
            yield f"{row['functions']} for {common}"
        if row["patterns"] != len(cluster["patterns"]):
            yield f"{row['patterns']} patterns for {len(cluster['patterns'])}"
    yield from browser.complaints()
    yield from (f"asks for {url}" for url in browser.requests() if not url.startswith(("about:", "file:")))


def main():
    chromium, chromedriver, page, path = sys.argv[1:]
    lines = map(json.loads, Path(path).read_text(encoding="utf-8").splitlines())
    clusters = [line for line in lines if line["type"] == "cluster"]
    browser = Browser(chromium, chromedriver)
    try:
        browser.open(page)
        print("\n".join(differences(browser, clusters)) or "the same")
    finally:
        browser.close()


main()
