# SPDX-License-Identifier: MIT
"""The paper's figure 8, for several programs: what the stacks show of what is at least so slow."""

import io
import re

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

from .analyse import SETS  # noqa: E402
from .metrics import CURVE  # noqa: E402

COLUMNS = 4
COLOURS = ("#9aa5b1", "#5b8db8", "#d9822b", "#a82a2a")
TICKS = (0, 50, 90, 95, 99, 99.9)


def _panel(axis, result):
    places = range(len(CURVE))
    for name, colour in zip(SETS, COLOURS):
        seen = result["sets"][name]["seen"]
        axis.plot(places, [100 * y for y in seen["call_curve"]], color=colour, linewidth=1.2,
                  label=f"calls, {name}")
        axis.plot(places, [100 * y for y in seen["context_curve"]], color=colour, linewidth=0.9,
                  linestyle=":", label=f"contexts, {name}")
    axis.set_title(result["name"], fontsize=8)
    axis.set_ylim(0, 103)
    axis.set_xticks([CURVE.index(x) for x in TICKS], [f"{x:g}" for x in TICKS])
    axis.grid(linewidth=0.3)


def plot(results, path):
    matplotlib.rcParams.update({"svg.hashsalt": "introperf", "svg.fonttype": "none",
                                "font.size": 7, "axes.linewidth": 0.6})
    rows = -(-len(results) // COLUMNS)
    figure, axes = pyplot.subplots(rows, COLUMNS, figsize=(9, 1.9 * rows + 0.5), squeeze=False,
                                   sharex=True, sharey=True)
    for axis, result in zip(axes.flat, results):
        _panel(axis, result)
    for axis in axes.flat[len(results):]:
        axis.set_visible(False)
    figure.supxlabel("from this rank on, in % of all, by latency")
    figure.supylabel("seen, %")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncol=4, frameon=False, fontsize=6.5)
    figure.tight_layout(rect=(0.01, 0, 1, 1 - 0.5 / (1.9 * rows + 0.5)))
    text = io.StringIO()
    figure.savefig(text, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    # A tenth of a point is as good as a millionth, and smaller.
    path.write_text(re.sub(r"(\d\.\d)\d+", r"\1", re.sub(r" +\n", "\n", text.getvalue())))
