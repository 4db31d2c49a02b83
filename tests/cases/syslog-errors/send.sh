#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Starts a syslogd of its own, sends it all messages of a file, and ends it when it has written all.
# Use: send.sh SYSLOGD MESSAGES, with syslog.conf in the working directory.
set -eu
mkdir -p more.conf
"$1" --no-detach --no-klog --sync --socket="$PWD/log.sock" --rcfile="$PWD/syslog.conf" \
	--rcdir="$PWD/more.conf" --pidfile="$PWD/syslogd.pid" &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
until [ -S log.sock ] && [ -e mail.log ]; do
	sleep 0.01
done
logger --socket "$PWD/log.sock" --prio-prefix --file "$2"
until tail -n 1 mail.log | grep -q 'that was all'; do
	sleep 0.02
done
kill "$server"
wait "$server" || true
trap - EXIT
