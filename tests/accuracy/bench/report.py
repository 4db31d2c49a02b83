# SPDX-License-Identifier: MIT
"""doc/accuracy.md and its plot, from the stored figures of all programs."""

from pathlib import Path

from . import causes, metrics
from .analyse import SETS

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
)

DEFINITIONS = f"""\
A *call* is one entry and exit in the exact trace; an *instance* is one inferred call. Both have a
context: the functions from the thread's root that the exact trace knows. An instance is *linked* to
the calls of its thread and context that were there between its first and its last sight; the linked
instance that overlaps a call longest stands for it. `tests/accuracy/README.md` has the details.

- *with an event*: share of the calls during which their thread had at least one event of any kind: no
  inference can cover more.
- *seen*: share of the calls (contexts) that at least one stack shows; the paper's coverage.
- *covered*: share of the calls that an instance stands for which begins or ends in them, or that a
  stack shows and an instance goes over.
- *one to one*: covered, and linked to one instance which is linked to nothing else.
- *error*: |inferred − true| / true latency, over covered calls. A merge makes it large, a split makes
  it up to 100 %. What is more than ten times the truth is written as ×N.
- *in bounds*: share of the covered calls whose true latency lies within the bounds of their instance
  (± {metrics.TRACER_NS / 1000:.0f} µs for the tracer's hooks); *width*: upper − lower, relative to the true latency.
- *slowest 1 %*: of all calls by latency; of all contexts by mean latency. *Long*: calls of at least
  {metrics.LONG_NS / 1e6:.0f} ms, twice the period of the fastest timer.
- *own time*: of contexts whose own time is at least {metrics.HOLDS:.0%} of all time, as relative error of the sum.
- *counts*: of contexts with at least {metrics.HOLDS:.0%} of all time below them and at least one event in every
  call: share whose number of instances is within 10 % of the number of calls.
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


def _estimates(results, mode):
    rows = []
    for result in results:
        figures = result["sets"][FULL]["modes"][mode]
        rows.append([result["name"], *(
            f"{percent(figures[scope]['errors'][name][0])} / {percent(figures[scope]['errors'][name][1])}"
            for scope in ("slow", "long") for name in metrics.ESTIMATES[1:])])
    return table(["program", *(f"{scope}, {name}" for scope in ("slowest 1 %", "long")
                               for name in metrics.ESTIMATES[1:])], rows)


def _details(result, modes):
    rows = []
    for name in SETS:
        for mode in modes:
            figures = result["sets"][name]["modes"][mode]
            slow, everything, long_ = figures["slow"], figures["all"], figures["long"]
            rows.append([
                name, mode, percent(everything["covered"], 2), percent(slow["covered"]),
                percent(long_["covered"]), percent(slow["one_to_one"]),
                f"{percent(slow['errors']['latency'][0])} / {percent(slow['errors']['latency'][1])}",
                f"{percent(long_['errors']['latency'][0])} / "
                f"{percent(long_['errors']['latency'][1])}",
                percent(slow["in_bounds"]),
                f"{percent(slow['width'][0])} / {percent(slow['width'][1])}",
                " / ".join(str(figures["merges"][cause]) for cause in causes.MERGES),
                " / ".join(str(figures["splits"][cause]) for cause in causes.SPLITS),
                figures["invented"]])
    text = table(["events", "rule", "covered, all", "slowest", "long", "one to one",
                  "error, slowest", "error, long", "in bounds", "width",
                  "merges¹", "splits²", "invented"], rows)
    worst = [row for row in result["sets"][FULL]["modes"][modes[-1]]["contexts"]["worst_counts"]
             if row[1] != row[2]]
    if worst:
        text += f"\nCounts that are off with {modes[-1]} and all events: " + "; ".join(
            f"`{path}` {true} calls, {inferred} instances" for path, true, inferred in worst) + ".\n"
    return text


def _overhead(results):
    rows = []
    for result in results:
        times = {**result["times"], "both": result["seconds"]}
        rows.append([result["name"], *(f"{times[name]:.2f}" for name in
                                       ("alone", "perf", "uftrace", "both")),
                     f"×{times['both'] / times['alone']:.1f}", result["calls"],
                     result["entries"] - result["calls"], result["stacks"],
                     result["stack_bytes"], percent(result["complete"]), result["tracer_events"],
                     f"{result['lost']} / {result['lost_calls']}"])
    return table(["program", "alone, s", "perf", "uftrace", "both", "slower", "calls",
                  "of inlined functions", "stacks", "bytes copied", "reach their root",
                  "of the tracer, left out", "lost by perf / uftrace"], rows)


def plot(results, path):
    """The paper's figure 8, for every program: coverage by the stacks of what is at least so
    slow."""
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "introperf", "svg.fonttype": "none",
                                "font.size": 7, "axes.linewidth": 0.6})
    from matplotlib import pyplot
    columns = 4
    rows = -(-len(results) // columns)
    figure, axes = pyplot.subplots(rows, columns, figsize=(9, 1.9 * rows), squeeze=False,
                                   sharex=True, sharey=True)
    colours = ("#9aa5b1", "#5b8db8", "#d9822b", "#a82a2a")
    places = range(len(metrics.CURVE))
    for place, axis in enumerate(axes.flat):
        if place >= len(results):
            axis.set_visible(False)
            continue
        result = results[place]
        for name, colour in zip(SETS, colours):
            seen = result["sets"][name]["seen"]
            axis.plot(places, [100 * y for y in seen["call_curve"]], color=colour, linewidth=1.2,
                      label=f"calls, {name}")
            axis.plot(places, [100 * y for y in seen["context_curve"]], color=colour,
                      linewidth=0.9, linestyle=":", label=f"contexts, {name}")
        axis.set_title(result["name"], fontsize=8)
        axis.set_ylim(0, 103)
        ticks = [i for i, x in enumerate(metrics.CURVE) if x in (0, 50, 90, 95, 99, 99.9)]
        axis.set_xticks(ticks, [f"{metrics.CURVE[i]:g}" for i in ticks])
        axis.grid(linewidth=0.3)
    figure.supxlabel("from this rank on, in % of all, by latency")
    figure.supylabel("seen, %")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncol=4, frameon=False, fontsize=6.5)
    figure.tight_layout(rect=(0.01, 0, 1, 1 - 0.35 / rows / 1.9 * 1.4))
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)


def write(directory, results, skipped, modes, missing_modes, versions, command):
    """Writes accuracy.md and accuracy.svg into `directory`."""
    directory = Path(directory)
    results = sorted(results, key=lambda r: (not r["package"], r["order"]))
    real = [result for result in results if result["package"]]
    plot(results, directory / PLOT)
    out = [f"""\
