# SPDX-License-Identifier: MIT
"""Records a fleet: one trace after the other, as two at once would slow each other down."""
import json
import os
import random
import subprocess
import sys

import fleets
import judging

HERE = os.path.dirname(os.path.abspath(__file__))
TRUTH = "causes.json"


def prepare(fleet, directory):
    """The library, and what the programs read."""
    compiler = os.environ.get("CC", "cc").split()[-1]
    subprocess.run([compiler, "-O1", "-fno-omit-frame-pointer", "-fno-inline",
                    "-fvisibility=hidden", "-fPIC", "-shared", "-pthread",
                    "-o", os.path.join(directory, "libfleet.so"),
                    os.path.join(HERE, "fleet.c"), os.path.join(HERE, fleet.source)], check=True)
    source = random.Random(7)
    os.mkdir(os.path.join(directory, "tree"))
    for i in range(200):
        with open(os.path.join(directory, "tree", f"file-{i}"), "wb") as file:
            file.write(source.randbytes(2000))
    for name, size in ("text", 600000), ("lines", 400000), ("small", 150000):
        with open(os.path.join(directory, name), "w", encoding="ascii") as file:
            while file.tell() < size:
                file.write("%x %x\n" % (source.getrandbits(40), source.getrandbits(20)))


def plan(fleet):
    """What each trace is of: a list of dictionaries; a cause of None for none."""
    source = random.Random(fleet.seed)
    paths = {cause.name: cause.paths for cause in fleet.causes}
    causes = [name for name, count in fleet.slow_counts().items() for _ in range(count)]
    causes += [None] * (fleet.traces - len(causes))
    source.shuffle(causes)
    return [{"program": i % len(fleet.programs), "cause": cause,
             "path": source.randrange(paths[cause]) if cause else None,
             "ms": source.randrange(300, 700) if cause else None}
            for i, cause in enumerate(causes)]


def record_one(introperf, fleet, directory, name, made):
    program = [word.replace("{dir}", directory) for word in fleet.programs[made["program"]]]
    environment = dict(os.environ)
    if made["cause"]:
        environment.update(FLEET_CAUSE=made["cause"], FLEET_PATH=str(made["path"]),
                           FLEET_MS=str(made["ms"]))
    # The status is the program's, which may have found nothing.
    subprocess.run([introperf, "record", "-o", name, "--", "env",
                    f"LD_PRELOAD={directory}/libfleet.so", *program],
                   check=False, env=environment, cwd=directory, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    if not os.path.exists(os.path.join(directory, name)):
        sys.exit(f"tests/fleet/run: {' '.join(program)} was not recorded")


def save_interests(build, directory):
    """What was slow in each recording, and what held it up, in a directory beside it: it is mined many
    times. Those that are there are kept."""
    for name in sorted(os.listdir(directory)):
        path = os.path.join(directory, name)
        saved = path.removesuffix(judging.RECORDING) + judging.INTEREST
        if name.endswith(judging.RECORDING) and not os.path.exists(saved):
            subprocess.run(["babeltrace2", f"--plugin-path={build}", path, "-c", "filter.introperf.infer",
                            "-c", "filter.introperf.wait", f'--params=symptom="process>{fleets.LIMIT}"',
                            "-c", "sink.ctf.fs", f'--params=path="{saved}"'],
                           check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if not os.path.exists(saved):
                sys.exit(f"tests/fleet/run: {path} could not be read")


def record(introperf, fleet, directory):
    """Records the fleet, unless it is there. Returns what each trace is of, by its name."""
    truth = os.path.join(directory, TRUTH)
    if not os.path.exists(truth):
        os.makedirs(directory, exist_ok=True)
        prepare(fleet, directory)
        made = {f"{i:04}": one for i, one in enumerate(plan(fleet))}
        for name, one in made.items():
            record_one(introperf, fleet, directory, name + judging.RECORDING, one)
        with open(truth, "w", encoding="ascii") as file:
            json.dump(made, file, indent=1)
    with open(truth, encoding="ascii") as file:
        return json.load(file)
