# SPDX-License-Identifier: MIT
"""doc/accuracy.md and its plot, from the stored figures of all programs."""

from pathlib import Path

from . import causes, metrics, paper, thin
from .analyse import SETS
from .plot import plot

FULL = SETS[-1]
PLOT = "accuracy.svg"

# What the figures should reach with all events: name, how to get it, the target, whether more is
# better.
TARGETS = (
    ("with an event", lambda e: e["slow"]["eventful"], None, True),
    ("covered", lambda e: e["slow"]["covered"], 0.95, True),
    ("error, median", lambda e: e["slow"]["errors"]["latency"][0], 0.05, False),
    ("error, 90 %", lambda e: e["slow"]["errors"]["latency"][1], 0.25, False),
    ("in bounds", lambda e: e["all"]["in_bounds"], 0.99, True),
    ("slow contexts", lambda e: e["contexts"]["slow_covered"], 0.95, True),
    ("own time, median error", lambda e: e["contexts"]["own_error"][0], 0.05, False),
    ("counts within 10 %", lambda e: e["contexts"]["count_within"], 1.0, True),
    ("counts in bounds", lambda e: e["contexts"]["count_held"], 0.99, True),
    ("with an upper one", lambda e: e["contexts"]["count_known"], None, True),
)
# Of own CPU time: the largest median error, and the distance relative to that of plain samples, in
# the median of all programs.
OWN_ERROR, OWN_DISTANCE = 0.1, 0.8

NEWLINE = "\n"

HEAD = """\
# How accurate the inference is

<!-- Written by `{command}`; do not edit. -->

Every latency that introperf prints is inferred from stacks. Here the inferred calls are held
against an exact trace of the same run: uftrace on programs built with `-finstrument-functions`,
beside perf.
"""

COVERAGE = """\
## What each event adds

The paper's table 3 (Sys, LCTX, HCTX) and figure 8 (real programs): what the stacks show, before
anything is inferred. Four numbers are: system calls / + switches / + timer at 100 Hz / + timer at
1000 Hz.
"""

PAPER = """\
### Beside the paper's table 3

The paper (SIGMETRICS 2014, table 3) measured Apache, MySQL and 7zip, with Pin on Windows; its ranges
are over the threads of a program. Here are programs that do work of the same kind, all threads together,
with the paper's definitions: what is covered by the instances of the paper's rule (*function*) and of
the default one (*{mode}*), in percent. What is covered depends on the stacks more than on the rule; the
last column, which the paper has not, is where rules differ. Three numbers are: Sys / LCTX / HCTX in the paper, where a
context switch was simulated every 120 and every 20 ms; system calls / + switches / + timer at 1000 Hz
here.
"""

OWN_CPU = """\
## Own CPU time

Whose the CPU time was, of all threads, with {mode} and all events, beside the samples of the timer in
the same recording, taken as they are; means of {recordings} recordings of each program. *Error*: of contexts with at least {holds} of all, median.
*Distance*: half the sum of what the shares of all contexts are off (total variation distance). *By
number*: the distance to expect of so many samples, however good they are. Bold is worse than
plain samples, or misses {error} or, in the median, {distance} of their distance.

A hook weighs more than many functions do. So these recordings are of programs where only the
functions with the longest calls have hooks, as many as make the hooks weigh {most} of the program's
own time; the others count to their callers, on all sides. *Hooked* says how many of the functions
that ran are left. What their hooks weigh (measured right after each run: {hook} ns a call) is taken off the exact
trace, and so is time without the CPU; samples in hooks and what the inference gives to hooks do
not count either. Contexts where the hooks still take more than is left, or where the timer found
the tracer more often than the program (it has much to do at a fork), are *left out* on all sides.
What recording took is in all three.
"""

ESTIMATES = """\
## Estimates

Relative error, median / 90 %, with {mode} and all events: the default estimate, and the two of the
paper.
"""

