# SPDX-License-Identifier: MIT
# Invoices are written, each with the name of the machine. In the slow run a program is started to ask
# for that name for each invoice; in the base for the first one only, and the name is kept.

about="a program started for each item"
cause=real
traits="a script: JavaScript, compiled at run time, starts processes"
packages=(nodejs)
half=fresh
says="the cause is stamp, which starts the program uname for each invoice and waits for its end"
told='stamp|uname'

build() { :; }

# write_invoices KEEP
write_invoices() {
	record node --perf-basic-prof --interpreted-frames-native-stack "$case_dir/invoices.js" "$1" 300
}

base() {
	write_invoices keep
}

slow() {
	write_invoices ask
}

# However the engine writes a function of a file.
truth() {
	echo '(^|[^A-Za-z])stamp([^A-Za-z]|$)' '.'
}
