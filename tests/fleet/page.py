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
library that makes them slow by 300 to 700 ms, by one of ten causes, in the fleet *choosing-5* of 24; each
cause has one to three call paths to it. How often a cause comes is skewed, as it is in life: the most
frequent one has a quarter of the slow traces or more, the rarest a few of them. All is mined by `perf
introperf mine --symptom process>{limit}`, with its defaults if nothing else is said; a program without a
cause takes a tenth of that.

What mining does by default was chosen on the fleets
{choosing}: the first two have the
same causes (`tests/fleet/causes.c`) and differ by chance, and by how busy the machine was: where they
disagree, a figure says little. The others have causes of their own (`causes-2.c` and so on); each of them
was looked at once, as this page looks at the *fresh* fleet, and is a choosing one since.
{part}
*choosing-5* had 24 causes, more than are wanted here. When it was looked at, the first clusters
explained 79 % of the lost time, signatures needed 11 % of Random's traces, and 5 of the ten most frequent
causes were among the first ten. What stood in the way was changed then: a child that its parent waits for
counted a second time, causes fell apart by the ways to them, and others came together in the system call
that they ended in. And its causes that computed went by CPU time, so that one of them cost a third of all
on a busy machine; all causes go by the clock since.

*choosing-6* said, when it was fresh: 91 % explained, 3 % of Random's traces, and 9 of ten causes among the
first ten. The tenth, in 3 of 540 slow traces, cost 0.48 % of the lost time, and patterns that cost less than
0.5 % were not looked for.

The fresh fleet has ten other causes again (`fresh.c`), whose rates fall like 1, 1/2, 1/3 and so on, and
faster at the end, and mostly other programs. It was looked at once, when all else was settled.
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

As in StackMine's Figure 4: the signatures of all clusters, which an analyst would keep as StackMine's did,
are looked for in all traces. To open a trace shows the signatures in it, and explains their time in every
trace. *Random* opens the slow traces in any order (mean of {shuffles} shuffles), *Greedy-Total* those first that
lost most time, *Greedy-Max* those with the longest symptom. *Signatures*, which is what mining is for, takes
the dearest signature that has not been seen yet, opens the trace with most of it, and so on. In any order,
a signature is seen in a trace however little time it has there.
"""

OTHERS = """\
## Other limits, and the paper's rules

Patterns that cost less than `--min-cost` are not looked for: by default 1 % of the lost time, or half of
what the average symptom took if that is less, but no less than 0.5 %; of more than 400 symptoms with up to
100000 different stacks, what two average ones took, but no less than 0.33 %. `--patterns maximal` is the
paper's rule: a shorter pattern is not told where a longer one costs enough. `--similarity paper` is its
clustering, which takes all functions alike, and counts stacks where ours weighs them by what they cost; here
it counts in no other database than the fleet (`--stacks`). The last row is both, with the cut that was best
for them. The last two columns are the traces to open for all that the signatures of all clusters explain.
"""

LIMITS = """\
- What all programs do has patterns, too, which may cost more than a rare cause; they have no cause's
  function, and take places in the first {top}.
- The programs are real and the causes are made; a cause takes the same way in all of its traces but for
  its call paths, and has a function of its own, which clusters go by. The machine was busy with other work
  while this was recorded.
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
        f"{measured.rows[0]['symptoms']} symptoms, {seconds(measured.total)}: {kinds}. "
        f"{measured.left_out} more programs were slow, and left out, as a symptom waited for them.")


def places_line(measured):
    return paragraph(
        "*Place* is the first in the clusters of its kind that have the cause's function in common; "
        "*explained*, what signatures explain of what the cause's traces lost; *by its own*, signatures "
        f"with its function in common. {len(measured.found)} of the {len(measured.fleet.causes)} causes are "
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
            "Symptoms of one trace that are at the same time of day, as that of a parent that does something "
            f"else while its child is slow, have {seconds(twice)} in common, lost and perhaps explained. Counted "
            f"once, at least {percent(explained - twice, measured.total - twice)} is explained."),
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


def first_opened(measured):
    """The last row again, for the signatures of the first clusters alone."""
    ours, random = (measured.opened_first[technique][-1] for technique in ("Signatures", "Random"))
    return paragraph(
        f"With the {len(measured.causes)} signatures of the first {judging.TOP} clusters of each kind alone, it "
        f"takes {ours} traces for the {percent(measured.signatures.total, measured.total)} that they explain, "
        f"{percent(ours, random)} of the {random:.1f} of Random.")


