# SPDX-License-Identifier: MIT
# An outbox of a library's reminders takes no more than so many that wait. In the slow run it asks its
# ConcurrentLinkedQueue for its size with each reminder, for which the queue is walked from its first
# element to its last; in the base a counter tells.

about="a linked queue asked for its size with each element"
cause=real
traits="a program with a queue: Java, one thread and those of its machine"
packages=(openjdk-17-jdk-headless)
half=fresh
says="the cause is Outbox.accept: for each reminder it asks a concurrent linked queue for its size, which counts all elements one by one"
told='Outbox\.accept'

build() {
	javac -d . "$case_dir/Outbox.java"
}

send_reminders() {
	record java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit \
		-XX:+UseSerialGC -XX:CompileCommand=quiet \
		-XX:CompileCommand=dontinline,Outbox.accept -cp "$built" Outbox "$1"
	grep -q '^sum [0-9a-f]*: [0-9]* sent, [0-9]* refused' output
}

base() {
	send_reminders counter
}

slow() {
	send_reminders size
}

truth() {
	echo 'Outbox\.accept\(' 'anon'
}
