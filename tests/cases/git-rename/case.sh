# SPDX-License-Identifier: MIT
# A commit moves 450 pages to another folder and changes each a little. In the slow run their names
# change with it (.html becomes .htm), and git compares each old page with each new one to find which
# became which; in the base it looks at those of the same name first, and need not go on.

about="renames detected by content alone"
cause=real
traits="git: client, C, one thread"
half=fresh
says="the cause is that git looks for renamed files by comparing the content of each old file with each new one (diffcore_rename, estimate_similarity)"
told='diffcore_rename|estimate_similarity|diffcore_count_changes|find_renames'

site() {
	GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 "$software/git/git" --git-dir="$built/site.git" "$@"
}

# commit BRANCH: what is in the folder `pages`, as a child of the branch `old`.
commit() {
	local parent=()
	if [ "$1" != old ]; then
		parent=(-p old)
	fi
	site read-tree --empty
	site --work-tree=pages add -A
	site branch "$1" "$(site -c user.name=A -c user.email=a@localhost commit-tree "${parent[@]}" \
		-m "$1" "$(site write-tree)")"
}

build() {
	need git
	site init -q --bare --template= -b none
	mkdir -p pages/old pages/new
	awk 'BEGIN {
		for (page = 0; page < 450; page++)
			for (i = 0; i < 1400; i++)
				print "<p>Part " (page * 7919 + i * 104729) % 1000003 " of page " page % 40 \
					> "pages/old/part-" page ".html"
	}'
	commit old
	mv pages/old/* pages/new
	sed -i '1i <!-- moved -->' pages/new/*
	commit moved
	for page in pages/new/*.html; do
		mv "$page" "${page%.html}.htm"
	done
	commit renamed
	rm -r pages
}

base() {
	export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
	record "$software/git/git" --git-dir="$built/site.git" diff --stat old moved
}

slow() {
	export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
	record "$software/git/git" --git-dir="$built/site.git" diff --stat old renamed
}

truth() {
	echo '^diffcore_rename_extended$' '^git$'
}
