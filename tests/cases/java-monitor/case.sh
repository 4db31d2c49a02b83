# SPDX-License-Identifier: MIT
# Four threads note how long each of their requests took. In the slow run the median is found anew
# for each, with the monitor held on which the others wait; in the base when it is asked for.

about="a monitor that is held while values are sorted"
cause=real
traits="a program with a monitor: Java, several threads"
packages=(openjdk-17-jdk-headless)
half=worked
says="the cause is Latencies.add: it sorts all values while other threads wait for its monitor"
told='Latencies\.add'

build() {
	javac -d . "$case_dir/Latencies.java"
}

measure() {
	record java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit \
		-XX:+UseSerialGC -XX:CompileCommand=quiet \
		-XX:CompileCommand=dontinline,Latencies.add -cp "$built" Latencies "$1"
}

base() {
	measure asked
}

slow() {
	measure always
}

truth() {
	echo 'Latencies\.add\(' 'anon'
}
