// SPDX-License-Identifier: MIT
//
// What time was spent on, as words and colours, which are those of exported flame graphs
// (common/render/export/flame.c): on a CPU, blocked, waiting for a CPU. What was added has the colour of
// its kind, the more the larger the part of the time that was added.

const KINDS = [
	{ id: "cpu", name: "on a CPU" },
	{ id: "blocked", name: "blocked" },
	{ id: "waiting", name: "waiting for a CPU" },
	{ id: "unknown", name: "not known" },
];
const LESS = "less than before";
// Of all time, what of an unknown kind is not worth a swatch.
const UNKNOWN_LEAST = 0.05;

const kindSum = (sums, side, kind) => sums[`${side}-${kind}`] || 0;
const addedSum = (sums, kind) => kindSum(sums, "suspect", kind) - (D.base ? kindSum(sums, "base", kind) : 0);

// The kind with most, the first of equal ones.
const mostOfKinds = (value) =>
	KINDS.reduce((most, { id }) => (value(id) > value(most) ? id : most), KINDS[0].id);

const mixedWithRest = (colour, part) => d3.interpolateRgb(palette.rest, colour)(Math.max(0, Math.min(part, 1)));

const sideColour = (sums, side) => palette[mostOfKinds((kind) => kindSum(sums, side, kind))];

// Of what was added, or is less.
const changeColour = (sums) =>
	palette[sums.suspect < sums.base ? "less" : mostOfKinds((kind) => addedSum(sums, kind))];

function addedColour(sums) {
	const whole = Math.max(sums.suspect, sums.base);

	return mixedWithRest(changeColour(sums), whole > 0 ? Math.abs(sums.suspect - sums.base) / whole : 0);
}

// Of bars that tell of calls, by their workload: what is asked about is the darker.
const sideShade = (side) => palette[side === "suspect" ? "quiet" : "rest-strong"];

// Sums of several nodes.
function sumsOf(nodes) {
	const sums = {};

	for (const key in sumArrays) {
		sums[key] = d3.sum(nodes, ({ index }) => sumArrays[key][index]);
	}
	return sums;
}

const knownKindKeys = () => KINDS.filter(({ id }) => id !== "unknown").map(({ id, name }) => [palette[id], name]);

// Swatches of the kinds, each with its time; of one that is not known only where there is any.
function kindKeys(timeOf, textOf) {
	const all = d3.sum(KINDS, ({ id }) => Math.abs(timeOf(id)));

	return KINDS.filter(({ id }) => id !== "unknown" || Math.abs(timeOf(id)) > UNKNOWN_LEAST * all)
		.map(({ id, name }) => [palette[id], Math.round(timeOf(id)) === 0 ? name :
			`${name} ${textOf(Math.round(timeOf(id)))}`]);
}
