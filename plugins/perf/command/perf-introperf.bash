# SPDX-License-Identifier: MIT
#
# Completion of perf-introperf in bash. Options come from --help, so that they need no list here.
# shellcheck shell=bash

_perf_introperf() {
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words
	local subcommand=${COMP_WORDS[1]}

	compopt +o default
	if [ "$COMP_CWORD" -eq 1 ]; then
		words=$("${COMP_WORDS[0]}" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
	elif [ "$previous" = = ] || { [ "$current" = = ] && [[ $previous == --* ]]; }; then
		compopt -o default
		return
	else
		words=$(_perf_introperf_values "$previous")
		if [ -z "$words" ] && [[ $current == -* ]]; then
			words=$("${COMP_WORDS[0]}" "$subcommand" --help 2>/dev/null |
				grep -oE -- '^  (-[a-zA-Z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+')
		fi
	fi
	if [ -z "$words" ]; then
		compopt -o default
		return
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

# What an option accepts, where that is a choice.
_perf_introperf_values() {
	case $1 in
	--format) echo text tree csv jsonl ;;
	--color) echo auto never always ;;
	--by) echo path function module ;;
	--metric) echo own total count each ;;
	--method) echo totals paper ;;
	--idle) echo apart ranked ;;
	--names) echo canonical raw ;;
	--continuity) echo function call-site control-flow ;;
	--group-by) echo process pid tid all ;;
	--estimate) echo conservative aggressive best ;;
	--demangle) echo full none ;;
	--clock) echo auto recording wall ;;
	--per) echo run second event: call: ;;
	esac
}

complete -F _perf_introperf -o default perf-introperf
