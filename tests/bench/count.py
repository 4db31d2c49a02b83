# SPDX-License-Identifier: MIT
"""The least that a script for perf can do: what perf itself takes for its Python."""

events = 0


def trace_unhandled(name, context, fields):
    global events
    events += 1


def process_event(sample):
    global events
    events += 1


def context_switch(*switch):
    global events
    events += 1