DEFINITIONS = f"""\
A *call* is one entry and exit in the exact trace; an *instance* is one inferred call. Both have a
context: the functions from the thread's root that the exact trace knows. An instance is *linked* to
the calls of its thread and context that were there between its first and its last sight; the linked
instance that overlaps a call longest stands for it. `tests/accuracy/README.md` has the details.

- *with an event*: share of the calls during which their thread had at least one event of any kind:
  no inference can cover more.
- *seen*: share of the calls (contexts) that at least one stack shows; the paper's coverage.
- *covered*: share of the calls that an instance stands for which belongs to the call alone, or
  begins or ends in it, or goes over it while a stack shows it.
- *one to one*: covered, and linked to one instance which is linked to nothing else.
- *error*: |inferred − true| / true latency, over covered calls. A merge makes it large, a split
  makes it up to 100 %. What is more than ten times the truth is written as ×N.
- *in bounds*: share of the covered calls whose true latency lies within the bounds of their
  instance (± {metrics.TRACER_NS // 1000} µs for the tracer's hooks); *width*: upper − lower, relative
  to the truth.
- *slowest 1 %*: of all calls by latency; of all contexts by mean latency. *Long*: calls of at least
  {metrics.LONG_NS / 1e6:.0f} ms, twice the period of the fastest timer.
- *own time*: of contexts whose own time is at least {metrics.HOLDS:.0%} of all time, as relative
  error of the sum.
- *counts*: of contexts with at least {metrics.HOLDS:.0%} of all time below them and at least one
  event in every call: share whose number of instances is within 10 % of the number of calls; *in
  bounds*: of all contexts with an instance, share whose number of calls is neither less than what
  was seen nor more than what is told to be possible; *with an upper one*: where that is told.
"""

TRACING = """\
## Tracing

*Load*: what else the machine did, as the load average of the minute before. Run times in seconds:
alone (with the hooks, but no tracer), under perf, under uftrace, under both. The figures are those of
the program as traced: the hooks are part of its functions.
"""

DETAILS = f"""\
## Details

Errors and width: median / 90 %.

¹ {" / ".join(causes.MERGES)}; ² {" / ".join(causes.SPLITS)}: see README.md in tests/accuracy.
"""


def percent(value, digits=1):
    if value is None:
        return "–"
    return f"{100 * value:.{digits}f} %" if value < 10 else f"×{value + 1:.3g}"


def _row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(head, rows):
    align = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join([_row(head), _row(align), *(_row(row) for row in rows)]) + "\n"


def _mark(value, target, more):
    """A figure, bold where it misses its target."""
    text = percent(value)
    if value is None or target is None:
        return text
    return text if (value >= target if more else value <= target) else f"**{text}**"


def _targets(results, modes):
    head = ["program", "rule", *(name for name, _, _, _ in TARGETS)]
    goal = ["*wanted*", "", *(f"{'≥' if more else '≤'} {percent(target, 0)}" if target else ""
                              for _, _, target, more in TARGETS)]
    rows = [goal]
    for result in results:
        for mode in modes:
            figures = result["sets"][FULL]["modes"][mode]
            rows.append([result["name"], mode,
                         *(_mark(get(figures), target, more) for _, get, target, more in TARGETS)])
    return table(head, rows)


def _fates(results, modes):
    rows = []
    for result in results:
        for mode in modes:
            fates = result["sets"][FULL]["modes"][mode]["fates"]
            rows.append([result["name"], mode, sum(fates.values()),
                         *(fates[name] for name in causes.FATES)])
    return table(["program", "rule", "slowest 1 %", *causes.FATES], rows)


def _coverage(results):
    """The layout of the paper's table 3."""
    columns = (("contexts", "contexts"), ("slowest contexts", "slow_contexts"),
               ("calls", "calls"), ("slowest calls", "slow_calls"))
    rows = []
    for result in results:
        calls = result["calls"]
        cells = [" / ".join(percent(result["sets"][name]["seen"][key], 1 if key != "calls" else 2)
                            .replace(" %", "") for name in SETS) for _, key in columns]
        rows.append([result["name"], calls, result["contexts"],
                     percent(result["sets"][SETS[0]]["events"] / 2 / calls, 2), *cells])
    return table(["program", "calls", "contexts", "system calls / calls",
                  *(f"{title}, %" for title, _ in columns)], rows)


def _beside_paper(results, mode):
    """The paper's figures, and below each of its programs ours."""
    rows, sentences = [], []
    for published in paper.TABLE:
        rows.append([f"*{published.name}, paper*", _range(published.rate),
                     *(" / ".join(map(_range, column)) for column in published.coverage), "–"])
        for result in results:
            if result["name"] in published.like:
                rows += [_our_row(result, rule) for rule in (paper.PAPER_MODE, mode)]
                sentences.append(_against_paper(result, published, mode))
    head = ["program", "system calls / 100 calls", *(name for name, _, _ in paper.COLUMNS),
            "slowest 1 %, one to one"]
    return table(head, rows) + NEWLINE + NEWLINE.join(sentences) + NEWLINE


