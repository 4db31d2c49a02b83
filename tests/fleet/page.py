# SPDX-License-Identifier: MIT
"""doc/mining.md: what the fleets say."""
import textwrap

import fleets
import judging

# What is wanted of the fresh fleet.
WANTED_COVERAGE = 0.6
WANTED_PART = 0.1

INTRODUCTION = """\
# Mining a fleet

<!-- Written by `tests/fleet/run BUILD-DIR --output doc/mining.md`; do not edit. -->

How well does `perf introperf mine` find why many programs are slow, and how much reading does it save?
Fleets of recordings say so, whose causes are known because they were put in. A fleet is a number of
everyday programs, each recorded by `perf introperf record`. Three quarters of them are started with a
library that makes them slow by 300 to 700 ms, by one of ten causes; each cause has one to three call
paths to it. How often a cause comes is skewed, as it is in life: the most frequent one has a good
quarter of the slow traces, the rarest a hundredth. All is mined by
`perf introperf mine --symptom process>{limit}`, with its defaults if nothing else is said; a program
without a cause takes a tenth of that.

The defaults were chosen on the fleets {choosing}: the first two have the same causes (`tests/fleet/causes.c`)
and differ by chance, and by how busy the machine was: where they disagree, a figure says little. The
third one has others (`causes-2.c`) and was once looked at as this page looks at the *fresh* fleet, which has
other causes again (`fresh.c`), and partly other programs. The fresh fleet was looked at once, when all
else was settled.
"""

CHOICE = """\
## Linkage and cut

A pattern's true cause is the one whose function it contains. Are the patterns in the clusters that they
should be in? The adjusted Rand index is 1 if patterns are together exactly where their causes are the
same, and 0 if they are together as if by chance. Patterns without a cause's function are left out: they
are of what all programs do, and of no group. A cause is *found* if it has a cluster that is one of the
first {top} of its kind, by total or by average cost.
"""

OPENING = """\
## How many traces must be opened

As in StackMine's Figure 4: the signatures of the first {top} clusters of each kind are looked for in all
traces. To open a trace shows the signatures in it, and explains their time in every trace. *Random*
opens the slow traces in any order (mean of {shuffles} shuffles), *Greedy-Total* those first that lost most
time, *Greedy-Max* those with the longest symptom. *Signatures*, which is what mining is for, takes the
dearest signature that has not been seen yet, opens the trace with most of it, and so on. In any order,
a signature is seen in a trace however little time it has there.
"""

OTHERS = """\
## Other limits, and maximal patterns alone

Patterns that cost less than `--min-cost` are not looked for: by default 1 % of the lost time, or half of
what the average symptom took if that is less, but no less than 0.5 %. `--patterns maximal` is the
paper's rule: a shorter pattern is not told where a longer one costs enough. There are 10 clusters of
each kind in all rows; the last two columns are the traces to open for all that is explained.
"""

LIMITS = """\
- What all programs do has patterns, too, which may cost more than a rare cause; they have no cause's
  function, and take places in the first {top}.
- The programs are real and the causes are made; a cause takes the same way in all of its traces but for
  its call paths. The machine was busy with other work while this was recorded.
"""


def table(head, rows):
    """The first column is text, the others are numbers."""
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"


