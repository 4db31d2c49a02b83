# SPDX-License-Identifier: MIT
# Graphviz draws for each team of a company which of its services call which. In the slow run the
# drawings are to have edges of horizontal and vertical lines only (splines=ortho), which somebody found
# prettier; in the base they have what dot draws by default.

about="edges of horizontal and vertical lines asked for"
cause=real
traits="Graphviz, Debian's own: C, one thread"
packages=(graphviz)
half=fresh
says="the cause is orthoEdges: the drawings' setting splines=ortho makes dot look for ways of horizontal and vertical lines for all edges"
told='orthoEdges|splines|libgvc.*edges'

# maps_of_services SETTING: a hundred drawings.
maps_of_services() {
	awk -v setting="$1" 'BEGIN {
		srand(5)
		for (team = 0; team < 100; team++) {
			print "digraph team" team " {"
			print "\trankdir=LR; node [shape=box]; " setting
			for (layer = 0; layer < 5; layer++)
				for (i = 0; i < 20; i++)
					printf "\tservice%d_%d -> service%d_%d;\n", layer, i % 10,
						layer + 1 + int(rand() * rand() * 3), int(rand() * 10)
			print "}"
		}
	}'
}

build() {
	maps_of_services "" > base.dot
	maps_of_services "splines=ortho;" > slow.dot
}

draw() {
	record dot -Tplain "$built/$1.dot"
	[ "$(grep -c ^stop output)" = 100 ]
}

base() {
	draw base
}

slow() {
	draw slow
}

truth() {
	echo '^orthoEdges$' '^libgvc\.so'
}
