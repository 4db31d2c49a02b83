# SPDX-License-Identifier: MIT
"""in-terminal.py ROWS KEYS MARK COUNT COMMAND… runs a command in a terminal of so many rows and 100
columns, types the keys when the mark was shown so often, and prints what the terminal got; the exit
status and whether the terminal is as before come last."""
import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios

rows, keys, mark, count, *command = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), 100, 0, 0))
    before = termios.tcgetattr(0)
    # What is typed is meant for the command.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    child = subprocess.call(
        command, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    )
    print("status", child, "restored", termios.tcgetattr(0) == before)
    sys.stdout.flush()
    os._exit(0)
shown = b""
typed = False
while True:
    try:
        got = os.read(terminal, 65536)
    except OSError:
        break
    if not got:
        break
    shown += got
    if not typed and shown.count(mark.encode()) >= int(count):
        typed = True
        os.write(terminal, keys.encode())
os.waitpid(pid, 0)
sys.stdout.buffer.write(shown.replace(b"\r\n", b"\n"))
