# SPDX-License-Identifier: MIT
"""Own CPU time of contexts, three ways: the exact trace, plain timer samples, the inference.

All of them are arrays over context numbers, of CPU time without the tracer's hooks: what the hooks
weigh is taken off the trace, samples in a hook are none of the program's, and neither is what the
inference gives to a hook. A context where this leaves less of the truth than it took, or where the
timer finds the tracer more often than the program, is left out on all sides: there the truth is a
guess.
"""

import math

import numpy as np

from .calls import ROOT
from .graph import KINDS, tracer_functions
from .metrics import HOLDS, quantile, share, sum_up

# Later than any time.
NEVER = 1 << 62


class CpuClock:
    """The CPU time of threads, up to a constant, as far as switches tell it. A thread whose first
    switch is one to it has not run before that."""

    def __init__(self, stacks):
        # Thread -> begins and ends of the spans without the CPU, and the sum before each.
        self._spans = {}
        is_out = stacks.kind == KINDS.index("switch-out")
        rows = np.flatnonzero(is_out | (stacks.kind == KINDS.index("switch-in")))
        for thread in np.unique(stacks.thread[rows]):
            own = rows[stacks.thread[rows] == thread]
            self._spans[int(thread)] = _spans(stacks.time[own], is_out[own])

    def at(self, threads, times):
        """The CPU time of each thread at its time."""
        cpu = times.copy()
        for thread in np.unique(threads):
            if int(thread) in self._spans:
                begins, ends, off = self._spans[int(thread)]
                rows = np.flatnonzero(threads == thread)
                past = np.searchsorted(ends, times[rows], side="right")
                since = np.append(begins, NEVER)[past]
                cpu[rows] -= off[past] + np.maximum(times[rows] - since, 0)
        return cpu


def _spans(times, is_out):
    """Spans from each switch away from a thread to the next one to it."""
    times, is_out = np.append(times, NEVER), np.append(is_out, False)
    if not is_out[0]:
        times, is_out = np.append(0, times), np.append(True, is_out)
    begins = np.flatnonzero(is_out[:-1] & ~is_out[1:])
    begins, ends = times[begins], times[begins + 1]
    return begins, ends, np.append(0, np.cumsum(ends - begins))


def _ends(calls, stacks):
    """When the calls ended; those that a child of vfork has of its parent when it begins another
    program, of which the trace hears later."""
    ends = calls.end.copy()
    for row in np.flatnonzero(stacks.kind == KINDS.index("exec")).tolist():
        left = calls.open & (calls.thread == stacks.thread[row]) & (calls.begin < stacks.time[row])
        ends[left] = np.minimum(ends[left], stacks.time[row])
    return ends


def traced(calls, stacks, contexts):
    """Own CPU time in the exact trace, hooks included."""
    clock = CpuClock(stacks)
    spent = clock.at(calls.thread, _ends(calls, stacks)) - clock.at(calls.thread, calls.begin)
    return sum_up(calls.context, spent, contexts).own


def weigh(truth, weight, size):
    """What the hooks weigh in each context."""
    inside = np.bincount(truth.hooks_inside, minlength=size)
    outside = np.bincount(truth.hooks_outside, minlength=size)
    return weight.inside * inside + weight.outside * outside


def _ticks(stacks):
    return (stacks.kind == KINDS.index("sample")) & (stacks.argument > 0)


def ticks(stacks):
    return int(_ticks(stacks).sum())


def ticks_in_hooks(stacks):
    """Share of the timer's samples that lie in a hook."""
    return share(_in_hooks(stacks)[_ticks(stacks)])


def _in_hooks(stacks):
    return stacks.holds(tracer_functions(stacks.names))


def _innermost(stacks, sights, use):
    """Contexts and weights of the samples in the mask `use`."""
    innermost = np.full(len(stacks), ROOT)
    innermost[sights.event] = sights.frames.context
    return innermost[use], stacks.argument[use]


def sampled(stacks, sights):
    """What the complete stacks of the timer say, as contexts and weights of samples; `sights` are
    those of `stacks`."""
    return _innermost(stacks, sights, _ticks(stacks) & stacks.complete & ~_in_hooks(stacks))


def mostly_tracer(stacks, sights, size):
    """Mask of the contexts where the timer found the tracer at work more often than the program:
    what it does at a fork is in no hook's weight."""
    use = _ticks(stacks) & stacks.complete
    hooks = _in_hooks(stacks)
    counts = [np.bincount(_innermost(stacks, sights, mask)[0], minlength=size)
              for mask in (use & hooks, use & ~hooks)]
    return counts[0] > counts[1]


def _mean_deviation(p, n):
    """Of a binomial distribution (de Moivre's formula)."""
    m = int(n * p) + 1
    if p <= 0 or m > n:
        return 0
    return 2 * math.exp(math.log(m) + m * math.log(p) + (n - m + 1) * math.log1p(-p)
                        + math.lgamma(n + 1) - math.lgamma(m + 1) - math.lgamma(n - m + 1))


def expected_distance(shares, count):
    """The distance that so many samples can be expected to have from what they are drawn from."""
    if count == 0:
        return None
    return sum(_mean_deviation(p, count) for p in shares[shares > 0].tolist()) / count / 2


def _shares(own, use):
    """Of all that is used; contexts that were found later have nothing."""
    own = np.where(use, np.append(own, np.zeros(len(use) - len(own))), 0)
    return own / own.sum() if own.sum() > 0 else own


def compare(true, hooks_ns, tracer, others, contexts):
    """Figures of each of `others` (name -> own times) against the truth. `true` has the weight of
    the hooks, `hooks_ns`, in it; the contexts in the mask `tracer` do not count. Returns them, and
    the shares and the contexts that count."""
    without = np.maximum(true - hooks_ns, 0)
    use = (without >= hooks_ns) & ~tracer
    use[ROOT] = False
    truth = _shares(without, use)
    holding = np.flatnonzero(truth >= HOLDS)
    left_out = np.flatnonzero(~use & (without >= HOLDS * without[1:].sum()))
    left_out = left_out[left_out != ROOT]
    figures = {
        "holding": len(holding),
        "left_out": [contexts.text(c) for c in left_out[np.argsort(-without[left_out])]],
        "left_out_share": float(1 - without[use].sum() / max(without[1:].sum(), 1)),
        "hooks": float(hooks_ns[1:].sum() / max(true[1:].sum(), 1)),
    }
    for name, own in others.items():
        part = _shares(own, use)
        error = np.abs(part - truth)
        worst = np.argsort(-error, kind="stable")[:3]
        figures[name] = {
            "error": [quantile(error[holding] / truth[holding], q) for q in (0.5, 0.9)],
            "distance": float(error.sum() / 2),
            "worst": [[contexts.text(c), float(truth[c]), float(part[c])] for c in worst],
        }
    return figures, truth, use


def mean(recordings):
    """The figures of several recordings as one: numbers are means, names those of the first."""
    first = recordings[0]
    if isinstance(first, dict):
        return {key: mean([value[key] for value in recordings]) for key in first}
    if isinstance(first, list) and first and isinstance(first[0], float):
        return [mean(column) for column in zip(*recordings)]
    return first if isinstance(first, (list, str)) else sum(recordings) / len(recordings)
