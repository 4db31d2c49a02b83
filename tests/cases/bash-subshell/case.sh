# SPDX-License-Identifier: MIT
# A script runs a command substitution for each line, and with it a process; in the base it uses an
# expansion of its own.

about="a process for each line of a script"
cause=real
traits="bash: interpreter, C, many processes"

build() {
	need bash
}

base() {
	# shellcheck disable=SC2016 # for the other shell
	record "$software/bash/bash" -c 'for ((i = 0; i < 150; i++)); do
		line="order $i of 150"; name=${line#order }; names+=${name% of*}; done; echo $names'
}

slow() {
	# shellcheck disable=SC2016 # for the other shell
	record "$software/bash/bash" -c 'for ((i = 0; i < 150; i++)); do
		line="order $i of 150"; name=$(echo ${line#order }); names+=${name% of*}; done; echo $names'
}

truth() {
	echo '^command_substitute$' '^bash$'
}
