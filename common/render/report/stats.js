// SPDX-License-Identifier: MIT
//
// The statistics of the tree's nodes, and their slowest calls, that stats-data.c wrote. Those of the
// ranked paths are there when the page is drawn first; the others stand behind the script, and are
// read when the page is there.

const HISTOGRAM_BUCKETS = 48;
const BLOCK_NODES = 1024;
const STATS_LENGTH = 14;

// By block: where its numbers begin, as soon as they are read; and what was unpacked of them.
const blocks = [];
const unpackedBlocks = new Map();

function addGroup(bytes) {
	const numbers = new Numbers(bytes);
	const first = numbers.next();
	const lengths = Array.from({ length: numbers.next() }, () => numbers.next());
	let { at } = numbers;

	lengths.forEach((length, i) => {
		blocks[first + i] = { bytes, at };
		at += length;
	});
}

// Places at which what belongs to each node begins, and the end; `counts`: how much that is.
function placesOf(counts, nodesOfBlock) {
	const places = new Int32Array(nodesOfBlock + 1);

	for (let i = 0; counts && i < nodesOfBlock; i++) {
		places[i + 1] = places[i] + counts[i];
	}
	return places;
}

// What follows those counts: so many columns, each with what belongs to all nodes.
function readLists(numbers, nodesOfBlock, length) {
	const places = placesOf(numbers.column(nodesOfBlock), nodesOfBlock);
	const columns = Array.from({ length }, () => numbers.column(places[nodesOfBlock]));

	return { places, columns };
}

function unpackSide(numbers, nodesOfBlock) {
	return {
		stats: Array.from({ length: STATS_LENGTH }, () => numbers.column(nodesOfBlock)),
		buckets: readLists(numbers, nodesOfBlock, 2),
		calls: readLists(numbers, nodesOfBlock, 6),
	};
}

// Of the block of a node; null where it has not been read yet.
function blockOf(index) {
	const number = isKept(index) ? Math.floor(index / BLOCK_NODES) : -1;

	if (!unpackedBlocks.has(number) && blocks[number]) {
		const numbers = new Numbers(blocks[number].bytes, blocks[number].at);
		const nodesOfBlock = Math.min(BLOCK_NODES, keptCount - number * BLOCK_NODES);

		unpackedBlocks.set(number, { suspect: unpackSide(numbers, nodesOfBlock),
			base: D.base ? unpackSide(numbers, nodesOfBlock) : null });
	}
	return unpackedBlocks.get(number) || null;
}

const isRead = ({ index }) => !isKept(index) || Boolean(blocks[Math.floor(index / BLOCK_NODES)]);

// What belongs to a node: an array for each place, with a value of each column.
function listOf({ places, columns }, place) {
	return d3.range(places[place], places[place + 1]).map((i) => columns.map((column) => (column ? column[i] : 0)));
}

function bucketOf(ns) {
	return ns <= 0 ? 0 : Math.min(Math.floor(Math.log2(ns)) + 1, HISTOGRAM_BUCKETS - 1);
}

// See stats-data.c for the order.
function readStats(index, side) {
	const block = blockOf(index);
	const of = block ? block[side] : null;
	const place = index % BLOCK_NODES;
	const value = (i) => (of && of.stats[i] ? of.stats[i][place] : 0);
	const [count, total, blocked, runnable] = [value(0), value(1), value(4), value(5)];
	const histogram = of ? listOf(of.buckets, place).flat() : [];
	const cpu = total - blocked - runnable - value(6);

	return {
		count, total, blocked, runnable, cpu,
		lower: total - value(2),
		upper: total + value(3),
		min: histogram.length ? value(7) : total,
		max: histogram.length ? value(8) : total,
		histogram: histogram.length || !count ? histogram : [bucketOf(total), count],
		hasUnseen: !value(9) || value(9) - 1 > count / 20,
		own: ownArrays[side] ? ownArrays[side][index] : 0,
		ownCpu: cpu + value(11),
		samples: value(12),
		deviation: value(13),
	};
}

// The same of a node without statistics, as far as own times at and below it tell; null is not known.
function sumStats(index, side) {
	const sum = (key) => (sumArrays[key] ? sumArrays[key][index] : 0);
	const of = (kind) => sum(`${side}-${kind}`);

	return { count: null, samples: null, lower: null, upper: null, histogram: [], total: sum(side),
		own: ownArrays[side] ? ownArrays[side][index] : 0,
		cpu: of("cpu"), blocked: of("blocked"), runnable: of("waiting") };
}

// Slowest calls of a node, the slowest first.
function slowOf(node, side) {
	const block = node ? blockOf(node.index) : null;
	const of = block ? block[side] : null;

	return (of ? listOf(of.calls, node.index % BLOCK_NODES) : []).map(
		([tid, begin, latency, lower, upper, run]) => ({ side, tid, begin, latency, lower: latency - lower,
			upper: latency + upper, node, recording: D[side].recordings[run] }));
}

const DAMAGED = "This file is not whole: it lacks the numbers of some contexts.";
// All is read that there is.
let isEndReached = false;

async function readGroup(element) {
	await new Promise((go) => setTimeout(go));
	try {
		addGroup(await unpack(element.textContent));
	} catch {
		// The end of the file is missing, and that of what stands there.
	}
	element.dataset.read = "";
}

// Reads what stands behind the script, a group at a time, so that the page answers in between.
async function readOthers() {
	if (document.readyState === "loading") {
		await new Promise((go) => addEventListener("DOMContentLoaded", go));
	}
	for (const element of document.querySelectorAll("script.stats")) {
		await readGroup(element);
	}
	isEndReached = true;
	if (Array.from({ length: Math.ceil(keptCount / BLOCK_NODES) }, (_, i) => blocks[i]).some((block) => !block)) {
		byId("doubts").append(byId("doubts").textContent ? "\n" : "", DAMAGED);
		byId("doubts").hidden = false;
	}
}

const unpackedStats = unpack(byId("stats").textContent);

addGroup(unpackedStats instanceof Promise ? await unpackedStats : unpackedStats);

// A promise of its end, once that has begun.
let othersRead = null;