def _range(bounds):
    return "–".join(f"{bound:g}" for bound in bounds)


def _our_row(result, rule):
    values = [f"{100 * covered:.1f}" for _, _, covered, _ in paper.cells(result, rule)]
    sets = len(paper.SETS)
    return [f"{result['name']}, {rule}", f"{100 * paper.rate(result):.2f}",
            *(" / ".join(values[i:i + sets]) for i in range(0, len(values), sets)),
            _own(result, rule)]


def _own(result, rule):
    """Slowest calls that have an instance of their own."""
    return " / ".join(f"{100 * result['sets'][name]['modes'][rule]['slow']['one_to_one']:.1f}"
                      for name in paper.SETS.values())


def _against_paper(result, published, mode):
    compared = paper.compare(result, published, mode)
    sides = compared.sides[paper.PAPER_MODE]
    count = sum(map(len, sides.values()))
    out = [f"- *{result['name']}* makes {100 * paper.rate(result):.2g} system calls per 100 calls, "
           f"{compared.rate} {published.name}'s range. Of {count} figures the paper's rule has "
           f"{len(sides['within'])} within the range{_outside(sides)}."]
    if sides["below"]:
        out.append(f"Of the {len(sides['below'])} below, {len(compared.limited_by_stacks)} cover "
                   "all that any stack shows, so no rule could cover more.")
    places = "the same" if compared.sides[mode] == sides else \
        f"{len(compared.sides[mode]['within'])}{_outside(compared.sides[mode])}"
    out.append(f"With {mode} those within are {places}; it covers more than the paper's rule in "
               f"{len(compared.more)}, as much in {len(compared.same)}, less in "
               f"{len(compared.less)}{_figures(compared.less, ': ')}.")
    return " ".join(out)


def _outside(sides):
    return "".join(_figures(sides[side], f"; {side}: ") for side in ("below", "above"))


def _figures(pairs, lead):
    """Figures (column, set), by column."""
    columns = {}
    for column, events in pairs:
        columns.setdefault(column, []).append(events)
    texts = [f"{column} ({', '.join(events)})" for column, events in columns.items()]
    return lead + ", ".join(texts) if texts else ""


def _own_error(figures, limit):
    return _mark(figures["error"][0], limit, False)


def _ratio(result, mode):
    figures = result["own_cpu"]
    return figures[mode]["distance"] / figures["sampling"]["distance"]


def _own_row(result, mode):
    figures = result["own_cpu"]
    sampling, ours = figures["sampling"], figures[mode]
    return [result["name"] + (" †" if result["is_fresh"] else ""),
            f"{figures['kept']} of {figures['functions']}", round(figures["used"]),
            percent(figures["in_hooks"]), round(figures["holding"]), percent(figures["left_out_share"]),
            percent(sampling["error"][0]), _own_error(ours, OWN_ERROR),
            percent(figures["expected"]), percent(sampling["distance"]),
            _mark(ours["distance"], sampling["distance"], False),
            _mark(_ratio(result, mode), 1, False)]


def _own_medians(results, mode):
    """Rows of the median ratio: of all programs, and of those in the two parts."""
    rows = []
    for title, part in (("all", results),
                        ("looked at for the rules", [r for r in results if not r["is_fresh"]]),
                        ("not looked at †", [r for r in results if r["is_fresh"]])):
        if part:
            median = metrics.quantile([_ratio(result, mode) for result in part], 0.5)
            rows.append([f"*median, {title}*", *[""] * 10, _mark(median, OWN_DISTANCE, False)])
    return rows


def _own_cpu(results, mode):
    known = [result for result in results if result["own_cpu"]]
    if not known:
        return []
    hooks = [sum(result["own_cpu"]["hook"].values()) for result in known]
    head = OWN_CPU.format(mode=mode, holds=percent(metrics.HOLDS, 0), error=percent(OWN_ERROR, 0),
                          most=percent(thin.MOST_HOOKS, 0), distance=percent(OWN_DISTANCE, 0),
                          hook=f"{min(hooks):.0f} to {max(hooks):.0f}",
                          recordings=min(result["own_cpu"]["recordings"] for result in known))
    rows = [_own_row(result, mode) for result in known] + _own_medians(known, mode)
    text = table(["program", "hooked", "samples", "more in hooks", "contexts", "left out, of the time",
                  "error, samples", "error, ours", "distance, by number", "samples", "ours",
                  "ours / samples"], rows)
    unknown = [result["name"] for result in results if not result["own_cpu"]]
    remark = ("Not known, as events were lost or the trace does not hold all time: "
              f"{', '.join(unknown)}.\n") if unknown else ""
    return [head, text, "† Nothing in the division of CPU time was chosen by these programs.\n",
            remark, _left_out(known)]


