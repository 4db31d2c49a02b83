# SPDX-License-Identifier: MIT
# Lists of what shops have in stock are imported by two threads, and the import signed. Many amounts
# are missing. In the slow run a missing one is found out by the exception that the parser throws, which
# has the stack written down each time; in the base it is looked at before it is parsed.

about="missing amounts found by exceptions"
cause=real
traits="a program: Java, several threads, compiled at run time"
packages=(openjdk-17-jdk-headless)
half=fresh
says="the cause is Import.amount, which parses missing amounts and catches the exception: making these, with the trace of the stack, takes the time"
told='Import.*amount|fillInStackTrace|Exception'

build() {
	cp "$case_dir/Import.java" .
	javac -g Import.java
}

# import_list CHECK
import_list() {
	record /usr/bin/java -XX:+UseSerialGC -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions \
		-XX:+DumpPerfMapAtExit -XX:CompileCommand=quiet \
		-XX:CompileCommand=dontinline,Import.amount \
		-cp "$built" Import "$1"
}

base() {
	import_list look
}

slow() {
	import_list parse
}

# With or without what it returns and takes, in Java's or in the machine's notation.
truth() {
	echo '(^|[^A-Za-z])Import;?(\.|::)amount([^A-Za-z]|$)' '.'
}
