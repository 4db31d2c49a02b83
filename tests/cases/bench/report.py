# SPDX-License-Identifier: MIT
"""doc/cases.md, from the figures of all cases."""

from statistics import mean

# Tools of today: those that show functions, and those that show stacks.
TABLES = ("perf diff", "perf report")
STACKS = ("folded", "samples")

HEAD = """\
# How well the ranking finds the cause

<!-- Written by `{command}`; do not edit. -->

Real programs, recorded twice: a base that behaves, and a slow run that does the same work. Of each
the cause is known, and with it the function that a developer has to open. {real} of the {count}
causes are real, {injected} are delays that were put in. These are the figures of the paper's
Table 2, with default options for every case; `tests/cases/README.md` says how they are made, and
how to add a case.
"""

DEFINITIONS = """\
- *|L|, |P|, |F|, l*: modules, paths and functions on the stacks of the slow run, and how many
  functions a path has on average.
- *p_min*: rank of the first path that holds the true function.
- *f_min*: how many frames lie between the path's hottest function and the true one, the paper's
  distance.
- *culprit*: the same from the frame that introperf marks as the one to open.
"""

TODAY = """\
## Beside today's tools

The first place that shows the true function, on the same recordings: the line of `perf diff`, the
line of `perf report --children` over the slow run, the stack when folded stacks of the base are
subtracted from those of the slow run. Each event has a table of its own there; the best place in
any of them counts. In parentheses, how far the frame that is offered is from the true function:
the culprit, the hottest frame, the leaf of the stack. *samples* are folded stacks of the timer
alone, as flame graphs mostly are; *paper* is the first path with `method=paper`, the paper's own
ranking. “–”: nowhere.
"""


DEFAULT = """\
## With the default recording

The same cases, recorded by `perf introperf record` without an option, as users do. The recordings
above are made by perf with the events that README.md recommends, and with what a case asks for.
"""


HALVES = """\
## Causes that were written down before

Causes of other kinds, in programs that are in no table above, recorded by `perf introperf record`
without an option but what a case cannot do without. For each the true function, and a sentence that
the result should say, were written down before anything was recorded; then a coin divided them. One
half was looked at while introperf was worked on, the other was ranked once, at the end, and is
reported as it came; what its misses taught is in the table after that, which proves nothing any more.
That is why others were written then, all of them to be looked at once. Two of the second round say
less than the others: the true function of memory-short was looked for in a library by a name that
introperf does not use, and the cause of x-window was settled after plain perf had shown it. In the
third, library-versions and quadratic-fix are the same fix, taken out of a library and of a program
that reads another input, which is why quadratic-make was added; machine-build runs a program of the
second round, with another fix taken out, and its truth was widened when the compiler had made one
function of three; the pictures of picture-amount were chosen when a profile had shown another function
first, so that it should not count as fresh; the checks at the ends of library-versions and tcl-script
were mended after they had failed. In the fourth, the compiler had made the true functions of
xaw-window and transfer-timeout parts of their callers, which was seen only when they had been ranked:
they count as missed there, and their truths were widened afterwards; memory for lookup-faults and
sizes of the others' work were chosen by how long they took. Three of the fifth round (fltk-window,
proxy-timeout, quadratic-text) were written by others than who works on introperf, nine by somebody who
knows what it can do; the base of relay-disk is short, and the truth of proxy-timeout was made narrower
before it was ranked again. All twelve of the sixth were written by others; the truth of message-window
was settled after plain perf had shown what the compiler had inlined. In the seventh js-records,
jvm-orders and utility-versions were written by others. There the compiler had made the true function of
mirror-timeout a part of its caller, and ended that of chart-window in a jump, after which a function is
on no stack: both count as missed, and chart-window still does; their bases are short, too. The two of
the eighth were written by others, who changed the amounts of work after they had timed them; in most
of its calls the compiler has made the true function of report-amount a part of the caller. Eleven of
the ninth were written by others: amounts of work or buffers of batch-contended, held-lock,
page-faults, spool-service and toolkit-window, and the base's input of input-amount, were chosen anew
after a first recording, and shared-lock got a check so that its function is on the stack; both
versions of release-versions are made of Debian's 2.2.0, and square-tool was built with the tables
that unwinders need. The truth of erlang-till named its module wrongly, so that it could not be met;
it was mended afterwards. Six of the tenth were written by others (assembler-versions, java-outbox,
js-cache, macro-versions, store-amount, type-amount), who chose the amounts of work or the size of the
copied stacks of most of these anew after a first recording; the reverted fix of assembler-versions is
half of the one in its history. In js-spread, V8 makes the true function a part of its caller. All twelve
of the eleventh, the twelfth and the thirteenth were written by somebody who knew nothing of the rules,
and changed only amounts of work and how they are built when they had been timed; bzip2-quota's module
was mended then, and two of the thirteenth, which were not slow, were replaced before anything was
recorded. The bench took a line of the sentence for the first entry of syslog-errors, "1 500 times",
which was mended before its *told* was counted.
*Told*: the text of the first entry holds what the sentence cannot be said without.
"""