def _left_out(results):
    lines = [f"- *{result['name']}*: " + ", ".join(
        f"`{path}`" for path in result["own_cpu"]["left_out"][:5]) + "."
        for result in results if result["own_cpu"]["left_out"]]
    title = f"Left out, of at least {percent(metrics.HOLDS, 0)} of all, the first five:"
    return "\n".join([title, "", *lines, ""]) if lines else ""


def _long(results, modes):
    rows = []
    for result in results:
        for mode in modes:
            figures = result["sets"][FULL]["modes"][mode]["long"]
            rows.append([result["name"], mode, figures["calls"], percent(figures["covered"]),
                         percent(figures["one_to_one"]), percent(figures["errors"]["latency"][0]),
                         percent(figures["errors"]["latency"][1]), percent(figures["in_bounds"]),
                         percent(figures["width"][0])])
    return table(["program", "rule", "calls", "covered", "one to one", "error, median",
                  "error, 90 %", "in bounds", "width, median"], rows)


def _pair(values):
    return " / ".join(percent(value) for value in values)


def _estimates(results, mode):
    rows = []
    for result in results:
        figures = result["sets"][FULL]["modes"][mode]
        rows.append([result["name"], *(_pair(figures[scope]["errors"][name])
                                       for scope in ("slow", "long")
                                       for name in metrics.ESTIMATES)])
    return table(["program", *(f"{scope}, {name.replace('latency', 'default')}"
                               for scope in ("slowest 1 %", "long")
                               for name in metrics.ESTIMATES)], rows)


def _details(result, modes):
    rows = []
    for name in SETS:
        for mode in modes:
            figures = result["sets"][name]["modes"][mode]
            slow, everything, long_ = figures["slow"], figures["all"], figures["long"]
            rows.append([
                name, mode, percent(everything["covered"], 2), percent(slow["covered"]),
                percent(long_["covered"]), percent(slow["one_to_one"]),
                _pair(slow["errors"]["latency"]), _pair(long_["errors"]["latency"]),
                percent(slow["in_bounds"]), _pair(slow["width"]),
                " / ".join(str(figures["merges"][cause]) for cause in causes.MERGES),
                " / ".join(str(figures["splits"][cause]) for cause in causes.SPLITS),
                figures["invented"]])
    text = table(["events", "rule", "covered, all", "slowest", "long", "one to one",
                  "error, slowest", "error, long", "in bounds", "width",
                  "merges¹", "splits²", "invented"], rows)
    if not result["package"]:
        text += f"\nWith {modes[-1]} and all events: " + (_why(result, modes[-1]).split(": ", 1)[1:]
                                                         or ["nothing is missed."])[0] + "\n"
    return text


def _why(result, mode):
    """Sentences for what misses its target, with counts by cause."""
    figures = result["sets"][FULL]["modes"][mode]
    missed = {name for name, get, target, more in TARGETS if target and get(figures) is not None
              and (get(figures) < target if more else get(figures) > target)}
    fates, merges, splits = figures["fates"], figures["merges"], figures["splits"]
    out = []
    if "covered" in missed:
        out.append(f"of {figures['slow']['calls']} calls {fates['no event']} had no event, "
                   f"{fates['not on its stacks']} only stacks that lack them, "
                   f"{fates['dropped']} were dropped")
    if missed & {"error, median", "error, 90 %"}:
        out.append(f"{fates['merged by the rule']} were merged with others that stacks show, "
                   f"{fates['merged with unseen']} with unseen ones, {fates['split']} were split, "
                   f"{fates['seen too seldom']} were seen too seldom")
        if any(merges.values()):
            out.append("wrong merges of all calls: " + _counts(merges))
        if any(splits.values()):
            out.append("wrong splits: " + _counts(splits))
    if "in bounds" in missed:
        out.append("out of bounds were " + _counts(figures["all"]["out_of_bounds"]))
    if "own time, median error" in missed:
        out.append("own time, true and inferred: " + ", ".join(
            f"`{path}` {true / 1e6:.3g} ms, {inferred / 1e6:.3g} ms"
            for path, true, inferred in figures["contexts"]["worst_own"]))
    if "counts within 10 %" in missed:
        out.append("calls and instances: " + ", ".join(
            f"`{path}` {true}, {inferred}"
            for path, true, inferred in figures["contexts"]["worst_counts"][:3]))
    return f"- *{result['name']}*: " + "; ".join(out) + "." if out else ""


