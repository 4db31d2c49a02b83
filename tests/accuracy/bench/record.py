# SPDX-License-Identifier: MIT
"""One program: built with instrumentation, run, and recorded by perf and uftrace at once.

Everything lies in a cache outside of the repository:

   sources/PACKAGE/     what apt-get source fetched
   built/NAME/          the instrumented program
   inputs/              the text for the workloads
   runs/NAME/           perf.data, uftrace's directory `trace`, times.json, hook.json
   runs/NAME/own/       the same of the program with fewer hooks (thin.py), for own CPU time

uftrace starts perf, and perf the program: so perf records the program alone, and the tracer is
handed on through the environment.
"""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import inputs, weight
from .programs import CFLAGS, small
from .recording import Recording

HERE = Path(__file__).resolve().parent.parent

TIMER_HZ = 1000
PERF = ["perf", "record", "--quiet", "-k", "CLOCK_MONOTONIC", "--switch-events", "-m", "256M",
        "-e", "raw_syscalls:sys_enter,raw_syscalls:sys_exit",
        "-e", "sched:sched_switch,sched:sched_waking",
        "-e", f"cpu-clock/freq={TIMER_HZ}/"]
# Buffers so large that the tracer's own system calls are rare; libraries are not traced, as their
# hooks would replace return addresses.
UFTRACE = ["uftrace", "record", "--force", "--no-libcall", "--no-event", "--no-pager",
           "--buffer=8m"]
TIMEOUT_S = 180
# A recording that perf lost events of is made again, so often.
TRIES = 3
# Not a program to be measured: it measures the tracer.
HOOK = small("hook", "calls of a function that does nothing")


class NotAvailable(Exception):
    """The program cannot be measured here; the text says why."""


@dataclass
class Cache:
    root: Path

    def directory(self, *names):
        path = self.root.joinpath(*names)
        path.mkdir(parents=True, exist_ok=True)
        return path

    def text(self):
        path = self.directory("inputs") / "text"
        if not path.exists():
            path.write_text(inputs.text(1_200_000))
        return path


def _shell(script, directory, environment=None):
    done = subprocess.run(["bash", "-euc", script], cwd=directory, capture_output=True, text=True,
                          env={**os.environ, **(environment or {})})
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-3:]
        raise NotAvailable(" / ".join(last) or f"exit status {done.returncode}")


def _fetch(package, cache):
    """The unpacked sources of a package, and its version."""
    directory = cache.directory("sources", package)
    if not list(directory.glob("*.dsc")):
        done = subprocess.run(["apt-get", "source", "--download-only", package], cwd=directory,
                              capture_output=True, text=True)
        if done.returncode != 0:
            shutil.rmtree(directory)
            errors = [line for line in done.stderr.splitlines() if line.startswith("E:")]
            raise NotAvailable(f"no sources of {package}: {errors[0] if errors else 'apt-get'}")
    description, = directory.glob("*.dsc")
    if not (directory / "source").exists():
        _shell(f"dpkg-source --no-check -x {description.name} source", directory)
    version = re.search(r"^Version: (.*)$", description.read_text(), re.M)[1]
    return directory / "source", version


def build(program, cache):
    """Builds what is not built yet. Returns the executable and the version of the sources."""
    missing = [package for package in program.needs if subprocess.run(
        ["dpkg", "--status", package], capture_output=True).returncode != 0]
    if missing:
        raise NotAvailable(f"packages are missing: {' '.join(missing)}")
    source, version = _fetch(program.package, cache) if program.package else (None, "")
    directory = cache.root / "built" / program.name
    executable = directory / program.executable
    small = "" if source else "".join(
        path.read_text() for path in sorted((HERE / "small").iterdir()))
    recipe = f"{CFLAGS}\n{program.build}\n{version}\n{small}"
    stamp = directory / "recipe"
    if stamp.exists() and stamp.read_text() == recipe:
        return executable, version
    shutil.rmtree(directory, ignore_errors=True)
    if source:
        shutil.copytree(source, directory, symlinks=True)
    else:
        directory.mkdir(parents=True)
    _shell(program.build, directory, {"CC": os.environ.get("CC", "gcc"),
                                      "CXX": os.environ.get("CXX", "g++"), "CFLAGS": CFLAGS,
                                      "MAKEFLAGS": "", "SMALL": str(HERE / "small")})
    stamp.write_text(recipe)
    return executable, version


