// SPDX-License-Identifier: MIT
//
// What the page shows at the moment. It stands in the fragment of the address, so that a link to
// the file brings somebody else to the same place.

const VIEWS = [
	{ id: "flame", name: "Flame graph" },
	{ id: "paths", name: "Paths" },
	{ id: "tree", name: "Tree" },
	{ id: "time", name: "Timeline" },
	// The paper's picture, for those who know it: behind a key.
	{ id: "heat", name: "Heat map", isHidden: true },
];
const THEMES = ["auto", "light", "dark"];

const DEFAULTS = {
	view: "flame",
	// Of the flame: suspect, base, difference.
	mode: D.base ? "difference" : "suspect",
	// Of the heat map: delta, own.
	colour: D.base ? "delta" : "own",
	path: paths.length ? leadPath().rank : 0,
	// Index of the frame that is looked at; -1 = the path's culprit.
	node: -1,
	// Where the flame begins; -1 = everything.
	zoom: -1,
	// Of the timeline, in ns since the begin of a recording; 0 to 0 = all of it.
	from: 0,
	to: 0,
	idle: 0,
	query: "",
	theme: "auto",
};

const state = { ...DEFAULTS };

const isNode = (value) => Number.isInteger(value) && value >= -1 && value < nodeCount;
const CHECKS = {
	view: (value) => VIEWS.some((view) => view.id === value),
	mode: (value) => value === "suspect" || (D.base && ["base", "difference"].includes(value)),
	colour: (value) => value === "own" || (D.base && value === "delta"),
	path: (value) => value === 0 || pathOfRank(value) !== null,
	node: isNode,
	zoom: isNode,
	from: (value) => value >= 0,
	to: (value) => value >= 0,
	idle: (value) => value === 0 || value === 1,
	query: () => true,
	theme: (value) => THEMES.includes(value),
};

// Takes what makes sense from the fragment; the rest is as at the beginning.
function readFragment() {
	const given = new URLSearchParams(location.hash.slice(1));

	for (const key in DEFAULTS) {
		const text = given.get(key);
		const value = typeof DEFAULTS[key] === "number" && text !== null ? Number(text) : text;

		state[key] = value !== null && CHECKS[key](value) ? value : DEFAULTS[key];
	}
}

function writeFragment() {
	const changed = new URLSearchParams();

	for (const key in DEFAULTS) {
		if (state[key] !== DEFAULTS[key]) {
			changed.set(key, state[key]);
		}
	}
	const fragment = changed.toString();

	if (fragment !== location.hash.slice(1)) {
		history.replaceState(null, "", fragment ? `#${fragment}` : location.pathname + location.search);
	}
}

const currentPath = () => pathOfRank(state.path);

function currentNode() {
	const path = currentPath();

	return state.node >= 0 ? nodeAt(state.node) : path ? path.face : null;
}

// The path that goes through a node: the one that is looked at, if it does, or the first.
function pathThrough(node) {
	const goes = (path) => path && path.frames.includes(node);

	return goes(currentPath()) ? currentPath() : paths.find(goes) || null;
}

let onChange = () => {};

function set(changes) {
	Object.assign(state, changes);
	writeFragment();
	onChange(changes);
}

function selectPath(path) {
	set({ path: path ? path.rank : 0, node: -1 });
}

function selectNode(node, more = {}) {
	const path = pathThrough(node);

	set({ path: path ? path.rank : 0, node: node.index, ...more });
}
