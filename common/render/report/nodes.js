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
// Distances; a function, twice, and 1 where the node waits for work.
const parentOf = nodeNumbers.column(nodeCount, Int32Array) || new Int32Array(nodeCount);
const functionOf = nodeNumbers.column(nodeCount, Int32Array) || new Int32Array(nodeCount);
const readOwn = () => nodeNumbers.column(nodeCount) || new Float64Array(nodeCount);
const ownArrays = { suspect: readOwn(), base: D.base ? readOwn() : null };
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
		this.stats[side] = this.stats[side] || readStats(this.index, side);
		return this.stats[side];
	}

	get suspect() {
		return this.statsOf("suspect");
	}

	get base() {
		return this.statsOf("base");
	}

	// Of own latencies at and below it: of both workloads, and of what one has more or less.
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

// `withIdle`: waiting for work counts as well.
function sumTree(withIdle) {
	const { suspect: suspectOwn, base: baseOwn } = ownArrays;
	const [suspect, base, more, less, both] = ["suspect", "base", "more", "less", "both"].map((key) =>
		(sumArrays[key] = new Float64Array(nodeCount)));
	const hasBase = baseOwn !== null;

	for (let i = nodeCount - 1; i >= 0; i--) {
		const parent = parentOf[i];
		// The time of a process outside of its functions is nobody's.
		const counts = parent >= 0 && (withIdle || !isIdle(i));
		const ofSuspect = counts ? Math.max(suspectOwn[i], 0) : 0;
		const ofBase = counts && hasBase ? Math.max(baseOwn[i], 0) : 0;

		suspect[i] += ofSuspect;
		base[i] += ofBase;
		more[i] += hasBase ? Math.max(ofSuspect - ofBase, 0) : 0;
		less[i] += Math.max(ofBase - ofSuspect, 0);
		both[i] += Math.max(ofSuspect, ofBase);
		if (parent >= 0) {
			suspect[parent] += suspect[i];
			base[parent] += base[i];
			more[parent] += more[i];
			less[parent] += less[i];
			both[parent] += both[i];
		}
	}
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
