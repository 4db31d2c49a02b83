# SPDX-License-Identifier: MIT
"""in-terminal.py ROWSxCOLUMNS STEP… -- COMMAND… runs a command in a terminal of that size, one step
after the other, and prints what the terminal got; the exit status and whether the terminal is as
before come last. Steps:
  see=TEXT           wait until this was shown, after what the last such step saw
  type=KEYS          type these
  size=ROWSxCOLUMNS  give the terminal another size
  run=SHELL-COMMAND  run it; $pid is the command's
  state=LETTERS      wait until the state of the command's process is one of these"""
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

# For what never comes, not for what is slow.
PATIENCE_S = 300


def set_size(terminal, size):
    rows, columns = map(int, size.split("x"))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def run(size, command, tell):
    set_size(0, size)
    before = termios.tcgetattr(0)
    # What is typed is meant for the command.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTSTP, signal.SIG_IGN)

    def set_up():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)

    child = subprocess.Popen(command, preexec_fn=set_up)
    os.write(tell, str(child.pid).encode())
    os.close(tell)
    print("status", child.wait(), "restored", termios.tcgetattr(0) == before)
    sys.stdout.flush()


class Terminal:
    def __init__(self, size, command):
        told, tell = os.pipe()
        self.child, self.fd = pty.fork()
        if self.child == 0:
            run(size, command, tell)
            os._exit(0)
        os.close(tell)
        self.shown = b""
        self.seen = 0
        self.pid = os.read(told, 20).decode()

    def read(self):
        """False at the end."""
        if not select.select([self.fd], [], [], 0.05)[0]:
            return True
        try:
            got = os.read(self.fd, 65536)
        except OSError:
            got = b""
        self.shown += got
        return got != b""

    def has_seen(self, text):
        at = self.shown.find(text.encode(), self.seen)
        if at >= 0:
            self.seen = at + len(text.encode())
        return at >= 0

    def state(self):
        try:
            with open(f"/proc/{self.pid}/stat", encoding="utf-8") as stat:
                return stat.read().rpartition(")")[2].split()[0]
        except OSError:
            return "ended"

    def wait(self, condition, what):
        end = time.monotonic() + PATIENCE_S
        while not condition():
            if not self.read() or time.monotonic() > end:
                self.shown += f"\nnever came: {what}\n".encode()
                return False
        return True

    def do(self, step):
        kind, value = step.split("=", 1)
        if kind == "see":
            return self.wait(lambda: self.has_seen(value), step)
        if kind == "state":
            return self.wait(lambda: self.state() in value, step)
        if kind == "type":
            os.write(self.fd, value.encode())
        elif kind == "size":
            set_size(self.fd, value)
        elif kind == "run":
            subprocess.run(value, shell=True, env={**os.environ, "pid": self.pid}, check=False)
        else:
            sys.exit(f"{step}: no such step")
        return True


middle = sys.argv.index("--")
terminal = Terminal(sys.argv[1], sys.argv[middle + 1 :])
if not all(terminal.do(step) for step in sys.argv[2:middle]):
    # It is not going to end by itself, and may be stopped.
    subprocess.run(["kill", "-TERM", terminal.pid], check=False)
    subprocess.run(["kill", "-CONT", terminal.pid], check=False)
while terminal.read():
    pass
os.waitpid(terminal.child, 0)
sys.stdout.buffer.write(terminal.shown.replace(b"\r\n", b"\n"))
