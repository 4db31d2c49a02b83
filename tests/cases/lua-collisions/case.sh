# SPDX-License-Identifier: MIT
# Lua 5.1 hashes every third character of a string of 64. In the slow run the keys differ only
# in the others, so that all strings fall into one chain of the string table.

about="hash collisions"
cause=real
traits="Lua: interpreter, C, one thread"
quick=yes
stack_bytes=16384

build() {
	need lua
}

base() {
	record "$software/lua/lua" "$case_dir/keys.lua" 64
}

slow() {
	record "$software/lua/lua" "$case_dir/keys.lua" 63
}

truth() {
	echo '^luaS_newlstr$' '^lua$'
}
