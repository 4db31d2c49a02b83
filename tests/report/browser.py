# SPDX-License-Identifier: MIT
"""A headless Chromium with a report in it, as a person would use it: it reads, clicks and types."""

import base64
import contextlib
import json
import re
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

# For a page to be drawn anew, at the longest.
DRAWN_SECONDS = 10
UNITS = {"ns": 1, "µs": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "h": 3600 * 10**9}

# Large pages are drawn when what they hold is decompressed.
DRAWN = """return new Promise((tell) => {
    (function look() {
        if (document.querySelector("[aria-busy]"))
            setTimeout(look, 10);
        else
            tell();
    })();
});"""


class Browser:
    def __init__(self, chromium, chromedriver):
        options = Options()
        options.binary_location = chromium
        # Containers have neither the rights for its sandbox nor much shared memory.
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu",
                         "--disable-dev-shm-usage", "--hide-scrollbars", "--lang=en"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(chromedriver), options=options)
        self.driver.set_script_timeout(300)

    def close(self):
        self.driver.quit()

    def resize(self, width, height):
        """What the page has, which may be less than a window can be."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def open(self, path, fragment="", width=1440, height=1000):
        """From anew, also when only the fragment is another."""
        self.resize(width, height)
        self.driver.get("about:blank")
        self.driver.get(f"file://{Path(path).resolve()}{'#' + fragment if fragment else ''}")
        self.run(DRAWN)

    def always(self, script):
        """Runs in pages that are opened from now on, before anything of theirs."""
        return self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})

    @contextlib.contextmanager
    def without(self, name):
        """Pages that are opened meanwhile lack something that browsers have."""
        script = self.always(f"delete {name}")
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def texts(self, selector):
        """As shown, blanks that do not break as blanks."""
        return self.run("return Array.from(document.querySelectorAll(arguments[0]), "
                        "(e) => e.textContent.replace(/\\u00a0/g, ' '))", selector)

    def text(self, selector):
        return (self.texts(selector) or [None])[0]

    def click(self, selector):
        """On the first of them; on its successor where the page is drawn anew meanwhile."""
        def click_first(_):
            first = self.all(selector)[0]
            self.run("arguments[0].scrollIntoView({block: 'nearest'})", first)
            first.click()
            return True

        WebDriverWait(self.driver, DRAWN_SECONDS,
                      ignored_exceptions=[StaleElementReferenceException]).until(click_first)

    def keys(self, *keys):
        """To whatever has the focus."""
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def fragment(self):
        return self.run("return location.hash.slice(1)")

    def complaints(self):
        """What the console says since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """What pages have asked for since the last call."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [message["params"]["request"]["url"] for message in messages
                if message["method"] == "Network.requestWillBeSent"]

    def print(self):
        """The page as PDF, on A4."""
        return base64.b64decode(self.driver.execute_cdp_cmd("Page.printToPDF", {
            "printBackground": True, "paperWidth": 8.27, "paperHeight": 11.69})["data"])

    def screenshot(self, path):
        self.driver.save_screenshot(str(path))


def nanoseconds(text):
    """What "−9.52 s" may stand for: its value, and by how much it may be rounded."""
    match = re.fullmatch(r"([+\u2212]?)([0-9]+)(?:\.([0-9]+))? (ns|µs|ms|s|min|h)", text)
    if not match:
        raise ValueError(f"not a time: {text!r}")
    sign, whole, part, unit = match.groups()
    scale = UNITS[unit]
    value = float(f"{whole}.{part or 0}") * scale
    return (-value if sign == "\u2212" else value), 0.5001 * scale / 10 ** len(part or "")


def says(text, wanted_ns):
    """Whether a text on the page is what a number is rounded to."""
    value, rounding = nanoseconds(text)
    return abs(value - wanted_ns) <= rounding
