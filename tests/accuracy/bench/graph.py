# SPDX-License-Identifier: MIT
"""The product, run over a recording by babeltrace2; its messages as arrays.

sink.accuracy.columns (columns.c) writes them. Nothing is inferred here.
"""

import dataclasses
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .calls import ROOT, Instances

LAYER_USER = 0
KINDS = ("enter", "exit", "switch-out", "switch-in", "wakeup", "sample", "function-entry",
         "function-exit", "loss", "start", "exec", "end")


TRACER_MODULE = "libmcount"
HOOK_ENTER, HOOK_EXIT = "__cyg_profile_func_enter", "__cyg_profile_func_exit"


class GraphError(Exception):
    """The graph failed; the text is Babeltrace's."""


def _run(build, arguments, directory):
    command = ["babeltrace2", f"--plugin-path={build}:{build}/tests/accuracy", *arguments,
               "--component=sink.accuracy.columns", f'--params=path="{directory}"']
    done = subprocess.run(command, capture_output=True, text=True,
                          env={**os.environ, "LC_ALL": "C"})
    if done.returncode != 0:
        raise GraphError(done.stderr.strip())


class Tables:
    """What the sink wrote: a table for each kind of event."""

    def __init__(self, directory):
        self._directory = Path(directory)
        self.strings = (self._directory / "strings").read_text(errors="replace").split("\n")
        self.origin = int((self._directory / "origin").read_text())

    def table(self, name):
        """Column name -> values."""
        names = (self._directory / f"{name}.columns").read_text().split()
        values = np.fromfile(self._directory / f"{name}.i64", dtype="<i8")
        return dict(zip(names, values.reshape(-1, len(names)).T))

    def has(self, name):
        return (self._directory / f"{name}.columns").exists()

    def elements(self, name, member):
        return np.fromfile(self._directory / f"{name}.{member}.u64", dtype="<u8")

    def functions(self):
        """Function id -> (name, module, layer)."""
        table = self.table("function")
        return {int(number): (self.strings[name], self.strings[module], int(layer))
                for number, name, module, layer in
                zip(table["id"], table["name"], table["module"], table["layer"])}


def tracer_functions(functions):
    """Function ids of the exact tracer, its hooks included."""
    return [number for number, (name, module, _) in functions.items()
            if module.startswith(TRACER_MODULE) or name in (HOOK_ENTER, HOOK_EXIT)]


def known_functions(functions, programs, traced):
    """Function id -> the name that the exact trace has for it, for those in `traced`, the names
    that the exact trace has."""
    by_module = {program.module: program for program in programs}
    known = {}
    for number, (name, module, layer) in functions.items():
        if layer == LAYER_USER and module in by_module:
            name = by_module[module].function_named(name)
            if name in traced:
                known[number] = name
    return known


def _reduced_contexts(table, known, contexts):
    """For every context of the inference: the shared number of what is left of it when only the
    known functions count, and whether its own function is one of them."""
    size = int(table["id"].max()) + 1
    reduced = np.full(size, ROOT, dtype=np.int64)
    is_known = np.zeros(size, dtype=bool)
    for number, parent, function in zip(table["id"].tolist(), table["parent"].tolist(),
                                        table["function"].tolist()):
        name = known.get(function)
        is_known[number] = name is not None
        reduced[number] = contexts.child(int(reduced[parent]), name) if name else reduced[parent]
    return reduced, is_known


def _in_tracer(table, tracer):
    """For every context of the inference: whether it lies in one of the functions `tracer`."""
    inside = np.zeros(int(table["id"].max()) + 1, dtype=bool)
    own = np.isin(table["function"], tracer)
    for number, parent, is_own in zip(table["id"].tolist(), table["parent"].tolist(),
                                      own.tolist()):
        inside[number] = is_own or inside[parent]
    return inside


def _own_cpu(tables, reduced, contexts):
    """Own CPU time of the shared contexts: instances without those directly below them, corrected
    by what the timer says. The recorder's is that of the contexts in which it was at work, as
    in the exact trace; the tracer's is nobody's."""
    table, instances = tables.table("context"), tables.table("instance")
    size = len(reduced)
    spent = np.bincount(instances["node"], weights=instances["best_cpu_ns"], minlength=size)
    own = spent.copy()
    np.subtract.at(own, table["parent"], spent[table["id"]])
    if tables.has("share"):
        shares = tables.table("share")
        np.add.at(own, shares["within"], shares["cpu_ns"])
    own[_in_tracer(table, tracer_functions(tables.functions()))] = 0
    return np.bincount(reduced, weights=own, minlength=len(contexts))


