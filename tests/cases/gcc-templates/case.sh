# SPDX-License-Identifier: MIT
# A build got slow: a header that all files include now makes a table by recursive templates,
# thousands of classes. In the base the program makes it when it starts.

about="header with many template instances"
cause=real
traits="make and g++: compiler, C++, many processes, only exported names"
packages=(g++ make)
stack_bytes=32768

half=worked
says="the cause is instantiate_class_template of the compiler cc1plus: it makes thousands of classes from a template, for each of the files"
told='instantiate_class_template'

build() {
	cp "$case_dir"/{makefile,*.cc,*.h} .
}

# compile HEADER
compile() {
	cp "$built"/{makefile,*.cc} .
	cp "$built/$1.h" ratios.h
	record make
	[ "$(./prices)" = "$(printf '240 rows\n34961 cannot be reduced')" ]
}

base() {
	compile function
}

slow() {
	compile templates
}

truth() {
	echo '^instantiate_class_template\(' '^cc1plus$'
}
