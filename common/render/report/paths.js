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
const sides = D.base ? ["base", "suspect"] : ["suspect"];
const headOf = (side) => D[side].head;
