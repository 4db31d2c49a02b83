// SPDX-License-Identifier: MIT
//
// The calling context tree as a flame graph that hangs: a box is as wide as the own latencies at and
// below its function, and stands below its caller. "difference" is as wide as the suspect, in the
// colour of what was added; a single workload has the colours of what its time was spent on (kinds.js).
// What only leads from a thread's begin to the program's own functions is one box, and the culprit of
// the selected path is marked, drawn however narrow it is, and in view.

const BOX_HEIGHT = 20;
const BOX_LEAST = 2;
const MARKS = { sure: "\u25c0 culprit", unsure: "\u25c0 may be chance" };
const MARK_ROOM = 6;

const FLAME_MODES = {
	difference: { name: () => "What was added", key: "d", side: "suspect", colour: addedColour },
	suspect: { name: () => headOf("suspect"), key: "s", side: "suspect",
		colour: (sums) => sideColour(sums, "suspect") },
	base: { name: () => headOf("base"), key: "b", side: "base", colour: (sums) => sideColour(sums, "base") },
};

// Boxes that only lead to others and that a click has opened: the first of each.
const openedStarts = new Set();
// Of a box's time, what has to go on to the next for the box to only lead there.
const START_LEADS = 0.98;

// The path whose culprit is marked: the selected one, beside all paths that of the sentence.
const markedPath = () => currentPath() || leadPath();

const markText = () => MARKS[markedPath() && markedPath().unsure ? "unsure" : "sure"];

// That culprit, in all its contexts.
function markedNodes() {
	const path = markedPath();

	return new Set(path && path.has_culprit ? contextsOf(path) : []);
}

// Nodes that are drawn however narrow they are: the way to the function that is looked at.
function keptNodes() {
	const nodes = [currentNode(), markedPath() && markedPath().face].filter(Boolean);

	return new Set(nodes.flatMap(chainOf).map(({ index }) => index));
}

// A child of a process, and what it only leads to, down to main() or the first function beside: one node
// or several, which are one box.
function startChain(index, marked) {
	const chain = [nodeAt(index)];
	const { both } = sumArrays;

	if (openedStarts.has(index)) {
		return chain;
	}
	for (let last = chain[0]; isStart(last) && last.fn.name !== "main"; last = chain[chain.length - 1]) {
		const [first] = last.childIndices;
		const next = nodeAt(first);

		if (!next || !isStart(next) || both[first] < START_LEADS * both[last.index] || marked.has(next) ||
			last === currentNode()) {
			break;
		}
		chain.push(next);
	}
	return chain;
}

// Boxes from `top` (a node, or null for all processes), those that are too narrow left out.
function layOut(top, pixels) {
	const widths = sumArrays[FLAME_MODES[state.mode].side];
	const all = top ? widths[top.index] : d3.sum(roots, ({ index }) => widths[index]);
	const scale = d3.scale.linear().domain([0, all || 1]).range([0, pixels]);
	const kept = keptNodes();
	const marked = markedNodes();
	const boxes = [];

	// Most are too narrow: these stay what they are in the columns of the tree.
	function place(indices, begin, depth) {
		for (const index of indices) {
			const width = scale(widths[index]);

			if (width >= BOX_LEAST || kept.has(index)) {
				const chain = depth === 1 && !top ? startChain(index, marked) : [nodeAt(index)];
				const node = chain[chain.length - 1];

				boxes.push({ node, chain, depth, x: Math.min(scale(begin), pixels - BOX_LEAST),
					width: Math.max(width, BOX_LEAST), isMarked: marked.has(node) });
				place(node.childIndices, begin, depth + 1);
			}
			begin += widths[index];
		}
	}
	place(top ? [top.index] : roots.map(({ index }) => index), 0, 0);
	return { boxes, all };
}

const boxName = ({ chain }) => (chain.length === 1 ? chain[0].fn.name :
	`${chain[0].fn.name} ${chain.length === 2 ? "\u203a" : "\u2026"} ${chain[chain.length - 1].fn.name}`);

// The widest of the marked boxes tells what it is.
const markedBox = (boxes) => boxes.filter(({ isMarked }) => isMarked)
	.sort((a, b) => b.width - a.width)[0] || null;

const isMarkInside = (box) => textWidth(`${boxName(box)}  ${markText()}`, 11, 700) <= box.width - 10;

function boxLabel(box, marked) {
	return box === marked && isMarkInside(box) ? `${boxName(box)}  ${markText()}` :
		box.width > 24 ? fit(boxName(box), box.width - 8, 11, box.isMarked ? 700 : 400) : "";
}

function drawBoxes(svg, boxes) {
	const hits = matchingNodes();
	const current = currentNode();
	const { colour } = FLAME_MODES[state.mode];
	const marked = markedBox(boxes);

	boxes.forEach((box) => {
		box.colour = colour(box.node.sums);
	});
	const groups = svg.selectAll(".box").data(boxes).enter().append("g")
		.attr("class", (box) => "box" + (hits && hits.has(box.node.index) ? " hit" : "") +
			(box.isMarked ? " culprit" : "") + (box.node === current ? " current" : "") +
			(box.chain.length > 1 ? " start" : ""))
		.attr("data-node", (box) => box.node.index)
		.attr("transform", (box) => `translate(${box.x},${box.depth * BOX_HEIGHT})`);

	groups.append("rect").attr({ class: "frame", height: BOX_HEIGHT - 1, rx: 1.5 })
		.attr("width", (box) => box.width - Math.min(1, box.width / 8)).attr("fill", (box) => box.colour);
	groups.filter((box) => box.width > 24).append("text").attr({ x: 4, y: 13.5 })
		.style("fill", (box) => textOn(box.colour)).text((box) => boxLabel(box, marked));
	listenToBoxes(svg);
	return marked;
}