def _wait(process):
    try:
        return process.wait(TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise NotAvailable(f"the run took more than {TIMEOUT_S} s") from None


# Notes when a command begins and ends: perf takes its time after that.
STOPWATCH = ["bash", "-c", 'begin=$EPOCHREALTIME; "$@"; status=$?; '
             'echo $begin $EPOCHREALTIME > ../stopwatch; exit $status', "stopwatch"]


def _run_once(program, executable, directory, wrapper, environment):
    """Runs the program under `wrapper` in a fresh directory."""
    work = directory / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    _shell(program.setup, work, environment)
    arguments = [_expand(argument, environment) for argument in program.arguments]
    with open(directory / "output", "wb") as output:
        process = subprocess.Popen([*wrapper, str(executable), *arguments], cwd=work,
                                   stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                   env={**os.environ, **environment})
        try:
            _shell(program.client or ":", work, environment)
        except NotAvailable:
            process.terminate()
            _wait(process)
            raise
        status = _wait(process)
    if status != 0:
        tail = (directory / "output").read_text(errors="replace").strip().splitlines()[-2:]
        raise NotAvailable(f"exit status {status}: {' / '.join(tail)}")


def _stopwatch(directory):
    begin, end = (directory / "stopwatch").read_text().split()
    return float(end) - float(begin)


def _expand(text, environment):
    return re.sub(r"\$(\w+)", lambda match: environment.get(match[1], match[0]), text)


def is_recorded(executable, directory):
    """Whether the directory has a recording of this build."""
    data = directory / "perf.data"
    return (data.exists() and data.stat().st_mtime > executable.stat().st_mtime
            and (directory / "hook.json").exists())


def _environment(executable, cache, work):
    return {"PROGRAM": str(executable), "TEXT": str(cache.text()), "WORK": str(work)}


def _perf(program, data):
    return [*PERF, f"--call-graph=dwarf,{program.stack_bytes}", "-o", str(data), "--"]


def _uftrace(trace):
    return [*UFTRACE, f"--data={trace}", "--"]


def time_alone(program, executable, cache, directory):
    """Runs the program alone and under each tracer, and notes how long that took."""
    spare = directory / "spare"
    wrappers = {
        "alone": STOPWATCH,
        "perf": [*_perf(program, spare), *STOPWATCH],
        "uftrace": [*STOPWATCH, *_uftrace(spare)],
    }
    seconds = {"load": os.getloadavg()[0]}
    for name, wrapper in wrappers.items():
        _run_once(program, executable, directory, wrapper, _environment(executable, cache, 1))
        seconds[name] = _stopwatch(directory)
        if spare.is_dir():
            shutil.rmtree(spare)
        else:
            spare.unlink(missing_ok=True)
    (directory / "times.json").write_text(json.dumps(seconds))


def record(program, executable, cache, directory, work=1):
    """Runs the program under both tracers, with `work` times its work; its time can be read off
    the recording."""
    trace, data = directory / "trace", directory / "perf.data"
    for _ in range(TRIES):
        shutil.rmtree(trace, ignore_errors=True)
        _run_once(program, executable, directory, [*_uftrace(trace), *_perf(program, data)],
                  _environment(executable, cache, work))
        if Recording(data).lost == 0:
            break
    data.with_suffix(".data.old").unlink(missing_ok=True)
    _weigh_hook(cache, directory, [*_uftrace(directory / "spare"), *_perf(program, os.devnull)])
    shutil.rmtree(directory / "work", ignore_errors=True)


def remove(directory):
    """The recording, not what was found in it."""
    shutil.rmtree(directory / "trace")
    (directory / "perf.data").unlink()


def _weigh_hook(cache, directory, wrapper):
    """What the tracer's hooks cost right after the run, under the same tracers."""
    executable, _ = build(HOOK, cache)
    _run_once(HOOK, executable, directory, wrapper, {})
    (directory / "hook.json").write_text(
        json.dumps(weight.measure(directory / "spare").stored()))
    shutil.rmtree(directory / "spare")