@dataclass
class Inferred:
    instances: Instances
    # How many events were lost, and how many stacks are broken: calls may hide there.
    hidden: tuple
    # Over context numbers.
    own_cpu: np.ndarray


def infer(build, data, parameters, programs, truth, contexts):
    """The instances of known functions, their contexts reduced to these functions."""
    with tempfile.TemporaryDirectory(dir=Path(data).parent) as directory:
        _run(build, [str(data), "--component=filter.introperf.infer", f"--params={parameters}"],
             directory)
        tables = Tables(directory)
        known = known_functions(tables.functions(), programs, truth.functions)
        reduced, is_known = _reduced_contexts(tables.table("context"), known, contexts)
        own_cpu = _own_cpu(tables, reduced, contexts)
        table = tables.table("instance")
        table = {name: values[is_known[table["node"]]] for name, values in table.items()}
        begin = table["begin_ns"] - tables.origin
        instances = Instances(
            thread=table["tid"], context=reduced[table["node"]], begin=begin,
            end=begin + table["conservative_ns"],
            latency=table.get("best_ns", table["conservative_ns"]),
            conservative=table["conservative_ns"], aggressive=table["aggressive_ns"],
            lower=table["lower_ns"], upper=table["upper_ns"], flags=table["flags"],
            max_calls=table["max_calls"])
        workload = tables.table("workload")
        hidden = int(workload["lost_events"][-1]), int(workload["broken_stacks"][-1])
        return Inferred(instances.sorted(), hidden, own_cpu)


@dataclass
class Stacks:
    """Columns of stack events, and their frames, root first: those of event i are
    frames[first[i]:first[i + 1]]. `thread` is the one whose stack it is."""

    kind: np.ndarray
    argument: np.ndarray
    thread: np.ndarray
    time: np.ndarray
    complete: np.ndarray
    first: np.ndarray
    functions: np.ndarray
    addresses: np.ndarray
    # Function id -> (name, module, layer).
    names: dict

    def __len__(self):
        return len(self.kind)

    def take(self, rows):
        """Only these events (indices or a mask)."""
        rows = np.arange(len(self))[rows]
        lengths = (self.first[1:] - self.first[:-1])[rows]
        first = np.append(0, np.cumsum(lengths))
        places = np.arange(first[-1]) + np.repeat(self.first[:-1][rows] - first[:-1], lengths)
        return Stacks(self.kind[rows], self.argument[rows], self.thread[rows], self.time[rows],
                      self.complete[rows], first, self.functions[places], self.addresses[places],
                      self.names)

    def holds(self, functions):
        """Mask of the events with at least one frame of these functions."""
        hit = np.append(0, np.cumsum(np.isin(self.functions, list(functions))))
        return hit[self.first[1:]] > hit[self.first[:-1]]


def _unparked(stacks):
    """The same events, where one that switches in shows the stack with which its thread switched
    out: it has been there since."""
    order = np.lexsort((np.arange(len(stacks)), stacks.thread))
    before, after = order[:-1], order[1:]
    back = ((stacks.thread[before] == stacks.thread[after]) &
            (stacks.kind[before] == KINDS.index("switch-out")) &
            (stacks.kind[after] == KINDS.index("switch-in")))
    source = np.arange(len(stacks))
    source[after[back]] = before[back]
    return dataclasses.replace(stacks.take(source), kind=stacks.kind, argument=stacks.argument,
                               time=stacks.time)


def read_stacks(build, data):
    """Every stack event of the recording as the source hands it to the inference."""
    with tempfile.TemporaryDirectory(dir=Path(data).parent) as directory:
        _run(build, [str(data)], directory)
        tables = Tables(directory)
        table = tables.table("stack")
        kind = table["kind"]
        waker = kind == KINDS.index("wakeup")
        return _unparked(Stacks(
            kind=kind, argument=table["argument"],
            thread=np.where(waker, table["argument"], table["tid"]),
            time=table["time"], complete=table["complete"] != 0,
            first=np.append(0, np.cumsum(table["functions"])),
            functions=tables.elements("stack", "functions").astype(np.int64),
            addresses=tables.elements("stack", "addresses"), names=tables.functions()))


def knows(build, data, parameters):
    """Whether the built plugin accepts these parameters of filter.introperf.infer."""
    with tempfile.TemporaryDirectory(dir=Path(data).parent) as directory:
        try:
            _run(build, [str(data), "--component=filter.introperf.infer",
                         f"--params={parameters}"], directory)
        except GraphError as error:
            if "parameter" in str(error):
                return False
            raise
    return True
