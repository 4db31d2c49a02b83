# SPDX-License-Identifier: MIT
# A batch of two threads computes, and tells a daemon now and then what it has, over shared memory. In
# the slow run the daemon looks for news without a pause while there are none, which takes a processor
# away from the batch; in the base it sleeps until it is woken.

about="another process that waits busily"
cause=real
traits="a program and a daemon: C, several threads, two processes over shared memory"
packages=(gcc)
half=fresh
says="the cause is wait_for_mail in inboxd, which takes processor time while it waits; the batch has to wait for a processor"
told='inboxd|wait_for_mail'

build() {
	gcc $stock_flags -g -pthread -o batch "$case_dir/batch.c"
	gcc $stock_flags -g -pthread -o inboxd "$case_dir/inboxd.c"
}

base() {
	record "$built/batch" "$built/inboxd" sleep
}

slow() {
	record "$built/batch" "$built/inboxd" spin
}

truth() {
	echo '^wait_for_mail$' '^inboxd$'
}
