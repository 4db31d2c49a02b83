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
LIBRARY = "libfleet.so"
# What a recording is called until it is done.
UNFINISHED = "unfinished"


def prepare(fleet, directory):
    """The library, and what the programs read."""
    compiler = os.environ.get("CC", "cc").split()[-1]
    subprocess.run([compiler, "-O1", "-D_GNU_SOURCE", "-fno-omit-frame-pointer", "-fno-inline",
                    "-fvisibility=hidden", "-fPIC", "-shared", "-pthread",
                    "-o", os.path.join(directory, LIBRARY),
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


def record_one(introperf, fleet, directory, made):
    program = [word.replace("{dir}", directory) for word in fleet.programs[made["program"]]]
    environment = dict(os.environ)
    if made["cause"]:
        environment.update(FLEET_CAUSE=made["cause"], FLEET_PATH=str(made["path"]),
                           FLEET_MS=str(made["ms"]))
    # The status is the program's, which may have found nothing.
    subprocess.run([introperf, "record", "-o", UNFINISHED, "--", "env",
                    f"LD_PRELOAD={directory}/{LIBRARY}", *program],
                   check=False, env=environment, cwd=directory, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    unfinished = os.path.join(directory, UNFINISHED)
    if not os.path.exists(unfinished):
        sys.exit(f"tests/fleet/run: {' '.join(program)} was not recorded")
    return unfinished


def save_interest(build, path):
    """What was slow in a recording, and what held it up, in a directory beside it: it is mined many times.
    One that is there is kept."""
    saved = path.removesuffix(judging.RECORDING) + judging.INTEREST
    if not os.path.exists(saved):
        subprocess.run(["babeltrace2", f"--plugin-path={build}", path, "-c", "filter.introperf.infer",
                        "-c", "filter.introperf.wait", f'--params=symptom="process>{fleets.LIMIT}"',
                        "-c", "sink.ctf.fs", f'--params=path="{saved}"'],
                       check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not os.path.exists(saved):
        sys.exit(f"tests/fleet/run: {path} could not be read")


def save_interests(build, directory):
    for name in sorted(os.listdir(directory)):
        if name.endswith(judging.RECORDING):
            save_interest(build, os.path.join(directory, name))


def record(introperf, fleet, directory):
    """Records the fleet, unless it is there, however many traces of it; if only some are, as it was
    stopped, the others. Returns what each is of, by its name."""
    truth = os.path.join(directory, TRUTH)
    if not os.path.exists(truth):
        if not os.path.exists(os.path.join(directory, LIBRARY)):
            os.makedirs(directory, exist_ok=True)
            prepare(fleet, directory)
        made = {f"{i:04}": one for i, one in enumerate(plan(fleet))}
        for name, one in made.items():
            path = os.path.join(directory, name + judging.RECORDING)
            if not os.path.exists(path):
                os.rename(record_one(introperf, fleet, directory, one), path)
        with open(truth, "w", encoding="ascii") as file:
            json.dump(made, file, indent=1)
    with open(truth, encoding="ascii") as file:
        made = json.load(file)
    fleet.traces = len(made)
    return made
