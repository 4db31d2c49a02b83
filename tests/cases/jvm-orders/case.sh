# SPDX-License-Identifier: MIT
# Orders are paid in monthly rates, and what is left of them is worked out with BigDecimal. In the slow
# run this is rounded only at the end, so that the number has some thirty digits more after each month;
# in the base it is rounded every month.

about="decimal numbers that grow by digits with each step"
cause=real
traits="a program with decimal numbers: Java, one thread and those of its machine"
packages=(openjdk-17-jdk-headless)
half=fresh
says="the cause is Orders.rest: it multiplies decimal numbers month after month without rounding, so that they get more and more digits"
told='Orders\.rest'

build() {
	javac -d . "$case_dir/Orders.java"
}

settle() {
	record java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit \
		-XX:+UseSerialGC -XX:CompileCommand=quiet \
		-XX:CompileCommand=dontinline,Orders.rest -cp "$built" Orders "$1"
	grep -q '^sum [0-9a-f]*: [0-9]* customers' output
}

base() {
	settle cents
}

slow() {
	settle all
}

truth() {
	echo 'Orders\.rest\(' 'anon'
}
