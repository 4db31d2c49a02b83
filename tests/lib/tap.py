# SPDX-License-Identifier: MIT
"""TAP for tests in Python: a test makes its checks, and ends with done_testing()."""

import sys

_count = _failures = 0


def check(sentence, got, wanted):
    """One behaviour, named by a sentence; both values are shown when they differ."""
    global _count, _failures
    _count += 1
    good = got == wanted
    _failures += not good
    print(f"{'ok' if good else 'not ok'} {_count} - {sentence}")
    if not good:
        print(f"# got    {got}\n# wanted {wanted}")


def done_testing():
    print(f"1..{_count}")
    sys.exit(_failures > 0)
