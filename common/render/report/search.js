// SPDX-License-Identifier: MIT
//
// Search: functions by a part of their name, everywhere they are.

let searched = { query: "", nodes: null };

// Indices of the nodes that match, or null when nothing is searched for.
function matchingNodes() {
	const query = state.query.trim().toLowerCase();

	if (searched.query !== query || (query && !searched.nodes)) {
		const matches = new Set(functions.filter((fn) => fn.lower.includes(query)));

		searched = { query, nodes: query === "" ? null : new Set(nodes
			.filter((node) => matches.has(node.fn)).map((node) => node.index)) };
	}
	return searched.nodes;
}

function showHits() {
	const hits = matchingNodes();
	let text = "";

	if (hits) {
		const own = (side) => d3.sum(Array.from(hits), (index) => ownOf(nodes[index], side));

		text = hits.size === 0 ? "no match" : `${plural(hits.size, "context")}, own ` +
			pairText(own("base"), own("suspect"));
	}
	byId("hits").textContent = text;
}

// The next match after the node that is looked at: first those on ranked paths, as these are shown.
function nextHit(step) {
	const hits = matchingNodes();

	if (!hits || hits.size === 0) {
		return;
	}
	const order = Array.from(hits).sort((a, b) =>
		(pathThrough(nodes[b]) ? 1 : 0) - (pathThrough(nodes[a]) ? 1 : 0) ||
		nodes[b].sums.both - nodes[a].sums.both || a - b);
	const at = order.indexOf(state.node);

	selectNode(nodes[order[(at + step + order.length) % order.length]]);
}
