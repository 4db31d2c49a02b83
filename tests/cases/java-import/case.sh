# SPDX-License-Identifier: MIT
# Lists of companies are taken over into another system, and the fields of each are tested with
# regular expressions. In the slow run by String.matches, which compiles the expression each time; in
# the base they are compiled once.

about="regular expressions compiled for each field"
cause=real
traits="an import of companies: Java, one thread and those of its machine"
packages=(openjdk-17-jdk-headless)
half=fresh
says="the cause is Import.isValid: it tests each field with String.matches, which compiles the regular expression anew each time"
told='Import\.isValid'

build() {
	javac -d . "$case_dir/Import.java"
}

import_companies() {
	record java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit \
		-XX:+UseSerialGC -XX:CompileCommand=quiet \
		-XX:CompileCommand=dontinline,Import.isValid -cp "$built" Import "$1"
	grep -q '^sum [0-9a-f]*: [0-9]* companies, [0-9]* left out' output
}

base() {
	import_companies once
}

slow() {
	import_companies each
}

truth() {
	echo 'Import\.isValid\(' 'anon'
}
