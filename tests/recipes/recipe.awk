# SPDX-License-Identifier: MIT
#
# From a page of doc/ to a script of its commands. Of an indented block the lines behind "$ ", and
# behind "> " what continues them, are commands; the others show what comes. The script prints
# "=== N" before block N, and "lacks WORD" for those up to the next heading where a need is not met.
#
#     awk -v outputs=DIRECTORY -f recipe.awk PAGE
#
# writes DIRECTORY/shows.N ("<!-- shows: REGEX -->", of the block before it, one a line), and prints
# the script, which asks `has WORD…` for "<!-- needs: WORD… -->".

function end_block() {
	if (in_block) {
		print "fi"
	}
	in_block = 0
}

function begin_block() {
	in_block = 1
	block++
	print "echo '=== " block "'"
	print "if [ -n \"$lacks\" ]; then echo \"lacks $lacks\"; else"
}

/^<!-- needs: .* -->$/ {
	gsub(/^<!-- needs: | -->$/, "")
	print "[ -n \"$lacks\" ] || has " $0
	next
}

/^<!-- shows: .* -->$/ {
	gsub(/^<!-- shows: | -->$/, "")
	print >(outputs "/shows." block)
	next
}

/^    [$] / || (in_block && /^    > /) {
	if (!in_block) {
		begin_block()
	}
	print substr($0, 7)
	next
}

!/^    / { end_block() }
/^## / { print "lacks=" }
END { end_block() }
