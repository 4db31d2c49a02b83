# SPDX-License-Identifier: MIT
"""The accuracy bench: inferred function instances against an exact trace of the same run.

    programs.py    what is measured: how it is built, what it does
    inputs.py      the text for the workloads
    record.py      one run under perf and uftrace; what tracing costs
    elf.py         the functions of an instrumented program that a stack can show
    truth.py       uftrace's data -> true calls
    hooks.py       calls as long as they were there, the tracer's hooks included
    weight.py      what the tracer's hooks cost
    recording.py   perf.data with some of its samples left out
    graph.py       the product, run over a recording: instances and stacks as arrays
    calls.py       what both sides have in common: contexts, calls
    match.py       which inferred instance stands for which true call
    causes.py      why a call was missed, split or merged
    metrics.py     the figures
    own.py         own CPU time, beside plain samples
    analyse.py     from one run to its figures
    report.py      doc/accuracy.md
    plot.py        its plot

tests/accuracy/README.md defines every word and figure.
"""
