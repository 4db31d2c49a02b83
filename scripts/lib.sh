# SPDX-License-Identifier: MIT
#
# What scripts/demo and scripts/check share: which packages a machine needs, and how to get from
# a clone to an installed plugin. Sourced; everything is said on standard output, commands are
# shown as they run.
# shellcheck shell=bash disable=SC2034

set -euo pipefail

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

build_packages=(autoconf automake libtool pkg-config make gcc libc6-dev xz-utils
	libglib2.0-dev libbabeltrace2-dev babeltrace2 libtraceevent-dev libelf-dev libdw-dev libdebuginfod-dev
	libzstd-dev libseccomp-dev libjansson-dev libprotobuf-c-dev protobuf-c-compiler zlib1g-dev
	liblzma-dev libiberty-dev libcapstone-dev libjs-d3 python3-dev libncurses-dev)

# For `perf introperf guard` alone.
guard_packages=(clang bpftool libbpf-dev)

# What introperf wants perf to record.
# shellcheck disable=SC2054 # commas separate the events, not the elements
record_options=(-k CLOCK_MONOTONIC
	-e raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_switch,sched:sched_waking
	-e cpu-clock/freq=997/ --switch-events --call-graph fp)

say() {
	printf '%s\n' "$*"
}

fail() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# Prints a command as one would type it.
show() {
	local word line='$'
	for word in "$@"; do
		if [[ $word =~ ^[][A-Za-z0-9_./=,:+@^%-]+$ ]]; then
			line+=" $word"
		elif [[ $word =~ ^(--[a-z-]+=)(.*)$ ]]; then
			line+=" ${BASH_REMATCH[1]}'${BASH_REMATCH[2]}'"
		else
			line+=" '$word'"
		fi
	done
	printf '%s\n' "$line"
}

# Runs a command whose output only matters when it fails.
run() {
	local log status=0
	show "$@"
	log=$(mktemp)
	"$@" >"$log" 2>&1 || status=$?
	if [ "$status" -ne 0 ]; then
		cat "$log"
	fi
	rm -f "$log"
	[ "$status" -eq 0 ] || fail "this failed with exit status $status: $*"
}

# missing_packages PACKAGE… prints those that dpkg does not know as installed.
missing_packages() {
	local package
	for package in "$@"; do
		if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
			printf '%s\n' "$package"
		fi
	done
}

install_packages() {
	export DEBIAN_FRONTEND=noninteractive
	run apt-get update
	run apt-get install -y --no-install-recommends "$@"
}

# ensure_packages PACKAGE… installs what is missing, or says what to type. Where there is no
# apt-get, configure tells what is missing.
ensure_packages() {
	local missing
	command -v apt-get >/dev/null || return 0
	mapfile -t missing < <(missing_packages "$@")
	[ ${#missing[@]} -gt 0 ] || return 0
	say "These packages are missing: ${missing[*]}"
	if [ "$(id -u)" -ne 0 ]; then
		fail "install them first, as root:
    apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
	fi
	install_packages "${missing[@]}"
}

# try_packages PACKAGE… installs what is worth having and can be done without.
try_packages() {
	local missing
	command -v apt-get >/dev/null || return 0
	mapfile -t missing < <(missing_packages "$@")
	[ ${#missing[@]} -gt 0 ] || return 0
	say "These packages are missing and can be done without: ${missing[*]}"
	if [ "$(id -u)" -eq 0 ]; then
		(install_packages "${missing[@]}") || say "Going on without them."
	fi
}

# On Ubuntu bpftool comes with the tools of its kernels.
try_guard() {
	if grep -qs '^ID=ubuntu' /etc/os-release; then
		guard_packages=(clang linux-tools-common libbpf-dev)
	fi
	try_packages "${guard_packages[@]}"
}

try_perf() {
	if perf version >/dev/null 2>&1; then
		return 0
	fi
	if grep -qs '^ID=ubuntu' /etc/os-release; then
		try_packages linux-tools-generic
	else
		try_packages linux-perf
	fi
}

# Whether perf may record what introperf wants to see.
perf_records() {
	perf record -q "${record_options[@]}" -o /dev/null -- true >/dev/null 2>&1
}

# copy_sources COPY copies the source directory without what was built in it, or in directories below it,
# and leaves it as it is. make knows what it has built, so it removes that from the copy.
copy_sources() {
	local copy=$1 built excluded=(--exclude=./.git)
	while IFS= read -r built; do
		excluded+=("--exclude=${built%/config.status}")
	done < <(cd "$source_dir" && find . -mindepth 2 -name config.status)
	if [[ $copy == "$source_dir"/* ]]; then
		excluded+=("--exclude=.${copy#"$source_dir"}")
	fi
	rm -rf "$copy"
	mkdir -p "$copy"
	tar -C "$source_dir" --format=posix --anchored --no-wildcards "${excluded[@]}" -cf - . | tar -C "$copy" -xf -
	run make -C "$copy" -o Makefile distclean
}

# build_and_install BUILD-DIR PREFIX CONFIGURE-OPTION…
build_and_install() {
	local build_dir=$1 prefix=$2 from=$source_dir
	shift 2
	mkdir -p "$build_dir"
	cd "$build_dir"
	# Autoconf builds nowhere else from a directory in which ./configure was run.
	if [ -e "$source_dir/config.status" ] && [ ! "$source_dir" -ef . ]; then
		from=$build_dir/source
		say "There is a build in $source_dir, which stays: building from a copy without it."
		copy_sources "$from"
	fi
	if [ ! -e "$from/configure" ]; then
		run autoreconf -fi "$from"
	fi
	# For libtool, which is a shell script and runs for each file: dash takes half as long as bash.
	run env CONFIG_SHELL=/bin/sh "$from/configure" --prefix="$prefix" "$@"
	run make -j"$(nproc)"
	run make install
}
