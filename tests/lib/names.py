# SPDX-License-Identifier: MIT
"""Names of functions, as the benches compare them, and as their tables show them."""

import re

_CLONE = re.compile(r"\.(constprop|isra|part|cold|lto_priv|llvm)(\.\d+)?")
# As CPython names its functions for perf: py::Shop.price:/srv/shop.py.
_OF_PYTHON = re.compile(r"\bpy::([^:]+):(?:[^,;`|]*/)?([^,;`|/:]+)")


def plain_name(name):
    """The name of the function that the compiler made this one from."""
    return _CLONE.sub("", name)


def without_directories(text):
    """Names of Python's functions as reports have them: Shop.price (shop.py)."""
    return _OF_PYTHON.sub(r"\1 (\2)", text)
