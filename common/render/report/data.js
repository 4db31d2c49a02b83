// SPDX-License-Identifier: MIT
//
// The data that data.c wrote into the page, unpacked: nodes of the calling context tree with the
// statistics of both workloads, ranked paths, and what sums over the tree follow from that.

const HISTOGRAM_BUCKETS = 48;
const LAYER = { USER: 0, KERNEL: 1, SYSCALL: 2, PROCESS: 3 };

const D = JSON.parse(document.getElementById("data").textContent);

const functions = D.functions.map(([name, module, layer, kind], id) => ({
	id, name, module: D.modules[module], layer, kind, lower: name.toLowerCase(),
}));

function bucketOf(ns) {
	return ns <= 0 ? 0 : Math.min(Math.floor(Math.log2(ns)) + 1, HISTOGRAM_BUCKETS - 1);
}

// See tree-data.c for the order. Times without callees are completed by takeFromParent().
function unpackStats(packed) {
	const value = (i) => (packed && packed[i]) || 0;
	const [count, total, blocked, runnable] = [value(0), value(1), value(4), value(5)];
	const histogram = value(9);

	return {
		count, total, blocked, runnable,
		lower: total - value(2),
		upper: total + value(3),
		cpu: total - blocked - runnable - value(6),
		min: histogram ? value(7) : total,
		max: histogram ? value(8) : total,
		histogram: histogram || (count ? [bucketOf(total), count] : []),
		hasUnseen: !value(10) || value(10) - 1 > count / 20,
		lost: value(11),
		own: total + value(12),
		ownCpu: total - blocked - runnable - value(6) + value(13),
		ownBlocked: blocked + value(14),
		ownRunnable: runnable + value(15),
		samples: value(16),
		deviation: value(17),
	};
}

const NO_STATS = Object.freeze(unpackStats(0));

function unpackNode(packed, index) {
	const [up, fn, suspect, base = 0, idle = 0] = packed;

	return {
		index,
		parent: up ? index - up : -1,
		fn: functions[fn],
		suspect: suspect ? unpackStats(suspect) : NO_STATS,
		base: base ? unpackStats(base) : NO_STATS,
		idle: idle === 1,
		children: [],
		depth: 0,
	};
}

// What the callees of a node have is not its own.
function takeFromParent(side, child, parent) {
	parent = parent[side];
	child = child[side];
	if (parent !== NO_STATS && child !== NO_STATS) {
		parent.own -= child.total;
		parent.ownCpu -= child.cpu;
		parent.ownBlocked -= child.blocked;
		parent.ownRunnable -= child.runnable;
	}
}

// For each node the sums of own latencies at and below it: of both workloads, and of what one has
// more or less than the other. `withIdle`: waiting for work counts as well.
function sumTree(withIdle) {
	for (const node of nodes) {
		// The time of a process outside of its functions is nobody's.
		const counts = node.parent >= 0 && (withIdle || !node.idle);
		const suspect = counts ? Math.max(node.suspect.own, 0) : 0;
		const base = counts ? Math.max(node.base.own, 0) : 0;

		node.sums = {
			suspect, base,
			more: D.base ? Math.max(suspect - base, 0) : 0,
			less: Math.max(base - suspect, 0),
			both: Math.max(suspect, base),
		};
	}
	for (let i = nodes.length - 1; i >= 0; i--) {
		const parent = nodes[i].parent < 0 ? null : nodes[nodes[i].parent].sums;

		for (const key in parent || {}) {
			parent[key] += nodes[i].sums[key];
		}
	}
	for (const node of nodes) {
		node.children.sort((a, b) => b.sums.both - a.sums.both || a.index - b.index);
	}
	roots.sort((a, b) => b.sums.both - a.sums.both || a.index - b.index);
}

const nodes = D.nodes.map(unpackNode);
const roots = [];
for (const node of nodes) {
	if (node.parent < 0) {
		roots.push(node);
		continue;
	}
	const parent = nodes[node.parent];

	parent.children.push(node);
	node.depth = parent.depth + 1;
	takeFromParent("suspect", node, parent);
	takeFromParent("base", node, parent);
}
D.nodes = null;

// Root first, with the process.
function chainOf(node) {
	const chain = [];

	for (let at = node; at; at = nodes[at.parent]) {
		chain.unshift(at);
	}
	return chain;
}

const nodeAt = (index) => (index === null ? null : nodes[index]);

// Own latency that counts: where threads wait for work it does not.
const ownOf = (node, side) => (node.idle ? 0 : node[side].own);
const deltaOf = (node) => ownOf(node, "suspect") - ownOf(node, "base");
const heatOf = (node, colour) =>
	colour === "delta" && D.base ? deltaOf(node) : ownOf(node, "suspect");

const paths = D.paths.map((path) => {
	const leaf = nodeAt(path.leaf);
	const face = nodeAt(path.face);

	return {
		...path,
		name: face ? face.fn.name : functions[path.process].name,
		process: functions[path.process],
		frames: leaf ? chainOf(leaf).slice(1) : [],
		face,
		unsure: path.noise || path.rare,
	};
});

// Slowest calls by node, the slowest first.
for (const side of ["suspect", "base"]) {
	for (const [node, tid, begin, latency, lower, upper, run] of D.slowest[side] || []) {
		const calls = nodes[node].slow || (nodes[node].slow = []);

		calls.push({ side, tid, begin, latency, lower: latency - lower, upper: latency + upper,
			node: nodes[node], recording: D[side].recordings[run] });
	}
}

// Types of units of work by workload, those that took most time first, with the slowest of each, which
// stand in the timeline as calls do.
const unitTypes = Object.entries(D.units).flatMap(([side, types]) => types.map((type) => ({
	...type,
	side,
	calls: type.slowest.map(([tid, begin, latency, run]) => ({ side, tid, begin, latency, lower: latency,
		upper: latency, node: { fn: { name: `unit of ${type.name}` } }, recording: D[side].recordings[run] })),
})));

const pathOfRank = (rank) => paths.find((path) => path.rank === rank) || null;
const sides = D.base ? ["base", "suspect"] : ["suspect"];
const headOf = (side) => D[side].head;
