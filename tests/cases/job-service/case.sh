# SPDX-License-Identifier: MIT
# Two clients give jobs to a service, which keeps a journal of them, and wait for each to be taken. In
# the slow run the service is set up to write its whole journal anew after each change, as somebody
# wanted it small; in the base after many.

about="a service that rewrites its journal too often"
cause=real
traits="a service of jobs over ZeroMQ and its clients: C, several processes and threads"
packages=(gcc libc6-dev libzmq3-dev)
stack_bytes=4096
half=fresh
says="the cause is compact_journal in jobd: it writes the whole journal of jobs anew after each change, while submit waits for its answer"
told='compact_journal'

build() {
	gcc $stock_flags -o jobd "$case_dir/jobd.c" -lzmq
	gcc $stock_flags -o submit "$case_dir/submit.c" -lzmq
}

# submit_jobs SPARE: to a service with that many changes to spare, where other jobs are left.
submit_jobs() {
	awk 'BEGIN {
		for (i = 0; i < 60000; i++)
			print "put " i " print report-" i ".pdf to printer" i % 17 ", pages 1-" i % 40 + 1 ", when it is switched on"
	}' > journal
	record "$case_dir/print.sh" "$built" "$1"
	[ "$(grep -c '^40 jobs done, 600' output)" = 2 ]
}

base() {
	submit_jobs 10000
}

slow() {
	submit_jobs 0
}

truth() {
	echo '^compact_journal$' '^jobd$'
}
