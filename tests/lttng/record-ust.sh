#!/bin/bash
# SPDX-License-Identifier: MIT
#
# record-ust.sh DIRECTORY VARIANT PROGRAM [CONTEXT…] records the entries and exits of all functions
# of a program under a session daemon of its own, which lives in DIRECTORY and ends with this.
# VARIANT "" records call sites too, "-fast" does not. For a user other than root: root's daemons
# all share one place. The environment can name more libraries to preload (UST_PRELOAD) and options of
# the channel (UST_CHANNEL).

set -eu

directory=$1
variant=$2
program=$3
shift 3
export HOME=$directory LTTNG_HOME=$directory
cd "$directory"

lttng-sessiond --no-kernel >daemon.txt 2>&1 &
daemon=$!
trap 'kill "$daemon" 2>/dev/null; wait "$daemon" 2>/dev/null || true' EXIT

session() {
	lttng --no-sessiond "$@" >>session.txt 2>&1
}

for _ in {1..3000}; do
	session list && break
	sleep 0.1
done
session create test --output="$directory/trace$variant"
# shellcheck disable=SC2086 # options are several words
session enable-channel --userspace ${UST_CHANNEL:-} calls
session enable-event --userspace --channel=calls 'lttng_ust_cyg_profile*:*,lttng_ust_statedump:*,lttng_ust_lib:*,lttng_ust_dl:*'
for context in "$@"; do
	session add-context --userspace --channel=calls --type="$context"
done
session start
LD_PRELOAD="liblttng-ust-cyg-profile$variant.so.1 ${UST_PRELOAD:-}" "$program"
session stop
session destroy
