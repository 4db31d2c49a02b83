# SPDX-License-Identifier: MIT
#
# Completion of perf-introperf and of `perf introperf` in bash. Options and what they accept come from
# the help, so that they need no list here. All other words behind perf are left to perf's own
# completion, which this one takes the place of.
# shellcheck shell=bash

# Of perf-introperf, whose words are in COMP_WORDS.
_perf_introperf() {
	_perf_introperf_complete "${COMP_WORDS[0]}"
}

# _perf_introperf_complete COMMAND…, as it is called.
_perf_introperf_complete() {
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} option='' begin='' words
	local subcommand=${COMP_WORDS[1]}

	compopt +o default +o nospace
	if [[ $current == --*=* ]]; then
		option=${current%%=*}
		begin=$option=
		current=${current#*=}
	elif [ "$current" = = ]; then
		option=$previous
		current=
	elif [ "$previous" = = ]; then
		option=${COMP_WORDS[COMP_CWORD - 2]}
	elif [[ $previous == --* ]]; then
		option=$previous
	fi
	if [ "$COMP_CWORD" -eq 1 ]; then
		words=$("$@" help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
	else
		words=$(_perf_introperf_values "$option" "$@")
	fi
	if [ -z "$words" ] && [[ $current == -* ]]; then
		words=$("$@" "$subcommand" --help 2>/dev/null |
			grep -oE -- '^  (-[a-zA-Z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+')
	fi
	if [ -z "$words" ]; then
		compopt -o default
		return
	fi
	mapfile -t COMPREPLY < <(compgen -P "$begin" -W "$words" -- "$current")
}

# _perf_introperf_values OPTION COMMAND…: what an option accepts, where the help tells a choice: "own,
# total, count or each".
_perf_introperf_values() {
	local option=$1
	shift
	[[ $option == --* ]] || return
	"$@" "$subcommand" --help 2>/dev/null | grep -E -- "^ .*$option=[A-Z]+ " |
		grep -oE '([a-z0-9-]+, )*[a-z0-9-]+ or [a-z0-9-]+' | sed 's/,//g; s/ or / /'
}

# Finds what completes perf without this file.
_perf_introperf_load_perf() {
	local directory directories

	IFS=: read -ra directories <<<"${XDG_DATA_DIRS:-/usr/local/share:/usr/share}"
	for directory in "${XDG_DATA_HOME:-$HOME/.local/share}" "${directories[@]}" /usr/share; do
		if [ -f "$directory/bash-completion/completions/perf" ]; then
			# shellcheck disable=SC1091 # perf's
			. "$directory/bash-completion/completions/perf"
			break
		fi
	done
	_perf_introperf_of_perf=$(complete -p perf 2>/dev/null | sed -n 's/.* -F \([^ ]*\) .*/\1/p')
	[ "$_perf_introperf_of_perf" != _perf_or_introperf ] || _perf_introperf_of_perf=:
	complete -o bashdefault -o default -o nospace -F _perf_or_introperf perf
}

_perf_or_introperf() {
	local perf=${COMP_WORDS[0]}

	if [ "$COMP_CWORD" -gt 1 ] && [ "${COMP_WORDS[1]}" = introperf ]; then
		local COMP_WORDS=("${COMP_WORDS[@]:1}") COMP_CWORD=$((COMP_CWORD - 1))
		_perf_introperf_complete "$perf" introperf
		return
	fi
	[ -n "${_perf_introperf_of_perf:-}" ] || _perf_introperf_load_perf
	"$_perf_introperf_of_perf" "$@"
	if [ "$COMP_CWORD" -eq 1 ] && [[ introperf == "${COMP_WORDS[1]}"* ]]; then
		COMPREPLY+=("introperf ")
	fi
}

complete -F _perf_introperf -o default perf-introperf
_perf_introperf_of_perf=$(complete -p perf 2>/dev/null | sed -n 's/.* -F \([^ ]*\) .*/\1/p')
[ "$_perf_introperf_of_perf" != _perf_or_introperf ] || _perf_introperf_of_perf=
complete -o bashdefault -o default -o nospace -F _perf_or_introperf perf