WORKED = "The half to work with"
AGAIN = "The same, after its misses were looked at"


def _number(value):
    return "–" if value is None else str(value)


def _head(names, align):
    return [f"| {' | '.join(names)} |", f"|{'|'.join(align)}|"]


def _row(cells):
    return f"| {' | '.join(cells)} |"


def _case_rows(figures):
    rows = _head(("case", "program", "cause", "true function", "\\|L\\|", "\\|P\\|", "\\|F\\|", "l",
                  "p_min", "f_min", "culprit"), ["---"] * 4 + ["--:"] * 7)
    for case in figures:
        rows.append(_row((
            case["name"], case["traits"], f"{case['about']} ({case['cause']})",
            f"`{case['true_function']}`", str(case["modules"]), str(case["paths"]),
            str(case["functions"]), f"{case['length']:.1f}", _number(case["p_min"]),
            _number(case["f_min"]), _number(case["distance"]))))
    return rows


def _place(place, distance):
    return "–" if place is None else f"{place} ({distance})"


def _today_rows(figures):
    rows = _head(("case", "introperf", "paper", *TABLES, *STACKS), ["---"] + ["--:"] * 6)
    for case in figures:
        today, paper = case["today"], case["paper"]
        rows.append(_row((case["name"], _place(case["p_min"], case["distance"]),
                          _place(paper["p_min"], paper["f_min"]),
                          *(_number(today[tool]) for tool in TABLES),
                          *(_place(*today[tool]) for tool in STACKS))))
    return rows


def _default_rows(figures):
    rows = _head(("case", "p_min", "f_min", "culprit", "sure or likely", "complete"),
                 ["---"] + ["--:"] * 3 + ["---"] * 2)
    for case in figures:
        rows.append(_row((case["name"], *(_number(case[name])
                                          for name in ("p_min", "f_min", "distance")),
                          "yes" if case["noise"] is False else "no",
                          "yes" if case["complete"] else "events lost")))
    return rows


def _half_rows(figures):
    rows = _head(("case", "program", "cause", "true function", "p_min", "culprit", "origin",
                  "sure or likely", "told", "slower", "complete"),
                 ["---"] * 4 + ["--:"] * 3 + ["---"] * 2 + ["--:", "---"])
    for case in figures:
        function = case["true_function"].replace("|", "\\|")
        rows.append(_row((
            case["name"], case["traits"], f"{case['about']} ({case['cause']})", f"`{function}`",
            *(_number(case[name]) for name in ("p_min", "distance", "origin")),
            "yes" if case["noise"] is False else "no", "yes" if case["told"] else "no",
            f"×{case['slower']:.1f}", "yes" if case["complete"] else "events lost")))
    return rows


def half_summary(figures):
    """What the cases of one half together say."""
    count = len(figures)
    near = sum(min(case["distance"], case["distance"] if case["origin"] is None else
                   case["origin"]) <= 1 for case in figures if case["distance"] is not None)
    pairs = [pair for case in figures for pair in case["base_pairs"]]
    return [
        ("the first path holds the true function",
         f"{sum(case['p_min'] == 1 for case in figures)} of {count}"),
        ("culprit or origin is within one call of it", f"{near} of {count}"),
        ("that path is sure or likely",
         f"{sum(case['noise'] is False for case in figures)} of {count}"),
        ("the first entry tells the cause", f"{sum(case['told'] for case in figures)} of {count}"),
        ("base against base: something is sure or likely", f"{sum(pairs)} of {len(pairs)} pairs"),
    ]


def _half(title, figures, says):
    if not figures:
        return []
    lines = [f"### {title}", "", *_head(("", ""), ["---", "--:"])]
    lines += [_row(line) for line in half_summary(figures)]
    lines += ["", *_half_rows(figures), ""]
    if says:
        lines += [f"- {case['name']}: {case['says']}." for case in figures] + [""]
    return lines


