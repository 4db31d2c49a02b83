# SPDX-License-Identifier: MIT
# A job with a higher priority takes the CPU of a memcached. It is not recorded: only switches tell
# who it was.

about="CPU taken by a process of higher priority"
cause=real
traits="memcached and a job outside of the recording: server, C, one CPU"
packages=(dpkg-dev gcc make libevent-dev)
stack_bytes=32768

half=worked
says="the cause is that memcached's thread has to wait for its CPU, which is taken by indexer, a job of higher priority"
told='taken by .*indexer'

build() {
	mkdir source
	(
		cd source
		fetch_source memcached
		./configure --disable-docs CFLAGS="$stock_flags"
		make -j"$(nproc)" memcached
		cp memcached ..
	)
	rm -r source
	gcc $stock_flags -o indexer "$case_dir/indexer.c"
}

# memcached ends by other signals only when its clock ticks, once a second.
ask() {
	local port
	port=$(free_port)
	serve "$port" taskset -c 0 "$built/memcached" -u "$(id -un)" -l 127.0.0.1 -p "$port" -U 0 -t 1
	taskset -c "$(($(nproc --all) - 1))" python3 "$case_dir/ask.py" "$port"
	end_server KILL
}

base() {
	ask
}

# The job ends by itself when this shell does, which does not wait for it.
slow() {
	nice -n -10 taskset -c 0 "$built/indexer" &
	local job=$!
	disown
	ask
	kill "$job"
}

# The thread's function and what it does for each event: it waits for its CPU in the midst of requests
# and also when new ones have woken it up.
truth() {
	echo '^(worker_libevent|drive_machine)$' '^memcached$'
}
