# SPDX-License-Identifier: MIT
# A report of accounts adjusts the cells of its tables, numbers to the right and words to the left. In
# the slow run a cell is a number if parsing it throws no exception, each of which holds the stack of
# where it was thrown; in the base its letters are looked at.

about="exceptions where most cells are no numbers"
cause=real
traits="a report of accounts: Java, one thread and those of its machine"
packages=(openjdk-17-jdk-headless)
half=fresh
says="the cause is Report.isNumber: it parses each cell and catches the exception where that is no number"
told='Report\.isNumber'

build() {
	javac -d . "$case_dir/Report.java"
}

write_report() {
	record java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit \
		-XX:+UseSerialGC -XX:CompileCommand=quiet \
		-XX:CompileCommand=dontinline,Report.isNumber -cp "$built" Report "$1"
	grep -q '^sum [0-9a-f]*$' output
}

base() {
	write_report letters
}

slow() {
	write_report parse
}

truth() {
	echo 'Report\.isNumber\(' 'anon'
}
