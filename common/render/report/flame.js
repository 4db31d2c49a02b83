// SPDX-License-Identifier: MIT
//
// The calling context tree as an icicle: a box is as wide as the own latencies at and below its
// function. "difference" lays both workloads over each other: the width is what either has, and
// inside a box lies what both have, what the suspect has more, and what it has less, each as wide
// as it is; increase and decrease below one function do not cancel out.

const BOX_HEIGHT = 19;
const BOX_LEAST = 2;

const FLAME_MODES = {
	suspect: { name: () => headOf("suspect"), key: "s", width: "suspect" },
	base: { name: () => headOf("base"), key: "b", width: "base" },
	difference: { name: () => "Difference", key: "d", width: "both" },
};

// Boxes from `top` (a node, or null for all processes), those that are too narrow left out.
function layOut(top, pixels) {
	const widths = sumArrays[FLAME_MODES[state.mode].width];
	const all = top ? widths[top.index] : d3.sum(roots, ({ index }) => widths[index]);
	const scale = d3.scale.linear().domain([0, all || 1]).range([0, pixels]);
	const boxes = [];

	// Most are too narrow: these stay what they are in the columns of the tree.
	function place(indices, begin, depth) {
		for (const index of indices) {
			const width = scale(widths[index]);

			if (width >= BOX_LEAST) {
				const node = nodeAt(index);

				boxes.push({ node, x: scale(begin), width, depth });
				place(node.childIndices, begin, depth + 1);
			}
			begin += widths[index];
		}
	}
	place(top ? [top.index] : roots.map(({ index }) => index), 0, 0);
	return { boxes, scale, all };
}

// How much of a box is more or less than in the other workload, as one colour; where there is no
// other, how much of it is the function's own.
function boxColour({ node }) {
	const { sums } = node;
	const mix = (to, part) => d3.interpolateRgb(palette.rest, to)(Math.max(0, Math.min(part || 0, 1)));

	if (!D.base) {
		const below = d3.sum(node.childIndices, (child) => sumArrays.suspect[child]);

		return mix(palette["slower-soft"], (sums.suspect - below) / sums.suspect);
	}
	return state.mode === "base" ? mix(palette["faster-soft"], sums.less / sums.base) :
		mix(palette["slower-soft"], sums.more / sums.suspect);
}

function drawBoxes(svg, boxes, scale) {
	const hits = matchingNodes();
	const current = currentNode();
	const groups = svg.selectAll(".box").data(boxes).enter().append("g")
		.attr("class", (box) => "box" + (hits && hits.has(box.node.index) ? " hit" : "") +
			(box.node === current ? " current" : ""))
		.attr("data-node", (box) => box.node.index)
		.attr("transform", (box) => `translate(${box.x},${box.depth * BOX_HEIGHT})`);

	groups.append("rect").attr({ class: "frame", height: BOX_HEIGHT - 1 })
		.attr("width", (box) => box.width)
		.attr("fill", (box) => (state.mode === "difference" ? palette.rest : boxColour(box)));
	if (state.mode === "difference") {
		drawParts(groups, scale);
	}
	groups.filter((box) => box.width > 24).append("text").attr({ x: 4, y: 13 })
		.text((box) => fit(box.node.fn.name, box.width - 8, 11));
	listenToBoxes(svg);
}

// Boxes may be thousands: the picture listens for them.
function listenToBoxes(svg) {
	const boxOf = ({ target }) => target.parentNode.__data__;

	svg.on("click", () => {
		const box = boxOf(d3.event);

		if (box) {
			selectNode(box.node, { zoom: box.node.index });
		}
	});
	withTip(svg, () => {
		const box = boxOf(d3.event);

		return box ? boxTip(box) : "";
	});
}

// At the right end of a box: what the suspect has more, and before it what it has less.
function drawParts(groups, scale) {
	const part = (key, colour, end) => groups
		.filter((box) => scale(box.node.sums[key]) >= 0.5)
		.append("rect").attr({ class: `part ${key}`, height: BOX_HEIGHT - 1, fill: palette[colour] })
		.attr("width", (box) => scale(box.node.sums[key]))
		.attr("x", (box) => box.width - scale(box.node.sums[key]) - scale(end(box.node.sums)));

	part("more", "slower-soft", () => 0);
	part("less", "faster-soft", (sums) => sums.more);
}

function boxTip({ node }) {
	const { more, less, suspect, base } = node.sums;

	return `${nodeTip(node)}\nwith what is below${state.idle ? "" : ", without waiting for work"}: ` +
		pairText(base, suspect) +
		(D.base ? `\nmore ${changeText(more)}, less ${changeText(-less)}` : "");
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
	const { boxes, scale, all } = layOut(top, view.clientWidth - 18);

	if (!(all > 0)) {
		showEmpty(top ? "Nothing of this is in what is shown; Esc goes back to everything." :
			`There is no ${TIME} to show.`);
		return;
	}
	const svg = newSvg(view.clientWidth - 16, (d3.max(boxes, (box) => box.depth) + 1) * BOX_HEIGHT);

	if (top) {
		view.prepend(crumbs(top));
	}
	drawBoxes(svg, boxes, scale);
	flameLegend(all, boxes.length);
}

function flameLegend(all, drawn) {
	const parts = state.mode === "difference" ?
		[[palette.rest, "in both"], [palette["slower-soft"], `more in ${headOf("suspect")}`],
			[palette["faster-soft"], `less in ${headOf("suspect")}`]] :
		D.base ? [[state.mode === "base" ? palette["faster-soft"] : palette["slower-soft"],
			`what ${headOf(state.mode === "base" ? "suspect" : "base")} has not`]] :
			[[palette["slower-soft"], "the function's own"]];

	legend(`Width: own ${D.has_latencies ? "latencies" : TIME} at and below a function, ${timeText(all)} in all`, ...parts,
		`${countText(drawn)} of ${countText(nodeCount)} contexts are wide enough to be drawn; ` +
		"click to zoom, Esc to go back");
}
