# SPDX-License-Identifier: MIT
"""What the exact trace and the inference have in common: calling contexts and calls.

A context is a number that stands for a sequence of functions from the root; both sides share one
Contexts, so equal numbers are equal contexts. Only functions that the exact trace knows are in it.
"""

from dataclasses import dataclass, fields

import numpy as np

ROOT = 0


class Contexts:
    """Calling contexts as dense numbers; 0 is the empty one."""

    def __init__(self):
        self.parents = [-1]
        self.functions = [""]
        self._children = {}

    def __len__(self):
        return len(self.parents)

    def child(self, parent, function):
        key = (parent, function)
        number = self._children.get(key)
        if number is None:
            number = self._children[key] = len(self.parents)
            self.parents.append(parent)
            self.functions.append(function)
        return number

    def path(self, context):
        functions = []
        while context != ROOT:
            functions.append(self.functions[context])
            context = self.parents[context]
        return functions[::-1]

    def text(self, context, limit=6):
        path = self.path(context)
        if len(path) > limit:
            path = path[:2] + ["…"] + path[2 - limit:]
        return " > ".join(path)


@dataclass
class Calls:
    """Columns of one length, a row a call: a true one or an inferred instance.

    A call was there from `begin` to `end`, in ns of CLOCK_MONOTONIC; for an inferred instance
    these are its first and its last sight.
    """

    thread: np.ndarray
    context: np.ndarray
    begin: np.ndarray
    end: np.ndarray

    def __len__(self):
        return len(self.thread)

    def take(self, rows):
        """The same kind of calls, only these rows (indices or a mask)."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return type(self)(**{name: value[rows] for name, value in values.items()})

    def sorted(self):
        return self.take(np.lexsort((self.begin, self.context, self.thread)))


@dataclass
class TrueCalls(Calls):
    """`open`: the trace has no exit; the end is that of the thread's trace."""

    open: np.ndarray

    @property
    def latency(self):
        return self.end - self.begin


@dataclass
class Instances(Calls):
    """`latency` is the product's default estimate. `lower` and `upper` are its bounds; `flags` are
    the product's; `max_calls` is how many calls it may be."""

    latency: np.ndarray
    conservative: np.ndarray
    aggressive: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    flags: np.ndarray
    max_calls: np.ndarray


def concatenate(parts):
    """One Calls out of several of one kind."""
    names = [field.name for field in fields(parts[0])]
    return type(parts[0])(
        **{name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    )
