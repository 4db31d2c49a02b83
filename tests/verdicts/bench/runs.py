# SPDX-License-Identifier: MIT
"""Recordings, kept as saved profiles, and what introperf says of two of them."""

import json
import os
import shutil
import subprocess

from bench import programs


class RunFailed(Exception):
    """A program failed; the text is its own."""


def _call(command, directory, **more):
    done = subprocess.run([str(word) for word in command], cwd=directory, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="replace",
                          env={**os.environ, "LC_ALL": "C.UTF-8"}, **more)
    if done.returncode != 0:
        raise RunFailed(f"{' '.join(map(str, command))}: {done.stderr.strip()[-400:]}")
    return done.stdout


class Runs:
    """`cache` holds `work`, the inputs, and a directory of saved profiles for each program."""

    def __init__(self, build, cache):
        self.introperf = build / "perf-introperf"
        self.work = cache / "work"
        self.profiles = cache / "profiles"

    def prepare(self):
        if not (self.work / "slower").exists():
            programs.prepare(self.work)

    def profile(self, name, number):
        return self.profiles / name / f"{number}.profile"

    def count(self, name):
        """How many runs there are, from number 0."""
        number = 0
        while self.profile(name, number).exists():
            number += 1
        return number

    def record(self, name, number):
        """Records the run unless it is there."""
        profile = self.profile(name, number)
        if profile.exists():
            return
        data = self.work / "perf.data"
        making = profile.with_suffix(".making")
        profile.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(making, ignore_errors=True)
        _call([self.introperf, "record", "-o", data, "--", *programs.command(name)], self.work)
        _call([self.introperf, "report", f"--save={making}", data], self.work)
        # Readers know it by its name.
        making.rename(profile)
        data.unlink()

    def diff(self, bases, suspects, *options):
        """The header and the paths."""
        lines = _call([self.introperf, "diff", "--format=jsonl", "--top=0", *options,
                       *[f"--base={path}" for path in bases], *suspects], self.work)
        lines = [json.loads(line) for line in lines.splitlines()]
        return (next(line for line in lines if line["type"] == "header"),
                [line for line in lines if line["type"] == "path"])
