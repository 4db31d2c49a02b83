# SPDX-License-Identifier: MIT
"""Servers under load on loopback, for tests/bench/overhead: each on its own CPU, its clients on another.

A run is a fixed time of load, begun when the server is recorded already. CPU time is that of the server's
processes, with threads and processes that ended meanwhile.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from glob import glob

LOAD_SECONDS = 3

# Runs a load, and prints after what it says: CPU seconds of a process and its descendants meanwhile, and
# seconds of wall time.
LOADED = """
import os, subprocess, sys, time
root, load = int(sys.argv[1]), sys.argv[2:]
tick = os.sysconf("SC_CLK_TCK")
def read():
    parents, used = {}, {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as file:
                words = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(pid)] = int(words[1])
        used[int(pid)] = sum(map(int, words[11:15]))
    def is_below(pid):
        while pid > 1 and pid != root:
            pid = parents.get(pid, 0)
        return pid == root
    return sum(ticks for pid, ticks in used.items() if is_below(pid)) / tick, time.monotonic()
before = read()
said = subprocess.run(load, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
print(said.replace(chr(13), chr(10)), *(after - first for after, first in zip(read(), before)))
"""

SERVICE = """\
import http.server, json, socketserver, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        rows = [{"id": i, "name": f"part {i}", "price": i * i % 97} for i in range(60)]
        text = json.dumps({"rows": rows, "sum": sum(row["price"] for row in rows)}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
    def log_message(self, *words):
        pass
class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128
Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""

NODE = """\
require("http").createServer((request, response) => {
  const rows = [];
  for (let i = 0; i < 200; i++) rows.push({ id: i, name: "part " + i, price: i * i % 97 });
  response.end(JSON.stringify({ rows, sum: rows.reduce((sum, row) => sum + row.price, 0) }));
}).listen(Number(process.argv[2]), "127.0.0.1");
"""


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Server:
    """A server that `start` begins; `load` are its clients, who tell by `rate` how many requests a second
    were answered."""

    rate = r"Requests/sec:\s+([\d.]+)"

    def __init__(self, work):
        cpus = [str(cpu) for cpu in sorted(os.sched_getaffinity(0))]
        self.work = work
        self.port = free_port()
        self.server = subprocess.Popen(["taskset", "-c", cpus[0], *self.start()], cwd=work,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait()
        self.command = [sys.executable, "-c", LOADED, str(self.server.pid),
                        "taskset", "-c", cpus[-1], *self.load()]

    def start(self):
        raise NotImplementedError

    def load(self):
        return ["wrk", "-t1", "-c16", f"-d{LOAD_SECONDS}", f"http://127.0.0.1:{self.port}/"]

    def wait(self):
        for _ in range(400):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        sys.exit(f"overhead: {self.name} does not answer")

    def run(self, begin):
        """CPU seconds a request, requests a second."""
        text = begin(["-p", str(self.server.pid)], self.command)
        found = re.search(self.rate, text)
        if not text:
            return None
        if not found:
            sys.exit(f"overhead: {self.name}: no {self.rate!r} in\n{text}")
        used, wall = (float(word) for word in text.split()[-2:])
        return used / (float(found.group(1)) * wall), float(found.group(1))

    def stop(self):
        self.server.send_signal(signal.SIGTERM)
        self.server.wait()


class Redis(Server):
    """One process of redis with 50 connections of redis-benchmark that set keys."""

    name = "redis"
    rate = r"SET: ([\d.]+) requests per second"

    def start(self):
        return ["redis-server", "--port", str(self.port), "--save", "", "--appendonly", "no"]

    def load(self):
        return ["redis-benchmark", "-p", str(self.port), "-t", "set", "-c", "50", "-n", "80000", "-q"]


class Postgres(Server):
    """PostgreSQL, a process for each of 8 connections of pgbench, whose transactions update three tables."""

    name = "PostgreSQL"
    rate = r"tps = ([\d.]+) "

    def as_user(self, *command):
        who = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        return [*who, *command] if os.geteuid() == 0 else list(command)

    def start(self):
        tools = max(glob("/usr/lib/postgresql/*/bin"))
        self.data = self.work / "data"
        self.data.mkdir()
        if os.geteuid() == 0:
            shutil.chown(self.data, "postgres")
        subprocess.run(self.as_user(f"{tools}/initdb", "-A", "trust", "-U", "bench", "-D", str(self.data)),
                       cwd=self.data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        return self.as_user(f"{tools}/postgres", "-D", str(self.data), "-p", str(self.port),
                            "-c", "fsync=off", "-c", f"unix_socket_directories={self.data}")

    def load(self):
        client = ["-h", "127.0.0.1", "-p", str(self.port), "-U", "bench"]
        while subprocess.run(["pgbench", "-i", "-q", "-s", "5", *client, "postgres"], check=False,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            time.sleep(0.2)
        return ["pgbench", "-n", "-c", "8", "-T", str(LOAD_SECONDS), *client, "postgres"]

    def stop(self):
        self.server.send_signal(signal.SIGINT)
        self.server.wait()


class Service(Server):
    """A web server of Python's library, which makes a thread for each connection, and a connection is a
    request; with 16 clients of wrk."""

    name = "Python service"

    def start(self):
        (self.work / "service.py").write_text(SERVICE)
        return ["/usr/bin/python3", "service.py", str(self.port)]


class Node(Server):
    """A web server in JavaScript, with 16 connections of wrk."""

    name = "Node"

    def start(self):
        (self.work / "server.js").write_text(NODE)
        return ["node", "server.js", str(self.port)]


SERVERS = (Redis, Postgres, Service, Node)
