# SPDX-License-Identifier: MIT
# Desks take orders, and other threads make statements of them, all over a pool of two connections to a
# store. In the slow run a statement's connection is kept until the statement is printed; in the base
# it is given back as soon as the store has been asked. The program ends when all is done.

about="connection of a pool kept too long"
cause=real
traits="a program and a store: C++, several threads, two processes over sockets"
packages=(g++)
half=fresh
says="the cause is that desks wait for a connection of the pool, which monthly_statement keeps while it has a whole statement printed"
told='monthly_statement'

build() {
	g++ $stock_flags -g -std=c++17 -pthread -o shop "$case_dir/shop.cc"
	g++ $stock_flags -g -std=c++17 -pthread -o store "$case_dir/store.cc"
}

base() {
	record "$built/shop" "$built/store" early
}

slow() {
	record "$built/shop" "$built/store" late
}

truth() {
	echo '^(.*::)?monthly_statement(\[abi:cxx11\])?(\(.*)?$' '^shop$'
}