def _halves(worked, rounds):
    """`rounds` are pairs, the fresh cases as they were ranked first and as they are now."""
    if not worked and not rounds:
        return []
    lines = [HALVES, *_half(WORKED, worked, True)]
    for number, (first, again) in enumerate(rounds, 1):
        title = "The fresh half" if number == 1 else f"Fresh cases of round {number}"
        lines += _half(f"{title}, ranked the first time", first, True)
        if _half_rows(again) != _half_rows(first):
            lines += _half(AGAIN, again, False)
    return lines


def summary(figures):
    """What the cases together say: pairs of a measure and its text."""
    count = len(figures)
    ranks, distances = _known(figures, "p_min"), _known(figures, "distance")
    first, culprits = ranks.count(1), distances.count(0)
    ours = [case for case in figures if "today" in case]
    higher = sum(_higher(case) for case in ours)
    pairs = [pair for case in figures for pair in case["base_pairs"]]
    sure = [pair for case in figures for pair in case["base_sure"]]
    seen = sum(case["noise"] is False for case in figures)
    return [
        ("the first path holds the true function", f"{first} of {count}"),
        ("one of the first three does", f"{sum(rank <= 3 for rank in ranks)} of {count}"),
        ("mean p_min", _mean(ranks)),
        ("the culprit is the true function", f"{culprits} of {count}"),
        ("mean distance of the culprit", _mean(distances)),
        ("mean distance of the hottest function, f_min", _mean(_known(figures, "f_min"))),
        ("that path is sure or likely", f"{seen} of {count}"),
        ("base against base: something is sure", f"{sum(sure)} of {len(sure)} pairs"),
        ("base against base: something is sure or likely", f"{sum(pairs)} of {len(pairs)} pairs"),
        *([("a tool of today has it higher", f"{higher} of {3 * len(ours)}")] if ours else []),
    ]


def _known(figures, name):
    return [case[name] for case in figures if case[name] is not None]


def _mean(values):
    return f"{mean(values):.2f}" if values else "–"


def _theirs(case):
    """The places with today's tools; `samples` are a part of `folded`."""
    return [*(case["today"][tool] for tool in TABLES), case["today"]["folded"][0]]


def _higher(case):
    """How many tools of today have the true function higher."""
    return sum(place is not None and (case["p_min"] is None or place < case["p_min"])
               for place in _theirs(case))


# ---- Parts that were not measured again ----

FOOT = "Measured with "


def _sections(page):
    """The page by the headings above each part: the begin has "", a second table of a round that of the
    first before its own."""
    sections, key, above = {"": []}, "", ""
    for line in page.split("\n"):
        if line.startswith(("## ", "### ")):
            key = above + line if line.endswith(AGAIN) else line
            above = line
            sections[key] = []
        if not line.startswith(FOOT):
            sections[key].append(line)
    return sections


def merged(page, before, is_measured):
    """`page`, with the parts of the page `before` that it lacks; and with those for whose heading, of
    the page's begin "", `is_measured` is false. The versions are those of what was measured."""
    new, old = _sections(page), _sections(before)
    keys = [*old, *(key for key in new if key not in old)]
    parts = [new[key] if key in new and (key not in old or is_measured(key)) else old[key]
             for key in keys]
    foot = next(line for line in page.split("\n") if line.startswith(FOOT))
    body = "\n".join("\n".join(part).rstrip("\n") + "\n" for part in parts)
    return f"{body}\n{foot}\n"


def text(figures, by_default, worked, rounds, left_out, versions, command):
    """The whole page; `by_default` are the figures of the default recordings, `worked` and `rounds`
    those of cases that were written down before."""
    real = sum(case["cause"] == "real" for case in figures)
    lines = [HEAD.format(command=command, real=real, injected=len(figures) - real,
                         count=len(figures))]
    lines += _head(("all cases", ""), ["---", "--:"])
    lines += [_row(line) for line in summary(figures)]
    lines += ["", *_case_rows(figures), "", DEFINITIONS, TODAY, *_today_rows(figures), ""]
    if by_default:
        lines += [DEFAULT, *_head(("all cases", ""), ["---", "--:"])]
        lines += [_row(line) for line in summary(by_default)]
        lines += ["", *_default_rows(by_default), ""]
    lines += _halves(worked, rounds)
    if left_out:
        lines += ["Not measured:", "", *(f"- {name}: {reason}" for name, reason in left_out), ""]
    lines += ["Measured with " + ", ".join(versions) + "."]
    return "\n".join(lines) + "\n"
