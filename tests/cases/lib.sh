# SPDX-License-Identifier: MIT
#
# What cases and the builds of their software use: sources, builds, ports, recordings, servers.
# Sourced by tests/cases/step. Directories, all outside of the repository:
#
#   $case_dir   the case's own folder: its patches and inputs
#   $software   what `need NAME` built, one folder each
#   $built      what the case's `build` left there
#   $data       the recording to make; the working directory is a fresh, empty one

# shellcheck source-path=SCRIPTDIR source=../../scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"

# Debian's own, but for what makes two builds differ without a reason, and for what only debuggers
# read.
stock_flags=${ITP_STOCK_FLAGS:--O2}

# How much of each stack is copied; a case may set another number.
stack_bytes=8192

# What a case records with besides.
case_options=()

# A program that records instead of perf, as it does without options but a case's case_options;
# none for perf.
recorder_program=${RECORDER:-}

# source_apt COMMAND…: an apt command that knows the sources of Debian's packages, whatever the
# machine's own apt knows.
source_apt() {
	local apt=$cache/apt command=$1
	shift
	"$command" -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
		-o "Dir::State::Lists=$apt/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= "$@"
}

update_sources() {
	local apt=$cache/apt
	mkdir -p "$apt/lists/partial"
	(
		flock 9
		[ ! -e "$apt/updated" ] || exit 0
		# shellcheck disable=SC2016 # for apt
		apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' \
			'Created-By: Packages' 'Origin: Debian' | LC_ALL=C sort -ru > "$apt/sources.list"
		[ -s "$apt/sources.list" ] || fail "apt knows no Debian to fetch sources from"
		source_apt apt-get -o APT::Update::Error-Mode=any update ||
			fail "no source to be had: apt-get update failed"
		touch "$apt/updated"
	) 9> "$apt/lock"
}

# fetch_source PACKAGE: Debian's source with its patches, in the working directory. A mirror may
# announce a version that it does not have: then the one before it.
fetch_source() {
	local package=$1 version versions
	update_sources
	versions=$(source_apt apt-cache showsrc "$package" | sed -n 's/^Version: //p' | sort -Vru)
	for version in $versions; do
		if source_apt apt-get source --download-only "$package=$version"; then
			dpkg-source --no-check -x ./*.dsc source
			rm ./*.dsc ./*.tar.*
			(shopt -s dotglob && mv source/* .)
			rmdir source
			return 0
		fi
		find . -type f -delete
	done
	fail "$package: no source to be had"
}

# need NAME…: builds software/NAME.sh into $software/NAME, unless that is there already.
need() {
	local name
	for name in "$@"; do
		"$cases/step" "$name" software
	done
}

# delay FILE FUNCTION MICROSECONDS: a sleep at the beginning of a function of a C or C++ file, whose
# definition begins a line, and whose opening brace ends one.
delay() {
	local file=$1 function=$2 microseconds=$3
	awk -v name="$function" -v microseconds="$microseconds" '
		BEGIN { print "#include <unistd.h>" }
		{ print }
		!done && /^[A-Za-z]/ && match($0, "[ *]" name "\\(") { found = 1 }
		found && /\);[ \t]*$/ { found = 0 } # a declaration
		found && /\{[ \t]*$/ { print "\tusleep(" microseconds ");"; found = 0; done = 1 }
		END { exit !done }' "$file" > "$file.delayed" ||
		fail "$file: no function $function to delay"
	mv "$file.delayed" "$file"
}

# A port on loopback that nobody uses.
free_port() {
	python3 -c 'import socket
with socket.socket() as s:
	s.bind(("127.0.0.1", 0))
	print(s.getsockname()[1])'
}

wait_for_port() {
	local port=$1
	for ((i = 0; i < 200; i++)); do
		if (: < "/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
			return 0
		fi
		sleep 0.05
	done
	fail "nothing listens on port $port: $(tail -n 3 output)"
}

perf_record() {
	if [ -n "$recorder_program" ]; then
		exec "$recorder_program" record "${case_options[@]}" -o "$data" -- "$@" > output 2>&1
	fi
	exec perf record -q "${record_options[@]}" "${case_options[@]}" -m 128M \
		--call-graph "dwarf,$stack_bytes" -o "$data" -- "$@" > output 2>&1
}

# record PROGRAM ARGUMENT…: runs it to its end under perf. What it prints goes to `output`.
record() {
	(perf_record "$@") || fail "exit status $?: $* $(tail -n 3 output)"
}

# serve PORT PROGRAM ARGUMENT…: starts a server that stays in the foreground under perf, and
# returns when it listens. end_server ends it, and with it the recording.
serve() {
	local port=$1
	shift
	perf_record "$@" &
	recorder=$!
	wait_for_port "$port"
}

# The process that the recorder has started, or the perf that it may have started for that.
recorded() {
	local child
	child=$(pgrep -P "$recorder")
	if [ "$(cat "/proc/$child/comm")" = perf ]; then
		child=$(pgrep -P "$child")
	fi
	echo "$child"
}

# end_server [SIGNAL]; that signal may be what the server's exit status tells of.
end_server() {
	kill "-${1:-TERM}" "$(recorded)"
	wait "$recorder" || true
	recorder=
	[ -s "$data" ] || fail "nothing was recorded: $(tail -n 3 output)"
}

# get PORT COUNT PATH [HEADER: VALUE]…: so many requests, one connection each unless the
# server keeps it.
get() {
	python3 "$cases/get.py" "$@"
}
