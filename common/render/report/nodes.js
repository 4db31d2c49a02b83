// SPDX-License-Identifier: MIT
//
// The calling context tree that tree-data.c wrote: of all nodes, what pictures are drawn from, and
// what sums over the tree follow from that. Trees are large: it is columns, and a node becomes an
// object when it is asked for.

const nodesText = byId("nodes").textContent;

if (isOld(nodesText)) {
	showEmpty("This browser is too old: the recording is so large that its page is compressed, which Chrome and " +
		"Edge can read from version 80 on, Firefox from 113 on, Safari from 16.4 on.");
	view.removeAttribute("aria-busy");
	return;
}
const unpackedNodes = unpack(nodesText);
const nodeNumbers = new Numbers(unpackedNodes instanceof Promise ? await unpackedNodes : unpackedNodes);
const nodeCount = nodeNumbers.next();
// How many of them, the first, have statistics: the others have little time.
const keptCount = nodeNumbers.next();
const isKept = (index) => index < keptCount;
// Distances; a function, twice, and 1 where the node waits for work.
const parentOf = nodeNumbers.column(nodeCount, Int32Array) || new Int32Array(nodeCount);
const functionOf = nodeNumbers.column(nodeCount, Int32Array) || new Int32Array(nodeCount);
const readOwn = () => nodeNumbers.column(nodeCount) || new Float64Array(nodeCount);
const ownArrays = { suspect: readOwn(), base: D.base ? readOwn() : null };
// Thousandths of these; the rest is on a CPU. Null where there is none of a kind.
const OTHER_KINDS = ["blocked", "waiting", "unknown"];
const readParts = () => OTHER_KINDS.map(() => nodeNumbers.column(nodeCount, Int16Array));
const ownParts = { suspect: readParts(), base: D.base ? readParts() : null };
const firstChild = new Int32Array(nodeCount).fill(-1);
const nextSibling = new Int32Array(nodeCount).fill(-1);
const sumArrays = {};
let sumVersion = 0;

const rootIndices = [];

for (let i = nodeCount - 1; i >= 0; i--) {
	const parent = parentOf[i] ? i - parentOf[i] : -1;

	parentOf[i] = parent;
	if (parent >= 0) {
		nextSibling[i] = firstChild[parent];
		firstChild[parent] = i;
	} else {
		rootIndices.push(i);
	}
}
const isIdle = (index) => functionOf[index] % 2 === 1;
const hasIdle = functionOf.some((packed) => packed % 2 === 1);

class TreeNode {
	constructor(index) {
		this.index = index;
		this.parent = parentOf[index];
		this.fn = functions[functionOf[index] >> 1];
		this.idle = isIdle(index);
		this.stats = { suspect: null, base: null };
		this.sorted = null;
		this.sortedNodes = null;
		this.sortedVersion = -1;
	}

	statsOf(side) {
		if (!isKept(this.index)) {
			return sumStats(this.index, side);
		}
		this.stats[side] = this.stats[side] || readStats(this.index, side);
		return this.stats[side];
	}

	get suspect() {
		return this.statsOf("suspect");
	}

	get base() {
		return this.statsOf("base");
	}

	// Of own latencies at and below it: of each workload, of each kind in it ("suspect-blocked"), and
	// of whichever workload has more of each function.
	get sums() {
		const sums = {};

		for (const key in sumArrays) {
			sums[key] = sumArrays[key][this.index];
		}
		return sums;
	}

	// Those with most first.
	get childIndices() {
		if (this.sortedVersion !== sumVersion) {
			this.sorted = [];
			for (let child = firstChild[this.index]; child >= 0; child = nextSibling[child]) {
				this.sorted.push(child);
			}
			sortNodes(this.sorted);
			this.sortedNodes = null;
			this.sortedVersion = sumVersion;
		}
		return this.sorted;
	}

	get children() {
		const indices = this.childIndices;

		this.sortedNodes = this.sortedNodes || indices.map(nodeAt);
		return this.sortedNodes;
	}
}

const madeNodes = new Map();

function nodeAt(index) {
	let node = madeNodes.get(index) || null;

	if (!node && index !== null && index >= 0) {
		node = new TreeNode(index);
		madeNodes.set(index, node);
	}
	return node;
}

const sortNodes = (indices) => indices.sort((a, b) => sumArrays.both[b] - sumArrays.both[a] || a - b);

let roots = [];

const noTime = new Float64Array(nodeCount);

// Own latency of a node that its callers have as well. The time of a process outside of its functions
// is nobody's; waiting for work counts `withIdle`.
const countedOwn = (index, side, withIdle) =>
	(ownArrays[side] && parentOf[index] >= 0 && (withIdle || !isIdle(index)) ? Math.max(ownArrays[side][index], 0) : 0);

// Sums of a side, with those of its kinds.
function sumSide(side, withIdle) {
	const parts = ownParts[side].map((values) => values && { values, sums: new Float64Array(nodeCount) });
	const used = parts.filter(Boolean);
	const all = new Float64Array(nodeCount);
	const cpu = new Float64Array(nodeCount);

	OTHER_KINDS.forEach((kind, i) => {
		sumArrays[`${side}-${kind}`] = parts[i] ? parts[i].sums : noTime;
	});
	sumArrays[side] = all;
	sumArrays[`${side}-cpu`] = cpu;
	for (let i = nodeCount - 1; i >= 0; i--) {
		const parent = parentOf[i];
		const own = countedOwn(i, side, withIdle);
		let rest = own;

		for (const { values, sums } of used) {
			const ns = own * values[i] / 1000;

			rest -= ns;
			sums[i] += ns;
			if (parent >= 0) {
				sums[parent] += sums[i];
			}
		}
		all[i] += own;
		cpu[i] += Math.max(rest, 0);
		if (parent >= 0) {
			all[parent] += all[i];
			cpu[parent] += cpu[i];
		}
	}
}

// Sums of what either has of each function.
function sumBoth(withIdle) {
	const both = new Float64Array(nodeCount);

	for (let i = nodeCount - 1; i >= 0; i--) {
		both[i] += Math.max(countedOwn(i, "suspect", withIdle), countedOwn(i, "base", withIdle));
		if (parentOf[i] >= 0) {
			both[parentOf[i]] += both[i];
		}
	}
	return both;
}

function sumTree(withIdle) {
	sumArrays.base = noTime;
	sides.forEach((side) => sumSide(side, withIdle));
	sumArrays.both = D.base ? sumBoth(withIdle) : sumArrays.suspect;
	sumVersion += 1;
	roots = sortNodes(rootIndices).map(nodeAt);
}

// Root first, with the process.
function chainOf(node) {
	const chain = [];

	for (let at = node; at; at = nodeAt(at.parent)) {
		chain.unshift(at);
	}
	return chain;
}

// Own latency that counts: where threads wait for work it does not.
const ownAt = (index, side) => (isIdle(index) || !ownArrays[side] ? 0 : ownArrays[side][index]);
const ownOf = (node, side) => ownAt(node.index, side);
const deltaOf = (node) => ownOf(node, "suspect") - ownOf(node, "base");
const heatOf = (node, colour) =>
	colour === "delta" && D.base ? deltaOf(node) : ownOf(node, "suspect");
