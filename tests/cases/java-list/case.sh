# SPDX-License-Identifier: MIT
# A loop over a list asks for its elements by their number. In the slow run this is a linked list,
# which is walked from one of its ends for each of them; in the base an array.

about="elements of a linked list by their number"
cause=real
traits="a program with lists: Java, one thread and those of its machine"
packages=(openjdk-17-jdk-headless)
half=worked
says="the cause is Orders.total: it gets each element of a linked list by its number"
told='Orders\.total|LinkedList'

build() {
	javac -d . "$case_dir/Orders.java"
}

add_up() {
	record java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit \
		-XX:+UseSerialGC -XX:CompileCommand=quiet \
		-XX:CompileCommand=dontinline,Orders.total -cp "$built" Orders "$1"
}

base() {
	add_up array
}

slow() {
	add_up linked
}

truth() {
	echo 'Orders\.total\(' 'anon'
}