# How accurate the inference is

<!-- Written by `{command}`; do not edit. -->

Every latency that introperf prints is inferred from stacks. Here the inferred calls are held against
an exact trace of the same run: uftrace on programs built with `-finstrument-functions`, beside perf.

{table(["", "version"], [[name, text] for name, text in versions.items()])}
"""]
    if missing_modes:
        out.append(f"Rules that this build does not have: {', '.join(missing_modes)}.\n")
    if skipped:
        out.append("Not measured: " + "; ".join(f"{name} ({why})" for name, why in skipped) + ".\n")
    out.append("## In short\n\nReal programs, all events (system calls, switches, timer at 1000 Hz), "
               "the slowest 1 % of the calls; *in bounds* is of all calls. Bold misses what is "
               f"wanted.\n\n{_targets(real, modes)}")
    out.append("What became of the slowest 1 %, each call counted once: error within 5 % or 25 %; one "
               "to one, but seen too seldom to be within 25 %; split; merged with calls that no "
               "stack shows; merged with others that are seen; without any event during the call; "
               "with events whose stacks lack it; on a stack, but not in an instance.\n\n"
               + _fates(real, modes))
    out.append("Calls that no timer tick can miss, of at least "
               f"{metrics.LONG_NS / 1e6:.0f} ms:\n\n" + _long(real, modes))
    out.append("The programs that isolate a rule:\n\n" + _targets(
        [r for r in results if not r["package"]], modes) + "\n" + _fates(
        [r for r in results if not r["package"]], modes))
    out.append("## What each event adds\n\nThe paper's table 3 (Sys, LCTX, HCTX) and figure 8: what "
               "the stacks show, before anything is inferred. Four numbers are: system calls / + "
               "switches / + timer at 100 Hz / + timer at 1000 Hz.\n\n" + _coverage(results)
               + f"\n![coverage]({PLOT})\n")
    out.append("## Estimates\n\nRelative error, median / 90 %, of the two estimates of the paper, "
               f"rule {modes[-1]}, all events.\n\n" + _estimates(results, modes[-1]))
    out.append("## Words\n\n" + DEFINITIONS)
    out.append("## Tracing\n\nRun times in seconds: alone (with the hooks, but no tracer), under perf, "
               "under uftrace, under both. The figures are those of the program as traced: the hooks "
               "are part of its functions.\n\n" + _overhead(results))
    out.append("## Details\n\nErrors and width: median / 90 %.\n\n¹ " + " / ".join(causes.MERGES)
               + "; ² " + " / ".join(causes.SPLITS) + ": see README.md in tests/accuracy.\n")
    for result in results:
        version = f" ({result['package']} {result['version']})" if result["package"] else ""
        out.append(f"### {result['name']}{version}\n\n{result['about']}. {result['calls']} calls of "
                   f"{result['functions']} functions in {result['contexts']} contexts, "
                   f"{result['threads']} threads; 99 % of the calls are shorter than "
                   f"{result['p99_ns'] / 1000:.1f} µs.\n\n{_details(result, modes)}")
    (directory / "accuracy.md").write_text("\n".join(out))
