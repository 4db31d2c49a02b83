# SPDX-License-Identifier: MIT
# Addresses are cleaned before letters are sent. In the slow run a regular expression is compiled for each
# field of each address, as String.matches() does; in the base it is compiled once.

about="regular expressions compiled for each field"
cause=real
traits="a program that cleans addresses: Java, one thread and those of its machine"
packages=(openjdk-17-jdk-headless)
half=fresh
says="the cause is Addresses.isPlain: it compiles a regular expression anew for each field that it looks at"
told='Addresses\.isPlain'

build() {
	javac -d . "$case_dir/Addresses.java"
}

clean() {
	record java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit \
		-XX:+UseSerialGC -XX:CompileCommand=quiet \
		-XX:CompileCommand=dontinline,Addresses.isPlain -cp "$built" Addresses "$1"
	grep -q '^plain ' output
}

base() {
	clean once
}

slow() {
	clean each
}

truth() {
	echo 'Addresses\.isPlain\(' 'anon'
}