def opening(measured):
    rows = []
    for i, goal in enumerate(measured.goals):
        name = percent(goal, measured.total) + (" (all)" if i == len(measured.goals) - 1 else "")
        rows.append([name, *(f"{counts[i]:.1f}" if technique == "Random" else counts[i]
                             for technique, counts in measured.opened.items()),
                     percent(measured.opened["Signatures"][i], measured.opened["Random"][i])])
    return "\n".join([
        OPENING.format(shuffles=judging.SHUFFLES),
        table(["explained of the lost time", *measured.opened, "Signatures ÷ Random"], rows),
        paragraph("On average over these levels, Signatures needs " + ", ".join(
            f"{100 * measured.part_of(technique):.0f} % of the traces of {technique}"
            for technique in measured.opened if technique != "Signatures") + "."),
        first_opened(measured)])


def other_row(options, measured):
    summary = measured.rows[-1]
    return [" ".join(options) or "by default",
            *(summary[kind][what] for kind in judging.KINDS for what in ("patterns", "clusters")),
            len(measured.found), percent(measured.signatures.total, measured.total),
            percent(measured.signatures.total - measured.nameless(), measured.total),
            percent(measured.every.total, measured.total),
            measured.opened["Signatures"][-1], f"{measured.opened['Random'][-1]:.1f}"]


def others(measured):
    return "\n".join([
        OTHERS,
        table(["options", "waiting: patterns", "clusters", "running: patterns", "clusters",
               "causes found", "first 10 explain", "with a cause's function", "all explain",
               "Signatures", "Random"],
              [other_row(*one) for one in measured.items()])])


def rarest_line(measured):
    """How many traces any order needs for the signature that is in fewest."""
    count = len(measured.symptoms.traces)
    fewest = min(len(traces) for traces in measured.every.traces if traces)
    return item(
        f"A signature that is in k of n traces is met in the (n + 1) / (k + 1)th on average. The rarest is in "
        f"{fewest} of {count}: Random needs {(count + 1) / (fewest + 1):.0f} for it, and more for several rare "
        "ones. As no stack is of two causes, Signatures must open a trace for each cause at least, "
        f"{len(measured.fleet.causes)}. StackMine had 93 signatures in 921 traces.")


def missing_lines(measured):
    lines = []
    for cause in measured.missing():
        lost = sum(measured.symptoms.totals[trace] for trace, made in measured.truth.items()
                   if made["cause"] == cause)
        places = [f"place {order[cause]}" if cause in order else "none" for order in measured.orders]
        lines.append(item(f"`{cause}` costs {100 * lost / measured.total:.1f} % of the lost time: "
                          f"{places[0]} by total cost, {places[1]} by average cost."))
    return lines


def verdict(measured):
    missing = measured.missing()
    wishes = [
        (f"signatures of the first clusters explain {100 * WANTED_COVERAGE:.0f} % of the lost time or more",
         f"{100 * measured.coverage():.0f} %", measured.coverage() >= WANTED_COVERAGE),
        (f"up to what all explain, {100 * WANTED_PART:.0f} % of Random's traces or fewer are opened",
         f"{100 * measured.last_part():.0f} %", measured.last_part() <= WANTED_PART),
        (f"all causes are within the first {judging.TOP} clusters of their kind, by total or average cost",
         "all are" if not missing else f"not {listed(missing)}", not missing)]
    return "## What holds\n\n" + table(
        ["wanted", "measured", "holds"],
        [[wish, value, "yes" if holds else "**no**"] for wish, value, holds in wishes])


def part_line(whole):
    made = sum(fleet.traces for fleet in fleets.CHOOSING)
    return f"Of their {whole} recordings, {made} were made for this page.\n" if made < whole else ""


def page(chosen, measured, whole):
    """`whole` is how many recordings the choosing fleets have if all are made."""
    parts = [INTRODUCTION.format(
        limit=fleets.LIMIT, choosing=listed([f"*{fleet.name}*" for fleet in fleets.CHOOSING]),
        part=part_line(whole) if chosen else "")]
    if chosen:
        parts.append(choice(chosen))
    if measured:
        default = measured[fleets.DEFAULTS]
        parts += [fresh(default), opening(default), others(measured), verdict(default),
                  "\n".join([rarest_line(default), *missing_lines(default),
                             LIMITS.format(top=judging.TOP)])]
    return "\n".join(parts)
