// SPDX-License-Identifier: MIT
//
// Search: functions by a part of their name, everywhere they are.

let searched = { query: "", hits: null };

function findNodes(query) {
	const matches = functions.map((fn) => fn.lower.includes(query));
	const hits = new Set();

	for (let index = 0; index < nodeCount; index++) {
		if (matches[functionOf[index] >> 1]) {
			hits.add(index);
		}
	}
	return hits;
}

// Indices of the nodes that match, or null when nothing is searched for.
function matchingNodes() {
	const query = state.query.trim().toLowerCase();

	if (searched.query !== query) {
		searched = { query, hits: query === "" ? null : findNodes(query) };
	}
	return searched.hits;
}

function showHits() {
	const hits = matchingNodes();
	let text = "";

	if (hits) {
		const own = (side) => d3.sum(Array.from(hits), (index) => ownAt(index, side));

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
	const ranked = new Set(paths.flatMap((path) => path.frames.map((node) => node.index)));
	const order = Array.from(hits).sort((a, b) => (ranked.has(b) ? 1 : 0) - (ranked.has(a) ? 1 : 0) ||
		sumArrays.both[b] - sumArrays.both[a] || a - b);
	const at = order.indexOf(state.node);

	selectNode(nodeAt(order[(at + step + order.length) % order.length]));
}
