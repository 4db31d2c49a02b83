# SPDX-License-Identifier: MIT
"""An assistant in front of `perf introperf mcp`, which knows nothing but what the tools answer.

It asks for the difference of two recordings, takes the function that the first row names as the one
to open (in front of ◀ culprit; the last function of the path where no culprit is marked), looks at
the path from nearby, and opens the function's source.
"""

import itertools
import json
import os
import re
import subprocess

# A row of the table, and what stands below it, up to the next row or an empty line.
ROW = re.compile(r"^ *[~?]? *1 .*\n((?: {6}.*\n?)+)", re.M)
CULPRIT = re.compile(r"([^›]*?) ◀ culprit")


class AgentFailed(Exception):
    """A tool has failed, or says nothing that can be followed."""


class Tools:
    """A server and its tools, by name."""

    def __init__(self, build):
        self._server = subprocess.Popen([build / "perf-introperf", "mcp"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, "LC_ALL": "C.UTF-8"})
        self._last = 0
        self.calls = 0
        self._ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                 "clientInfo": {"name": "bench", "version": "1"}})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.stdin.close()
        self._server.wait()

    def _ask(self, method, params):
        self._last += 1
        message = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}
        self._server.stdin.write(json.dumps(message) + "\n")
        self._server.stdin.flush()
        answer = json.loads(self._server.stdout.readline())
        if "error" in answer:
            raise AgentFailed(answer["error"]["message"])
        return answer["result"]

    def call(self, name, **arguments):
        self.calls += 1
        result = self._ask("tools/call", {"name": name, "arguments": arguments})
        text = result["content"][0]["text"]
        if result["isError"]:
            raise AgentFailed(f"{name}: {text.strip()}")
        return text


def to_open(text):
    """The function that the first row of a difference asks to open; None where there is no row."""
    row = ROW.search(text)
    if not row:
        return None
    # A path is broken between functions; behind it are notes.
    first, *others = map(str.strip, row[1].splitlines())
    path = " ".join([first, *itertools.takewhile(lambda line: line.startswith("›"), others)])
    culprit = CULPRIT.search(path)
    function = culprit[1] if culprit else path.split(" › ")[-1]
    return function.strip().removeprefix(path.split(": ")[0] + ": ")


def opened(tools, base, slow):
    """The function whose source is looked at in the end, and the text of that."""
    function = to_open(tools.call("diff", good=str(base), slow=str(slow)))
    if not function:
        raise AgentFailed("diff: no row to go on from")
    tools.call("path", good=str(base), slow=str(slow), rank=1)
    return function, tools.call("source", recording=str(slow), function=function)
