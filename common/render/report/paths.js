// SPDX-License-Identifier: MIT
//
// The ranked paths and types of units of work that data.c wrote, with the nodes that they mean.

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

// Types of units of work by workload, those that took most time first, with the slowest of each, which
// stand in the timeline as calls do.
const unitTypes = Object.entries(D.units).flatMap(([side, types]) => types.map((type) => ({
	...type,
	side,
	calls: type.slowest.map(([tid, begin, latency, run]) => ({ side, tid, begin, latency, lower: latency,
		upper: latency, node: { fn: { name: `unit of ${type.name}` } }, recording: D[side].recordings[run] })),
})));

const pathOfRank = (rank) => paths.find((path) => path.rank === rank) || null;

// The path that the sentence is about: the first that costs more, or that saves most where the whole
// costs less; those that may be chance only where all may be.
function leadPath() {
	const sure = paths.filter((path) => !path.unsure);
	const isFaster = D.base && D.suspect_own_ns < D.base_own_ns;
	const ofSign = (saves) => sure.filter(({ cost_ns: cost }) => saves === (cost < 0))
		.sort((a, b) => (saves ? a.cost_ns - b.cost_ns : 0));

	return ofSign(isFaster)[0] || ofSign(!isFaster)[0] || paths[0] || null;
}

// Paths that are sure or likely; the first ones where there are none.
const surePaths = paths.filter((path) => !path.unsure);
const tellingPaths = surePaths.length ? surePaths : paths.slice(0, 3);

// Code in which threads begin, and which runs the program's own functions.
const STARTING = new Set(["runtime", "interpreter", "system library"]);

const isStart = ({ fn }) => fn.layer === LAYER.USER && (["_start", "main"].includes(fn.name) || STARTING.has(fn.kind));

// How many functions of a path, root first, only lead from its thread's begin to the program's own,
// main() with them: `_start … main`. At most those before the function at `end`.
function startLength(frames, end) {
	let length = 0;

	while (length < end && isStart(frames[length]) && (length === 0 || frames[length - 1].fn.name !== "main")) {
		length += 1;
	}
	return length;
}

// All contexts of a path's culprit.
const contextsOf = ({ face, variants }) => (variants.length ? variants.map(([index]) => nodeAt(index)) : [face]).filter(Boolean);

// Nodes looked at for the calls of a path, at most.
const CALLS_NODES_MOST = 2000;

// Contexts of a function in and below those of a path's culprit, down to other culprits; null where these
// are too many.
function contextsBelow(path, fn) {
	const others = new Set(paths.filter((one) => one !== path && one.face).flatMap(contextsOf));
	const found = [];
	const open = contextsOf(path);

	for (let looked = 0; open.length; looked++) {
		const node = open.pop();

		if (looked === CALLS_NODES_MOST) {
			return null;
		}
		if (node.fn === fn) {
			found.push(node);
		} else {
			open.push(...node.children.filter((child) => !others.has(child)));
		}
	}
	return found;
}

const areCallsKnown = (node) => isRead(node) && sides.every((side) => !node[side].count || !node[side].hasUnseen);

// "clock_nanosleep 900 times, 0 before": how often the culprit makes the system call that it waits in, each of
// which was recorded, or how often it was called itself, where that is known; else null.
function knownCalls(path) {
	const at = path.face ? path.frames.indexOf(path.face) : -1;
	const wait = path.why === "blocked" ? path.frames.slice(at).find(({ fn }) => fn.layer === LAYER.SYSCALL) : null;
	const call = at < 0 ? null : wait || path.face;
	const found = call && D.has_latencies ? contextsBelow(path, call.fn) : null;
	const count = (side) => d3.sum(found, (node) => node[side].count);

	if (!found || !found.every(areCallsKnown) || sides.every((side) => count(side) === 0)) {
		return null;
	}
	const times = call === path.face ? plural(count("suspect"), "call") :
		`${shorten(call.fn.name.replace(/^syscall:/, ""), 40)} ${plural(count("suspect"), "time")}`;

	return times + (D.base ? `, ${countText(count("base"))} before` : "");
}
