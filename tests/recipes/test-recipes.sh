#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The pages of doc/recipes, as somebody follows them: the commands are taken from the text, run one
# behind the other in a directory of the page's own, and show what the text says.
#
# By hand: test-recipes.sh PAGE… follows these only.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

recipes=$ITP_SOURCE_DIR/doc/recipes

# What scripts begin with: `has WORD…` lets $lacks say what this machine lacks of what a block needs;
# programs are those of this build.
cat >"$tmp/prelude" <<'EOF'
exec 2>&1 </dev/null
export PATH=$ITP_BUILD_DIR:$PATH BABELTRACE_PLUGIN_PATH=$ITP_BUILD_DIR
export LIBBABELTRACE2_NO_DLCLOSE=${ITP_PRELOAD:+1} LTTNG_HOME=$PWD HOME=$PWD
babeltrace2() { LD_PRELOAD=${ITP_PRELOAD:-} command babeltrace2 "$@"; }
lacks=
has() {
	local word
	for word; do
		has_one "$word" >/dev/null 2>&1 || lacks=$word
	done
}
has_one() {
	case $1 in
	perf) perf record -q -e raw_syscalls:sys_enter -o /dev/null -- true ;;
	bpf) [ "$(id -u)" -eq 0 ] && perf-introperf guard --help | grep GUARDS ;;
	lttng-modules) modinfo lttng-tracer ;;
	lttng-ust)
		command -v lttng-sessiond && ldconfig -p | grep liblttng-ust-cyg-profile.so.1 &&
			[ -x "$ITP_BUILD_DIR" ]
		;;
	*) command -v "$1" ;;
	esac
}
EOF

# LTTng's daemons of root all share one place, so a user follows the page that begins one, where the
# kernel is not traced.
follow() {
	local page=$1 user=()
	if [ "$page" = lttng ] && [ "$(id -u)" -eq 0 ] && ! modinfo lttng-tracer >/dev/null 2>&1; then
		user=(setpriv "--reuid=$(id -u nobody)" "--regid=$(id -g nobody)" --clear-groups)
		chmod 711 "$tmp"
		chown -R nobody "$tmp/$page"
	fi
	"${user[@]}" timeout 300 bash "$tmp/$page/script" </dev/null >"$tmp/$page.output" 2>&1
}

# end_daemon PAGE ends the session daemon that the page has begun.
end_daemon() {
	local pid=$tmp/$1/.lttng/lttng-sessiond.pid
	[ ! -s "$pid" ] || kill "$(cat "$pid")"
}

# check_block PAGE N: it showed what the text says.
check_block() {
	local page=$1 block=$2 wanted output
	output=$(sed -n "/^=== $block\$/,/^=== /p" "$tmp/$page.output" | sed '/^=== /d' | tr -s '\n\t ' ' ' | sed 's/ $//')
	while read -r wanted; do
		if [[ $output =~ ^\ ?lacks\ ([a-z-]+) ]]; then
			skip "$page, block $block: $wanted" "no ${BASH_REMATCH[1]}"
		else
			like "$page, block $block: $wanted" "$output" "${wanted//\\s/ }"
		fi
	done <"$tmp/$page/shows.$block"
}

for file in "$recipes"/*.md; do
	page=$(basename "$file" .md)
	[ "$page" != README ] || continue
	[[ $# -eq 0 || " $* " == *" $page "* ]] || continue
	mkdir "$tmp/$page"
	cp "$recipes/orders.c" "$tmp/$page"
	{
		echo "cd '$tmp/$page' || exit"
		cat "$tmp/prelude"
		awk -v outputs="$tmp/$page" -f "$ITP_SOURCE_DIR/tests/recipes/recipe.awk" "$file"
	} >"$tmp/script"
	mv "$tmp/script" "$tmp/$page/script"
	follow "$page"
	end_daemon "$page"
	ok "$page has something to show" compgen -G "$tmp/$page/shows.*"
	for shows in "$tmp/$page"/shows.*; do
		check_block "$page" "${shows##*.}"
	done
	unlike "$page: every command is there" "$(cat "$tmp/$page.output")" 'command not found|No such file'
	ok "$page is in the list" grep -q "($page.md)" "$recipes/README.md"
done

done_testing