def percent(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else "–"


def seconds(time_ns):
    return f"{time_ns / 1e9:.1f} s"


def listed(words):
    return ", ".join(words) if words else "none"


def paragraph(text, **more):
    return textwrap.fill(text, 103, break_long_words=False, break_on_hyphens=False, **more) + "\n"


def item(text):
    return paragraph("- " + text, subsequent_indent="  ").rstrip("\n")


# ---- The choosing fleets ----

def choice_row(options, fleets_rows):
    """Of each fleet the index by kind and how many causes were found, and their mean and sum."""
    cells, indices, found = [" ".join(options)], [], []
    for fleet, rows in zip(fleets.CHOOSING, fleets_rows):
        for kind in judging.KINDS:
            indices.append(judging.adjusted_rand(judging.points_of(rows, kind, fleet)))
            cells.append(f"{indices[-1]:.2f}")
        found.append(len(judging.found_causes(rows, fleet, judging.by_total, judging.by_average)))
        cells.append(found[-1])
    return [*cells, f"{sum(indices) / len(indices):.2f}", sum(found)]


def patterns_line(fleet, rows):
    parts = []
    for kind in judging.KINDS:
        points = judging.points_of(rows, kind, fleet)
        parts.append(f"{rows[-1][kind]['patterns']} patterns of {kind} stacks, {len(points)} of "
                     f"them with one of {len({cause for _, cause in points})} causes")
    return paragraph(f"Fleet *{fleet.name}*: {fleet.traces} traces, {rows[0]['symptoms']} symptoms, "
                     f"{seconds(rows[0]['cost_ns'])}; {' and '.join(parts)}.")


def why_chosen(rows):
    """Where the defaults are among the others."""
    index, found = rows[fleets.CHOSEN][-2:]
    count = sum(len(fleet.causes) for fleet in fleets.CHOOSING)
    better = [f"`{' '.join(options)}` ({row[-2]}, {row[-1]})" for options, row in rows.items()
              if row[-2] > index or row[-1] > found]
    text = (f"The defaults, `{fleets.CHOSEN[0]}` and `{fleets.CHOSEN[1]}`, have a mean index of {index}, and "
            f"{found} of {count} causes are found.")
    if better:
        text += " A greater index, or more causes, have: " + "; ".join(better) + "."
    return paragraph(text)


def choice(chosen):
    rows = {options: choice_row(options, rows) for options, rows in chosen.items()}
    return "\n".join([
        CHOICE.format(top=judging.TOP),
        *map(patterns_line, fleets.CHOOSING, chosen[fleets.CHOSEN]),
        table(["linkage, cut", *(f"{name}: {what}" for name in (fleet.name for fleet in fleets.CHOOSING)
                                 for what in ("waiting", "running", "found")),
               "mean index", "found in all"],
              list(rows.values())),
        why_chosen(rows)])


# ---- The fresh fleet ----

def cause_row(measured, cause):
    traces = [trace for trace, made in measured.truth.items() if made["cause"] == cause.name]
    lost = sum(measured.symptoms.totals[trace] for trace in traces)
    explained = sum(measured.explained[trace] for trace in traces)
    return [f"{cause.name}: {cause.what}", cause.paths, len(traces), percent(lost, measured.total),
            *(places.get(cause.name, "–") for places in measured.orders),
            percent(explained, lost), percent(measured.by_own(cause.name), lost)]


def fresh_line(measured):
    summary = measured.rows[-1]
    slow = measured.symptoms.traces
    without = sum(measured.truth[trace]["cause"] is None for trace in slow)
    kinds = " and ".join(
        f"{summary[kind]['patterns']} patterns in {summary[kind]['clusters']} clusters of {kind} stacks"
        for kind in judging.KINDS)
    return paragraph(
        f"{len(measured.truth)} traces of {len(measured.fleet.programs)} programs; {len(slow)} were slow, "
        f"{without} of them without a cause; known to be incomplete: {summary['incomplete']}. "
        f"{measured.rows[0]['symptoms']} symptoms, {seconds(measured.total)}: {kinds}.")


def places_line(measured):
    return paragraph(
        "*Place* is the first in the clusters of its kind that have the cause's function in common; "
        "*explained*, what signatures explain of what the cause's traces lost; *by its own*, signatures "
        f"with its function in common. {len(measured.found)} of {len(measured.fleet.causes)} causes are "
        f"within the first {judging.TOP} by total or by average cost.")


def coverage_lines(measured):
    explained = measured.signatures.total
    twice = measured.symptoms.counted_twice()
    nameless = measured.nameless()
    return "\n".join([
        paragraph(
            f"The signatures of the first {judging.TOP} clusters of each kind explain {seconds(explained)} "
            f"of the {seconds(measured.total)} that the symptoms took, **{percent(explained, measured.total)}**. "
            "Is anything counted twice?"),
        item(
            "A stack counts for the first signature that it has, and either waits or runs: in "
            f"{len(measured.overdrawn())} of {len(measured.symptoms.traces)} traces signatures explain more "
            "than was lost."),
        item(
            "Where a program waits for a child that is slow itself, both are symptoms, at the same time of "
            f"day: {seconds(twice)} count twice, lost and perhaps explained. Counted once, at least "
            f"{percent(explained - twice, measured.total - twice)} is explained."),
        item(
            f"{seconds(nameless)} are explained by signatures with no cause's function in common, which "
            f"tell a reader little: without these, {percent(explained - nameless, measured.total)}."), ""])


def fresh(measured):
    return "\n".join([
        "## The fresh fleet\n", fresh_line(measured),
        table(["cause", "call paths", "traces", "of the lost time", "place by total cost",
               "by average cost", "explained", "by its own"],
              [cause_row(measured, cause) for cause in measured.fleet.causes]),
        places_line(measured), coverage_lines(measured)])


def opening(measured):
    rows = []
    for i, goal in enumerate(measured.goals):
        name = percent(goal, measured.total) + (" (all)" if i == len(measured.goals) - 1 else "")
        rows.append([name, *(f"{counts[i]:.1f}" if technique == "Random" else counts[i]
                             for technique, counts in measured.opened.items()),
                     percent(measured.opened["Signatures"][i], measured.opened["Random"][i])])
    return "\n".join([
        OPENING.format(top=judging.TOP, shuffles=judging.SHUFFLES),
        table(["explained of the lost time", *measured.opened, "Signatures ÷ Random"], rows),
        paragraph("On average over these levels, Signatures needs " + ", ".join(
            f"{100 * measured.part_of(technique):.0f} % of the traces of {technique}"
            for technique in measured.opened if technique != "Signatures") + ".")])


def other_row(options, measured):
    summary = measured.rows[-1]
    return [" ".join(options) or "by default",
            *(summary[kind][what] for kind in judging.KINDS for what in ("patterns", "clusters")),
            len(measured.found), percent(measured.signatures.total, measured.total),
            percent(measured.signatures.total - measured.nameless(), measured.total),
            measured.opened["Signatures"][-1], f"{measured.opened['Random'][-1]:.1f}"]


def others(measured):
    return "\n".join([
        OTHERS,
        table(["options", "waiting: patterns", "clusters", "running: patterns", "clusters",
               "causes found", "explained", "with a cause's function", "Signatures", "Random"],
              [other_row(*one) for one in measured.items()])])


def missing_causes(measured):
    return [cause.name for cause in measured.fleet.causes if cause.name not in measured.found]


def rarest_line(measured):
    """How many traces any order needs for the signature that is in fewest."""
    count = len(measured.symptoms.traces)
    fewest = min(len(traces) for traces in measured.signatures.traces if traces)
    return item(
        f"A signature that is in k of n traces is met in the (n + 1) / (k + 1)th on average. The rarest is in "
        f"{fewest} of {count}: Random needs {(count + 1) / (fewest + 1):.0f} for it, and more for several rare "
        "ones. As no stack is of two causes, Signatures must open a trace for each cause at least, "
        f"{len(measured.fleet.causes)}. StackMine had 93 signatures in 921 traces.")


def missing_lines(measured):
    lines = []
    for cause in missing_causes(measured):
        lost = sum(measured.symptoms.totals[trace] for trace, made in measured.truth.items()
                   if made["cause"] == cause)
        places = [f"place {order[cause]}" if cause in order else "none" for order in measured.orders]
        lines.append(item(f"`{cause}` costs {100 * lost / measured.total:.1f} % of the lost time: "
                          f"{places[0]} by total cost, {places[1]} by average cost."))
    return lines


def verdict(measured):
    missing = missing_causes(measured)
    wishes = [
        (f"signatures explain {100 * WANTED_COVERAGE:.0f} % of the lost time or more",
         f"{100 * measured.coverage():.0f} %", measured.coverage() >= WANTED_COVERAGE),
        (f"up to that, {100 * WANTED_PART:.0f} % of Random's traces or fewer are opened",
         f"{100 * measured.last_part():.0f} %", measured.last_part() <= WANTED_PART),
        (f"every cause is within the first {judging.TOP} clusters of its kind",
         "all are" if not missing else f"not {listed(missing)}", not missing)]
    return "## What holds\n\n" + table(
        ["wanted", "measured", "holds"],
        [[wish, value, "yes" if holds else "**no**"] for wish, value, holds in wishes])


def page(chosen, measured):
    parts = [INTRODUCTION.format(
        limit=fleets.LIMIT, choosing=listed([f"*{fleet.name}*" for fleet in fleets.CHOOSING]))]
    if chosen:
        parts.append(choice(chosen))
    if measured:
        default = measured[fleets.DEFAULTS]
        parts += [fresh(default), opening(default), others(measured), verdict(default),
                  "\n".join([rarest_line(default), *missing_lines(default),
                             LIMITS.format(top=judging.TOP)])]
    return "\n".join(parts)
