# SPDX-License-Identifier: MIT
"""Servers that are asked as fast as they can, and guarded: what benches of guards share.

The server has the first CPU for itself, and who asks the last one, if there are several: how these two
share CPUs by chance changes more than a guard costs.
"""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NGINX = """
user root; worker_processes 1; daemon off; pid nginx.pid; error_log error.log;
events {{ worker_connections 64; }}
http {{ access_log off; server {{ listen 127.0.0.1:{port}; root {place}; keepalive_requests 100000000; }} }}
"""

APACHE = """
ServerRoot {place}
ServerName localhost
Listen 127.0.0.1:{port}
PidFile {place}/apache.pid
ErrorLog {place}/error.log
LoadModule mpm_prefork_module /usr/lib/apache2/modules/mod_mpm_prefork.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
DocumentRoot {place}
StartServers 4
MinSpareServers 4
MaxSpareServers 8
"""

# Requests that ab makes room for.
MOST_A_SECOND = 100000


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def run(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT).stdout


def on_cpu(number_, command):
    return ["taskset", "-c", str(number_), *command] if os.cpu_count() > 1 else command


def asking(*command):
    return run(*on_cpu(os.cpu_count() - 1, command))


def number(pattern, text):
    return float(re.search(pattern, text).group(1))


class Nginx:
    def __init__(self, place, port):
        self.url = f"http://127.0.0.1:{port}/page.html"
        (place / "page.html").write_text("hello\n")
        (place / "nginx.conf").write_text(NGINX.format(place=place, port=port))
        self.server = ["nginx", "-p", str(place), "-c", "nginx.conf"]

    def prepare(self):
        pass

    def ask(self, seconds):
        return number(r"Requests/sec: *([0-9.]+)",
                      asking("wrk", "-t1", "-c4", f"-d{seconds}s", self.url))


class Apache:
    def __init__(self, place, port):
        self.url = f"http://127.0.0.1:{port}/page.html"
        place.chmod(0o755)
        (place / "page.html").write_text("hello\n")
        (place / "apache.conf").write_text(APACHE.format(place=place, port=port))
        self.server = ["apache2", "-f", str(place / "apache.conf"), "-D", "FOREGROUND"]

    def prepare(self):
        pass

    def ask(self, seconds):
        # A time alone is a number of requests, too, unless there is one behind it.
        return number(r"Requests per second: *([0-9.]+)",
                      asking("ab", "-q", "-c4", f"-t{seconds}", f"-n{MOST_A_SECOND * seconds}",
                             self.url))


class Mariadb:
    def __init__(self, place, port):
        self.socket = place / "socket"
        self.port = port
        data = place / "data"
        run("mariadb-install-db", "--no-defaults", "--user=root", f"--datadir={data}",
            "--auth-root-authentication-method=normal")
        self.server = ["mariadbd", "--no-defaults", "--user=root", f"--datadir={data}",
                       f"--socket={self.socket}", f"--port={port}", "--bind-address=127.0.0.1"]

    def sysbench(self, *arguments):
        return asking("sysbench", "oltp_read_only", "--mysql-host=127.0.0.1",
                      f"--mysql-port={self.port}", "--mysql-user=root", "--tables=2", "--table-size=10000",
                      "--threads=2", "--db-ps-mode=disable", *arguments)

    def prepare(self):
        run("mariadb", "--no-defaults", "-S", str(self.socket), "-u", "root", "-e",
            "create database sbtest")
        self.sysbench("prepare")

    def ask(self, seconds):
        return number(r"queries: .*\(([0-9.]+) per sec",
                      self.sysbench(f"--time={seconds}", "run"))


SERVERS = {"nginx": Nginx, "apache": Apache, "mariadb": Mariadb}


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def family(pid):
    """The process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return ",".join([str(pid), *children])


def memory_mb(pid, key):
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return number(rf"{key}:\s*([0-9]+)", status) / 1024


class Guarded:
    """The server's processes, guarded while this is entered."""

    def __init__(self, introperf, guards, pids):
        self.command = [introperf, "guard", "--format", "jsonl", "-p", pids, guards]
        self.units = self.late = 0
        self.memory = {}

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        if '"header"' not in self.process.stdout.readline():
            sys.exit("it cannot be guarded")

    def __exit__(self, *_):
        self.memory = {key: memory_mb(self.process.pid, key) for key in ("VmRSS", "VmHWM")}
        self.process.send_signal(signal.SIGINT)
        last = json.loads(self.process.communicate()[0].splitlines()[-1])
        self.units += sum(row["units"] for row in last["types"])
        self.late += sum(row["late"] for row in last["types"])


@contextlib.contextmanager
def serving(name):
    """Starts the server; gives what asks it, its process and its folder."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        load = SERVERS[name](place, port)
        with open(place / "log", "w", encoding="utf-8") as log:
            # Apache ends all of its process group.
            server = subprocess.Popen(on_cpu(0, load.server), stdout=log, stderr=log, cwd=place,
                                      start_new_session=True)
        try:
            while not listens(port):
                if server.poll() is not None:
                    sys.exit((place / "log").read_text(encoding="utf-8"))
                time.sleep(0.1)
            load.prepare()
            yield load, server.pid, place
        finally:
            server.terminate()
            server.wait()


def train(load, introperf, pid, place):
    recorder = subprocess.Popen([introperf, "record", "--overhead", "none", "-o", place / "good.data", "-p",
                                 family(pid)],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(2)
    load.ask(5)
    recorder.send_signal(signal.SIGINT)
    recorder.wait()
    run(introperf, "units", "--guards", str(place / "good.guards"), str(place / "good.data"))
