# SPDX-License-Identifier: MIT
# The rows of a price list are written with String.format, which takes its pattern apart again for
# each cell. In the base the numbers are put together by hand.

about="String.format for each cell"
cause=real
traits="a price list: Java, one thread and those of its machine"
packages=(openjdk-17-jdk-headless)
half=fresh
says="the cause is PriceList.cell: it calls String.format for each cell, which takes its pattern apart each time"
told='PriceList\.cell'

build() {
	javac -d . "$case_dir/PriceList.java"
}

write_list() {
	record java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit \
		-XX:+UseSerialGC -XX:CompileCommand=quiet \
		-XX:CompileCommand=dontinline,PriceList.cell -cp "$built" PriceList "$1"
	grep -q '^characters: ' output
}

base() {
	write_list plain
}

slow() {
	write_list format
}

truth() {
	echo 'PriceList\.cell\(' 'anon|jit'
}
