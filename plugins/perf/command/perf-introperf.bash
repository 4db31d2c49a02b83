# SPDX-License-Identifier: MIT
#
# Completion of perf-introperf in bash. Options and what they accept come from --help, so that they
# need no list here.
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

# What an option accepts, where --help tells a choice: "own, total, count or each".
_perf_introperf_values() {
	[[ $1 == --* ]] || return
	"${COMP_WORDS[0]}" "${COMP_WORDS[1]}" --help 2>/dev/null | grep -E -- "^ .* $1=" |
		grep -oE '([a-z-]+, )*[a-z-]+ or [a-z-]+' | sed 's/,//g; s/ or / /'
}

complete -F _perf_introperf -o default perf-introperf
