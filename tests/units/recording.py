# SPDX-License-Identifier: MIT
"""One recording of a server while it is asked, and beside it what is known of the requests.

`perf introperf record` runs the server's script. Where this comes to `ask`, client.py asks from outside, so
that nothing of the client is recorded, and kernel.py notes beside it what the kernel knows.
"""
import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import time

import client
import kernel

ASK = "ask() { touch asked; read -r done <answered; }\n"
PREPARE_S = 120
# What the kernel told beside the recording.
TRUTH = "truth.events"
REFERENCE = re.compile(r"^# reference time: .* = (\d+)\.(\d{6}) \(TOD\) = (\d+)\.(\d{9}) \(monotonic\)$", re.MULTILINE)
# A script that takes longer, without its being asked, is stuck.
RUN_S = 300


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def name_of_directory(name):
    return name.replace(" ", "-").replace(",", "")


def children(pid):
    """The process and all that it has started and that is still there."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
            parents.setdefault(int(file.read().rsplit(")", 1)[1].split()[1]), []).append(int(name))
    found = [pid]
    for one in found:
        found += parents.get(one, [])
    return found


def is_recorder(pid):
    """The recorder is woken while a client has the CPU, too, by timers and by what that writes."""
    with contextlib.suppress(OSError):
        return os.path.basename(os.readlink(f"/proc/{pid}/exe")).startswith("perf")
    return False


def threads_below(pid):
    """Those of the recorded programs."""
    threads = []
    for one in filter(lambda one: not is_recorder(one), children(pid)):
        with contextlib.suppress(OSError):
            threads += map(int, os.listdir(f"/proc/{one}/task"))
    return threads


def name_of_thread(tid):
    with contextlib.suppress(OSError), open(f"/proc/{tid}/comm", encoding="utf-8", errors="replace") as file:
        return file.read().strip()
    return ""


def ask_all(asks, directory, port, recorder):
    """Asks in each way, and writes down what was asked and which threads there are."""
    threads, phases = set(threads_below(recorder.pid)), []
    for seed, ask in enumerate(asks):
        phases.append(client.run(port, ask, seed))
        threads |= set(threads_below(recorder.pid))
    screen = [tid for tid in threads if name_of_thread(tid) == "Xvfb"]
    with open(os.path.join(directory, "requests.json"), "w", encoding="utf-8") as file:
        json.dump({"port": port, "threads": sorted(threads), "screen": screen,
                   "phases": phases}, file)


def wait_until(holds, recorder):
    """False when the recording has ended, or it does not hold for long."""
    end = time.monotonic() + RUN_S
    while not holds():
        if recorder.poll() is not None or time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def answered(directory):
    """Has the script go on, if it waits."""
    with contextlib.suppress(OSError):
        os.close(os.open(os.path.join(directory, "answered"), os.O_WRONLY | os.O_NONBLOCK))
        return True
    return False


def end_by_force(recorder):
    for pid in reversed(children(recorder.pid)):
        with contextlib.suppress(OSError):
            os.kill(pid, 15)


def asks_of(server):
    """None of one that asks itself."""
    asks = getattr(server, "asks", 0)
    return [] if isinstance(asks, int) else asks


def known_beside(introperf, asks, directory, port):
    """A recorder of the truth, which begins before the server does, so that nobody waits for it."""
    has_datagrams = any(client.PROTOCOLS[ask.protocol].type == socket.SOCK_DGRAM for ask in asks)
    has_screen = any(ask.protocol == "keys" for ask in asks)
    program = os.path.join(os.path.dirname(os.path.abspath(introperf)), "tests", "units", "kernel-events")
    return kernel.Recorder(program, os.path.join(directory, TRUTH), port, has_datagrams, has_screen)


def run_and_ask(introperf, server, directory, port, options):
    """The error, if there was one."""
    os.mkfifo(os.path.join(directory, "answered"))
    recorder = subprocess.Popen([introperf, "record", "--overhead", "none", "--", "bash", "-c", ASK + server.run], **options)
    error = None
    try:
        if asks_of(server):
            if not wait_until(lambda: os.path.exists(os.path.join(directory, "asked")), recorder):
                return "it does not get ready"
            try:
                ask_all(server.asks, directory, port, recorder)
            except Exception as caught:  # Whatever the client meets, the script has to go on.
                error = f"the client ends with {caught!r}"
            wait_until(lambda: answered(directory), recorder)
        recorder.wait(RUN_S)
    except subprocess.TimeoutExpired:
        error = "it does not end"
    finally:
        if recorder.poll() is None:
            end_by_force(recorder)
            recorder.wait()
    return error


def record(introperf, server, directory):
    """False when it cannot be run here. What was recorded before is used again."""
    data = os.path.join(directory, "perf.data")
    if os.path.exists(data):
        return True
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    port = free_port()
    environment = {**os.environ, "port": str(port), "PATH": os.environ["PATH"] + ":/usr/sbin"}
    with open(os.path.join(directory, "output.log"), "ab") as log:
        options = {"cwd": directory, "env": environment, "stdout": log, "stderr": log}
        if subprocess.run(["bash", "-ec", server.prepare], check=False, timeout=PREPARE_S, **options).returncode != 0:
            return False
        asks = asks_of(server)
        with known_beside(introperf, asks, directory, port) if asks else contextlib.nullcontext():
            error = run_and_ask(introperf, server, directory, port, options)
    if error:
        print(f"{server.name}: {error}; see {directory}/output.log", flush=True)
        with contextlib.suppress(OSError):
            os.rename(data, data + ".failed")
    return os.path.exists(data)


def text_of_error(error):
    """For a table: which program failed, or which kind of error that is, without paths and arguments."""
    if isinstance(error, subprocess.CalledProcessError):
        return f"{os.path.basename(error.cmd[0])} ends with status {error.returncode}"
    return (isinstance(error, OSError) and error.strerror) or str(error)


def epoch_of(data):
    """When the clock of the client, of both recordings, began, by the time of day that units have: as the recording says it."""
    header = subprocess.run(["perf", "script", "-i", data, "--header-only"], check=True, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    day_s, day_us, clock_s, clock_ns = map(int, REFERENCE.search(header).groups())
    return (day_s - clock_s) * 10**9 + day_us * 1000 - clock_ns


def told_of(directory):
    with open(os.path.join(directory, "requests.json"), encoding="utf-8") as file:
        return {**json.load(file), "epoch_ns": epoch_of(os.path.join(directory, "perf.data"))}


def known(directory):
    """Of each way of asking, the requests with their true times, and all requests."""
    told = told_of(directory)
    phases = [[client.Request(*request) for request in phase] for phase in told["phases"]]
    truths = kernel.truths(os.path.join(directory, TRUTH), sum(phases, []), told["threads"], told["screen"])
    return [([truth for truth in truths if phase[0].begin_ns <= truth.request.begin_ns <= phase[-1].begin_ns], phase)
            for phase in phases]
