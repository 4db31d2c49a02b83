# SPDX-License-Identifier: MIT
"""Names of functions, as the benches compare them."""

import re

_CLONE = re.compile(r"\.(constprop|isra|part|cold|lto_priv|llvm)(\.\d+)?")


def plain_name(name):
    """The name of the function that the compiler made this one from."""
    return _CLONE.sub("", name)