def _counts(numbers):
    return ", ".join(f"{number} {name}" for name, number in numbers.items() if number)


def _overhead(results):
    rows = []
    for result in results:
        times = {**result["times"], "both": result["seconds"]}
        rows.append([result["name"], f"{times['load']:.1f}",
                     *(f"{times[name]:.2f}" for name in ("alone", "perf", "uftrace", "both")),
                     f"×{times['both'] / times['alone']:.1f}", result["calls"],
                     result["entries"] - result["calls"], result["stacks"],
                     result["stack_bytes"], percent(result["complete"]), result["tracer_events"],
                     f"{result['lost']} / {result['lost_calls']}"])
    return table(["program", "load", "alone, s", "perf", "uftrace", "both", "slower", "calls",
                  "of inlined functions", "stacks", "bytes copied", "reach their root",
                  "of the tracer, left out", "lost by perf / uftrace"], rows)


def _machine(versions):
    return table(["", "version"], [[name, text] for name, text in versions.items()])


def _in_short(results, modes):
    real = [result for result in results if result["package"]]
    small = [result for result in results if not result["package"]]
    why = filter(None, (_why(result, modes[-1]) for result in real))
    return f"""\
## In short

Real programs, all events (system calls, switches, timer at 1000 Hz), the slowest 1 % of the calls;
*in bounds* is of all calls. Bold misses what is wanted.

{_targets(real, modes)}
What became of the slowest 1 %, each call counted once: error within 5 % or 25 %; one to one, but
seen too seldom to be within 25 %; split; merged with calls that no stack shows; merged with others
that are seen; without any event during the call; with events whose stacks lack it; on a stack, but
not in an instance.

{_fates(real, modes)}
Why, with {modes[-1]}:

{NEWLINE.join(why)}

Calls that no timer tick can miss, of at least {metrics.LONG_NS / 1e6:.0f} ms:

{_long(real, modes)}
The programs that isolate a rule:

{_targets(small, modes)}
{_fates(small, modes)}"""


def _program(result, modes):
    version = f" ({result['package']} {result['version']})" if result["package"] else ""
    return f"""\
### {result['name']}{version}

{result['about']}. {result['calls']} calls of {result['functions']} functions in
{result['contexts']} contexts, {result['threads']} threads; 99 % of the calls are shorter than
{result['p99_ns'] / 1000:.1f} µs.

{_details(result, modes)}"""


def _paper(results, modes):
    """The comparison with the paper, if the paper's rule was measured."""
    if paper.PAPER_MODE not in modes:
        return []
    return [PAPER.format(mode=modes[-1]), _beside_paper(results, modes[-1])]


def write(directory, results, skipped, modes, missing_modes, versions, command):
    """Writes accuracy.md and accuracy.svg into `directory`."""
    directory = Path(directory)
    results = sorted(results, key=lambda r: (not r["package"], r["order"]))
    plot([result for result in results if result["package"]] or results, directory / PLOT)
    remarks = []
    if missing_modes:
        remarks.append(f"Rules that this build does not have: {', '.join(missing_modes)}.\n")
    if skipped:
        remarks.append("Not measured: " + "; ".join(
            f"{name} ({why})" for name, why in skipped) + ".\n")
    out = [HEAD.format(command=command), _machine(versions), *remarks, _in_short(results, modes),
           COVERAGE, _coverage(results), f"![coverage]({PLOT})\n", *_paper(results, modes),
           *_own_cpu(results, modes[-1]), ESTIMATES.format(mode=modes[-1]),
           _estimates(results, modes[-1]),
           "## Words\n", DEFINITIONS, TRACING, _overhead(results), DETAILS]
    out += [_program(result, modes) for result in results]
    (directory / "accuracy.md").write_text("\n".join(out))
