# SPDX-License-Identifier: MIT
"""What the tracer's hooks weigh, measured with small/hook.c beside each recorded run.

A hook takes the time somewhere in its middle. What it does behind that at a function's entry, and
before that at its exit, lies in the traced time of the call; the rest of both lies in its caller.
"""

from dataclasses import asdict, dataclass

import numpy as np

from .truth import ENTRY, EXIT, Records

# Longer ones were interrupted, or waited for a buffer.
LONGEST = 10


@dataclass
class Weight:
    """Of one call, in ns: inside of its traced time, and outside of it in its caller."""

    inside: float
    outside: float

    stored = asdict


def _typical(spans):
    return float(np.mean(spans[spans <= LONGEST * np.median(spans)]))


def measure(trace):
    """From uftrace's directory of hook.c."""
    path, = trace.glob("[0-9]*.dat")
    records = Records(path)
    rows = records.depth == 1
    times, kind = records.times[rows], records.kind[rows]
    begins, ends = times[kind == ENTRY], times[kind == EXIT]
    return Weight(_typical(ends - begins), _typical(begins[1:] - ends[:-1]))
