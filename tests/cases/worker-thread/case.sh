# SPDX-License-Identifier: MIT
# A desk asks another process about each order, one after the other, while totals are kept up to date
# beside it. In the slow run a thread of the desk does that, and holds Python's lock: after each answer
# the desk waits until that thread is made to give it up, which takes five milliseconds. In the base a
# process of its own does it.

about="Python's lock held by a thread that computes"
cause=real
traits="a script: Python, two threads, processes over sockets"
packages=(python3)
half=fresh
says="the cause is that the desk waits in PyEval_RestoreThread for Python's lock, which another thread of the same program holds while it computes"
told='PyEval_RestoreThread|GIL|global interpreter lock'

build() { :; }

base() {
	record /usr/bin/python3 "$case_dir/desk.py" process 280
}

slow() {
	record /usr/bin/python3 "$case_dir/desk.py" thread 280
}

truth() {
	echo '^PyEval_RestoreThread$' '^python3\.11$'
}
