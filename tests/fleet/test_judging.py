# SPDX-License-Identifier: MIT
"""How a mined fleet is judged, on results made by hand, as TAP."""
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lib")]

import fleets  # noqa: E402
import judging  # noqa: E402
import recording  # noqa: E402
from tap import check, done_testing  # noqa: E402


def symptom(trace, begin, cost):
    return {"type": "symptom", "trace": trace, "begin_ns": begin, "cost_ns": cost}


def signature(**costs):
    return {"type": "signature",
            "traces": [{"trace": trace, "cost_ns": cost} for trace, cost in costs.items()]}


def test_plan():
    made = recording.plan(fleets.FRESH)
    count = {cause: sum(one["cause"] == cause for one in made) for cause in ("await_verdict", None)}
    check("a fleet has as many traces as it should have", len(made), fleets.FRESH.traces)
    check("a quarter has no cause, and the rarest cause four traces",
          (count[None], count["await_verdict"]), (120, 4))
    counts = list(fleets.FRESH.slow_counts().values())
    check("the second cause comes half as often as the first, and the third a third as often",
          counts[:3], [137, 69, 46])
    check("no fleet has two causes of one name",
          [name for fleet in (*fleets.CHOOSING[1:], fleets.FRESH) for cause in fleet.causes
           for name in (cause.name, cause.helper)
           if name and sum(name in (other.name, other.helper) for fleet in (*fleets.CHOOSING[1:], fleets.FRESH)
                           for other in fleet.causes) > 1], [])
    check("the same seed makes the same fleet", recording.plan(fleets.FRESH) == made, True)


def test_clusters():
    check("groups that are the true ones", judging.adjusted_rand([(1, "a"), (1, "a"), (2, "b")]), 1)
    check("groups of one each say nothing of true groups",
          judging.adjusted_rand([(1, "a"), (2, "a"), (3, "b")]), 0)
    check("half of them",
          round(judging.adjusted_rand([(1, "a"), (1, "a"), (1, "b"), (2, "b"), (2, "b")]), 3), 0.167)
    check("a pattern is of the cause whose function, or whose helper's, it has",
          [judging.cause_of(["x!main", function], fleets.FRESH)
           for function in ("lib!pour_concrete", "lib!paint_ceiling", "lib!poll")],
          ["pour_concrete", "borrow_ladder", None])


def test_opening():
    symptoms = judging.Symptoms([symptom("a", 0, 50), symptom("b", 0, 30), symptom("b", 10, 30),
                                 symptom("c", 0, 10)])
    signatures = judging.Signatures([signature(a=50, c=8), signature(b=40)])
    check("time that two symptoms have in common",
          (symptoms.total, symptoms.counted_twice()), (120, 20))
    goals = judging.goals_of(symptoms, signatures)
    check("the goals are tenths and all that is explained", goals, [12, 24, 36, 48, 60, 72, 84, 96, 98])
    counts = judging.techniques(symptoms, signatures, goals)
    check("a trace explains its signatures in all traces", counts["Signatures"],
          [1, 1, 1, 1, 2, 2, 2, 2, 2])
    check("other orders may need more", judging.opened(signatures, [98], ["c", "a", "b"]), [3])


test_plan()
test_clusters()
test_opening()
done_testing()
