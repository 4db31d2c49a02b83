#!/bin/bash
# SPDX-License-Identifier: MIT
#
# print.sh DIRECTORY SPARE: jobd of that directory on the journal `journal`, and two clients at a time
# that give it jobs. Ends what it started.

set -euo pipefail
programs=$1 spare=$2
address=ipc://jobs

started=()
end() {
	if [ ${#started[@]} -gt 0 ]; then
		kill "${started[@]}" 2> /dev/null || true
	fi
	wait
}
trap end EXIT
trap 'exit 1' INT TERM

"$programs/jobd" "$address" journal "$spare" &
started+=($!)
"$programs/submit" "$address" 100000 40 &
client=$!
started+=("$client")
"$programs/submit" "$address" 200000 40
wait "$client"
