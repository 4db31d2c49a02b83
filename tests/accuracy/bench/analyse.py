# SPDX-License-Identifier: MIT
"""From one program's run to its figures: event sets times rules."""

import json
import subprocess
from pathlib import Path

import numpy as np

from . import causes, elf, graph, hooks, metrics, own, recording, thin, truth
from .calls import Contexts
from .record import TIMER_HZ
from .weight import Weight

SETS = ("syscalls", "+ switches", "+ 100 Hz", "+ 1000 Hz")


def _keys(threads, times):
    """One number for each (thread, time)."""
    return times * (1 << 22) + threads


def _tracers_own(stacks):
    """Mask of the events that the tracer's own system calls made: they are none of the program's.
    A timer's sample and a preemption inside the tracer's hook are kept, they show the function."""
    kinds = [graph.KINDS.index(kind) for kind in ("enter", "exit", "wakeup")]
    blocked = (stacks.kind == graph.KINDS.index("switch-out")) & (stacks.argument != 0)
    return stacks.holds(graph.tracer_functions(stacks.names)) & (
        np.isin(stacks.kind, kinds) | blocked)


def _event_sets(data, keep):
    """Name -> (mask of the samples, whether switch records are there)."""
    timer = data.is_event("cpu-clock")
    ticks = np.flatnonzero(timer)
    slow_timer = np.zeros(len(timer), dtype=bool)
    slow_timer[ticks[recording.every(TIMER_HZ // 100, data.samples.tid[ticks])]] = True
    masks = (data.is_event("raw_syscalls"), ~timer, ~timer | slow_timer,
             np.ones(len(timer), dtype=bool))
    return {name: (mask & keep, name != SETS[0]) for name, mask in zip(SETS, masks)}


class Run:
    """A recorded run, read as far as it is the same for all event sets."""

    def __init__(self, build, directory, executable):
        self.build = build
        self.directory = Path(directory)
        self.programs = [elf.Program(executable)]
        self.contexts = Contexts()
        self.data = recording.Recording(self.directory / "perf.data")
        self.truth = truth.read_truth(self.directory / "trace", {str(executable): self.programs[0]},
                                      self.data.forks, self.contexts)
        self.stacks = graph.read_stacks(build, self.data.path)
        self.known = graph.known_functions(self.stacks.names, self.programs, self.truth.functions)
        sights = metrics.sights(self.stacks, self.known, self.contexts)
        self.calls = hooks.widen(self.truth.calls, self.stacks, sights)
        self.sampled = own.sampled(self.stacks, sights)
        self.mostly_tracer = own.mostly_tracer(self.stacks, sights, len(self.contexts))
        self.callers = causes.caller_rows(self.calls, self.contexts)
        tracers_own = _tracers_own(self.stacks)
        samples = self.data.samples
        self.tracer_events = int(tracers_own.sum())
        shown = self.stacks.complete[~tracers_own & (np.diff(self.stacks.first) > 0)]
        self.complete = metrics.share(shown)
        self.keep = ~np.isin(_keys(samples.tid, samples.time),
                             _keys(self.stacks.thread[tracers_own], self.stacks.time[tracers_own]))

    def event_sets(self):
        return _event_sets(self.data, self.keep)

    def observe(self, mask):
        """Sights, and what they say about the true calls, of the samples in `mask`."""
        samples = self.data.samples
        there = np.isin(_keys(self.stacks.thread, self.stacks.time),
                        _keys(samples.tid[mask], samples.time[mask]))
        seen = metrics.sights(self.stacks.take(there), self.known, self.contexts)
        return seen, metrics.observe(self.calls, seen)

    def infer(self, mask, with_switches, mode):
        path = self.directory / "part.data"
        self.data.write(path, mask, with_switches)
        try:
            return graph.infer(self.build, path, f'continuity="{mode}"', self.programs, self.truth,
                               self.contexts)
        finally:
            path.unlink()

    def _weight(self):
        return Weight(**json.loads((self.directory / "hook.json").read_text()))

    def long_functions(self):
        """Names of the functions that weigh enough beside their hooks."""
        weight = self._weight()
        spent = own.traced(self.truth.calls, self.stacks, self.contexts) - own.weigh(
            self.truth, weight, len(self.contexts))
        return thin.long_functions(spent, self.truth.calls, self.contexts, weight)

    def own_cpu(self, inferred):
        """Figures of own CPU time: of plain samples, and of `inferred`, rule -> own times. None
        where the truth is not known, as events were lost."""
        if self.data.lost > 0:
            return None
        size = len(self.contexts)
        weight = self._weight()
        contexts, weights = self.sampled
        tracer = np.append(self.mostly_tracer, np.zeros(size - len(self.mostly_tracer), bool))
        figures, truth, use = own.compare(
            own.traced(self.truth.calls, self.stacks, self.contexts),
            own.weigh(self.truth, weight, size), tracer,
            {"sampling": np.bincount(contexts, weights=weights, minlength=size), **inferred},
            self.contexts)
        used = int(use[contexts].sum())
        return {**figures, "hook": weight.stored(), "samples": own.ticks(self.stacks),
                "used": used, "in_hooks": own.ticks_in_hooks(self.stacks),
                "expected": own.expected_distance(truth, used)}


def analyse(run, modes):
    """All figures of one run but for own CPU time, as they are stored."""
    samples = run.data.samples
    figures = {}
    for name, (mask, with_switches) in run.event_sets().items():
        seen, observed = run.observe(mask)
        figures[name] = {"events": int(mask.sum()), "modes": {},
                         "seen": metrics.stack_coverage(run.calls, observed, run.contexts)}
        for mode in modes:
            inferred = run.infer(mask, with_switches, mode)
            figures[name]["modes"][mode] = metrics.evaluate(
                run.calls, inferred, seen, observed, run.callers, run.contexts)
    return {
        "calls": len(run.calls), "entries": run.truth.entries,
        "lost": run.data.lost, "lost_calls": run.truth.lost,
        "open": run.truth.open, "threads": len(np.unique(run.calls.thread)),
        "contexts": len(np.unique(run.calls.context)), "functions": len(run.truth.functions),
        "inlined": len(run.programs[0].inlined),
        "seconds": float(samples.time.max() - samples.time.min()) / 1e9,
        "p99_ns": metrics.quantile(run.calls.latency, 0.99),
        "stacks": len(run.stacks), "complete": run.complete,
        "tracer_events": run.tracer_events, "sets": figures,
        "times": json.loads((run.directory / "times.json").read_text()),
    }


def own_cpu(run, modes):
    """Figures of own CPU time, by all events."""
    mask, with_switches = run.event_sets()[SETS[-1]]
    return run.own_cpu({mode: run.infer(mask, with_switches, mode).own_cpu for mode in modes})


def versions():
    """What the figures depend on."""
    def first_line(*command):
        done = subprocess.run(command, capture_output=True, text=True)
        return (done.stdout or done.stderr).strip().split("\n")[0]

    cpu = [line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
           if line.startswith("model name")]
    return {
        "machine": f"{len(cpu)} × {cpu[0] if cpu else 'unknown'}",
        "kernel": first_line("uname", "-sr"),
        "system": [line.split("=")[1].strip('"') for line in
                   Path("/etc/os-release").read_text().splitlines()
                   if line.startswith("PRETTY_NAME")][0],
        "perf": first_line("perf", "--version"),
        "uftrace": first_line("uftrace", "--version"),
        "compiler": first_line("gcc", "--version"),
        "babeltrace": first_line("babeltrace2", "--version"),
    }
