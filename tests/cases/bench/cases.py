# SPDX-License-Identifier: MIT
"""The cases, and what is kept of each in the cache:

   software/NAME/             what several cases use, built from Debian's sources
   built/CASE/                the case's own build
   recordings/CASE/NAME.data  base, base2 and slow; `recipe` tells from which files of the case
   figures/CASE.json          what was measured
   default/                   the latter two of recordings as users make them

The work is done by tests/cases/step; this module only knows when it is needed.
"""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
RUNS = {"base": "base", "base2": "base", "slow": "slow"}


class StepFailed(Exception):
    """A case cannot be built or recorded; the text says why."""


@dataclass
class Case:
    name: str
    cache: Path
    about: str = ""
    cause: str = ""
    traits: str = ""
    quick: bool = False
    # Of a case that was written down before it was ranked: "worked" or "fresh", the sentence that
    # its first entry should say, and a regular expression of what it cannot say that without.
    half: str = ""
    says: str = ""
    told: str = ""
    # Makes the recordings, by its default; None: perf, by what README.md recommends.
    recorder: Path | None = None

    def __post_init__(self):
        (self.about, self.cause, self.traits, quick, self.half, self.says,
         self.told) = self.step("about").removesuffix("\n").split("\n")
        self.quick = quick == "yes"

    def step(self, step, data=None):
        environment = {**os.environ, "CACHE": str(self.cache), "LC_ALL": "C.UTF-8"}
        if data:
            environment["DATA"] = str(data)
        if self.recorder:
            environment["RECORDER"] = str(self.recorder)
        done = subprocess.run([HERE / "step", self.name, step], env=environment,
                              capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-4:]
            raise StepFailed(f"{self.name}: {step} failed: {' / '.join(last)}")
        return done.stdout

    @property
    def kept(self):
        """Where its recordings and figures go."""
        return self.cache / "default" if self.recorder else self.cache

    def recording(self, run):
        return self.kept / "recordings" / self.name / f"{run}.data"

    def truth(self):
        """Regular expressions of the function and of its module."""
        function, module = self.step("truth").split()
        return function, module

    def record(self, again):
        """Makes the recordings that are not there, or were made with other files of the case; all
        of them when told so."""
        self.step("build")
        recipe = (self.cache / "built" / self.name / ".stamp").read_text()
        known = self.recording("base").with_name("recipe")
        if not known.exists() or known.read_text() != recipe:
            again = True
        for run, step in RUNS.items():
            data = self.recording(run)
            if again or not data.exists():
                data.parent.mkdir(parents=True, exist_ok=True)
                self._make(data, step)
        known.write_text(recipe)

    def _make(self, data, step):
        unfinished = data.with_suffix(".new")
        try:
            self.step(step, unfinished)
            unfinished.rename(data)
        finally:
            unfinished.unlink(missing_ok=True)


def names():
    return sorted(path.parent.name for path in HERE.glob("*/case.sh"))