// Around the culprit, above all boxes; beside it what it is, where it is too narrow to say so itself.
function drawMark(svg, box, width) {
	const flag = svg.append("g").attr({ class: "mark", transform: `translate(${box.x},${box.depth * BOX_HEIGHT})` });
	const isNamed = textWidth(boxName(box), 11, 700) <= box.width - 8;
	const text = isNamed ? markText() : fit(`${boxName(box)}  ${markText()}`, width - 16, 11, 700);
	const room = textWidth(text, 11, 700) + 2 * MARK_ROOM;

	flag.append("rect").attr({ class: "ring", x: 0, y: 0, height: BOX_HEIGHT - 1, rx: 1.5,
		width: Math.max(box.width - 1, 2) });
	if (isMarkInside(box)) {
		return;
	}
	const left = box.x + box.width + 2 + room <= width ? box.width + 2 : width - room - box.x;

	flag.append("rect").attr({ class: "flag", x: left, y: 0, width: room, height: BOX_HEIGHT - 1, rx: 3 });
	flag.append("text").attr({ x: left + MARK_ROOM, y: 13.5 }).text(text);
}

// Boxes may be thousands: the picture listens for them.
function listenToBoxes(svg) {
	const boxOf = ({ target }) => target.parentNode.__data__;

	svg.on("click", () => {
		const box = boxOf(d3.event);

		if (box && box.chain.length > 1) {
			openedStarts.add(box.chain[0].index);
			onChange({});
		} else if (box) {
			selectNode(box.node, { zoom: box.node.index });
		}
	});
	withTip(svg, () => {
		const box = boxOf(d3.event);

		return box ? boxTip(box) : "";
	});
}

// "blocked +563 ms, on a CPU −2.0 ms", the largest first.
function kindsText(timeOf, text) {
	return KINDS.map(({ id, name }) => ({ name, ns: Math.round(timeOf(id)) })).filter(({ ns }) => ns !== 0)
		.sort((a, b) => Math.abs(b.ns) - Math.abs(a.ns)).map(({ name, ns }) => `${name} ${text(ns)}`).join(", ");
}

function boxTip({ node, chain, isMarked }) {
	const { sums } = node;
	const [added, time] = [kindsText((kind) => addedSum(sums, kind), changeText),
		kindsText((kind) => kindSum(sums, "suspect", kind), timeText)];

	return (chain.length > 1 ? `${chain.map(({ fn }) => shorten(fn.name, 80)).join("\n")}\n` +
		"these only lead to what is below; click to see them\n" : `${nodeTip(node)}\n`) +
		`with what is below${state.idle ? "" : ", without waiting for work"}: ${pairText(sums.base, sums.suspect)}` +
		(D.base ? `\nadded: ${added || "nothing"}` : `\n${time}`) + (isMarked ? `\n${markText()}` : "");
}

function crumbs(top) {
	const bar = element("div", { id: "crumbs", class: "quiet" });
	const link = (text, zoom) => element("button", { class: "link", type: "button",
		onclick: () => set({ zoom }) }, text);
	const chain = chainOf(top);

	bar.append(link("all", -1));
	chain.slice(0, -1).forEach((node, i) => {
		if (i < 3 || i >= chain.length - 4) {
			bar.append(" \u203a ", link(shorten(node.fn.name, 28), node.index));
		} else if (i === 3) {
			bar.append(" \u203a \u2026");
		}
	});
	return bar;
}

function drawFlame() {
	const top = state.zoom >= 0 ? nodeAt(state.zoom) : null;
	const width = view.clientWidth - 2;
	const { boxes, all } = layOut(top, width);

	if (!(all > 0)) {
		showEmpty(top ? "Nothing of this is in what is shown; Esc goes back to everything." :
			`There is no ${TIME} to show.`);
		return;
	}
	const svg = newSvg(width, (d3.max(boxes, (box) => box.depth) + 1) * BOX_HEIGHT);
	const bar = top ? crumbs(top) : null;

	if (bar) {
		view.prepend(bar);
	}
	const marked = drawBoxes(svg, boxes);

	if (marked) {
		drawMark(svg, marked, width);
	}
	revealBox(boxes.find(({ node }) => state.node >= 0 && node === currentNode()) || marked,
		bar ? bar.offsetHeight : 0);
	flameLegend(top, all);
	hint("A box is a function; what it calls stands below it. " +
		`${marked && markText() === MARKS.sure ? "The culprit, \u25c0, is where to look first. " : ""}` +
		"Click a box to see it alone, Esc to go back. " +
		`${countText(boxes.length)} of ${countText(nodeCount)} contexts are wide enough to be drawn.`);
}

function revealBox(box, above) {
	if (box) {
		reveal(above + (box.depth - 1) * BOX_HEIGHT, above + (box.depth + 2) * BOX_HEIGHT);
	}
}

function flameLegend(top, all) {
	const { side } = FLAME_MODES[state.mode];
	const sums = top ? top.sums : sumsOf(roots);
	const isAdded = state.mode === "difference";
	const width = `Width: ${D.base ? `time ${side === "base" ? "before" : "now"}` : "time"}, ${timeText(all)} in all`;

	if (isAdded) {
		legend(width, "Colour: what was added", ...kindKeys((kind) => addedSum(sums, kind), changeText),
			[palette.less, LESS], [palette.rest, "as before"]);
	} else {
		legend(width, "Colour: what it was spent on", ...kindKeys((kind) => kindSum(sums, side, kind), timeText));
	}
}
