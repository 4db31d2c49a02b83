# SPDX-License-Identifier: MIT
#
# From a page, in Markdown or for man, to its commands: a line "MARK<tab>HEADING<tab>COMMAND" for each, with
# ␤ for ends of lines inside of a command.
#
#     awk -f commands.awk PAGE
#
# Commands are indented blocks of Markdown, and literal displays and lines (.Dl) of man. Of a block with
# lines behind "$ ", only these are. A command goes on in the next line behind a backslash, a pipe or an
# open quotation mark. A comment before the block, which is the mark of its commands, can say that there
# are none in it, that they are run by another test, or in what session of LTTng, so that this page can
# only be followed where that can trace:
#
#     <!-- no commands -->      <!-- run by: FILE… -->      <!-- session: kernel|user NAME -->
#     .\" no commands           .\" run by: FILE…           .\" session: kernel|user NAME

function end_command() {
	if (command ~ /[^ ]/ && mark != "no commands") {
		printf "%s\t%s\t%s\n", mark, heading, command
	}
	command = ""
}

# Whether a quotation mark is open at the end of the text.
function is_open(text, quote, i, c) {
	quote = ""
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		if (quote == "" && c == "#" && (i == 1 || substr(text, i - 1, 1) ~ /[ ␤]/)) {
			sub(/#.*/, "", text)
			return 0
		}
		if (c == "\\" && quote != "'") {
			i++
		} else if (quote == "" && (c == "'" || c == "\"")) {
			quote = c
		} else if (c == quote) {
			quote = ""
		}
	}
	return quote != ""
}

function take(line) {
	if (command == "" && line ~ /^#/) {
		return
	}
	command = command (command == "" ? "" : "␤") line
	if (!is_open(command) && command !~ /(\\|\|) *$/) {
		end_command()
	}
}

function end_block() {
	end_command()
	if (in_block) {
		mark = ""
	}
	in_block = 0
}

function block_line(line) {
	if (!in_block) {
		shows_output = line ~ /^[$] /
		is_command = 0
	}
	in_block = 1
	if (!shows_output) {
		take(line)
	} else if (sub(/^[$] /, "", line)) {
		take(line)
	} else if (command != "") {
		take(line)
	}
}

# What the formatter makes of a line.
function plain(line) {
	sub(/^\\&/, "", line)
	gsub(/\\&/, "", line)
	gsub(/\\e/, "\\", line)
	gsub(/\\\[u2026\]/, "…", line)
	gsub(/\\-/, "-", line)
	return line
}

function set_mark(line) {
	mark = line
}

FILENAME !~ /[.]md$/ {
	if (/^\.\\" (no commands|run by: .*|session: .*)$/) {
		set_mark(substr($0, 5))
	} else if (/^\.Bd -literal/) {
		in_display = 1
	} else if (/^\.Ed/) {
		in_display = 0
		end_block()
	} else if (in_display) {
		block_line(plain($0))
	} else if (/^\.Dl /) {
		block_line(plain(substr($0, 5)))
		end_block()
	} else if (/^\.S[hs] /) {
		heading = substr($0, 5)
	}
	next
}

/^<!-- (no commands|run by: .*|session: .*) -->$/ {
	sub(/^<!-- /, "")
	sub(/ -->$/, "")
	set_mark($0)
	next
}
/^    / {
	block_line(substr($0, 5))
	next
}
/^## / { heading = substr($0, 4) }
# Blank lines are part of a block.
/[^ ]/ { end_block() }
END { end_block() }
