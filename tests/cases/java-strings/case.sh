# SPDX-License-Identifier: MIT
# A table of orders is put together with += on a string in a loop, so that all of its text is copied
# for each line. In the base a StringBuilder grows.

about="text put together with += in a loop"
cause=real
traits="a program with strings: Java, one thread and those of its machine"
packages=(openjdk-17-jdk-headless)
half=fresh
says="the cause is Export.csv: it puts its text together with += in a loop, which copies all of it for each line"
told='Export\.csv'

build() {
	javac -d . "$case_dir/Export.java"
}

export_orders() {
	record java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit \
		-XX:+UseSerialGC -XX:CompileCommand=quiet \
		-XX:CompileCommand=dontinline,Export.csv -cp "$built" Export "$1"
}

base() {
	export_orders builder
}

slow() {
	export_orders string
}

truth() {
	echo 'Export\.csv\(' 'anon'
}
