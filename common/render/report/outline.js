// SPDX-License-Identifier: MIT
//
// The tree of tree.js where it has no room beside itself: a row for each function, below its caller
// and further in, with a bar as long as the latency at and below it. What leads to the function that
// is looked at comes first, so that the root is seen above it; where it is not, its name stays there.

const OUTLINE_ROW = 34;
const OUTLINE_STEP = 12;
const OUTLINE_BAR = 140;

// What leads to the function that is looked at, before what lies beside it.
function putCurrentFirst(item) {
	const chain = new Set(currentNode() ? chainOf(currentNode()) : []);
	const leads = ({ type, node }) => (type !== "more" && chain.has(node) ? 1 : 0);

	(function sort(at) {
		at.children = (at.children || []).slice().sort((a, b) => leads(b) - leads(a));
		at.children.forEach(sort);
	})(item);
}

function placeRows(items) {
	items.forEach((item, i) => {
		item.left = OUTLINE_STEP * (item.depth + 1);
		item.x = i * OUTLINE_ROW;
		item.label = fit(item.name, Math.max(view.clientWidth - item.left - 24, 60), 12, 700);
		item.detail = pairText(item.sums.base, item.sums.suspect);
		item.labelWidth = textWidth(item.label, 12, 700) + 14;
	});
}

function drawSteps(svg, links, top) {
	svg.selectAll(".step").data(links).enter().append("path").attr("class", "step")
		.attr("d", ({ source, target }) =>
			`M${source.left - 3},${source.x - top + 5}V${target.x - top}H${target.left - 7}`);
}

// What both have in grey, and behind it what one has more.
function drawOutlineBars(groups, items) {
	const most = d3.max(items, ({ sums }) => Math.max(sums.suspect, sums.base)) || 1;
	const scale = d3.scale.linear().domain([0, most]).range([0, Math.min(OUTLINE_BAR, view.clientWidth / 3)]);
	const common = ({ sums }) => scale(D.base ? Math.min(sums.suspect, sums.base) : sums.suspect);
	const bar = (begin, width, colour) => groups.append("rect").attr({ y: 15, height: 3 })
		.attr("x", (item) => 5 + begin(item)).attr("width", width).attr("fill", colour);

	bar(() => 0, common, palette["rest-strong"]);
	if (D.base) {
		bar(common, ({ sums }) => scale(Math.abs(sums.suspect - sums.base)), ({ sums }) => changeColour(sums));
	}
}

// Where the root has been scrolled away.
function keepRoot(root, top) {
	if (view.scrollTop <= root.x - top) {
		return;
	}
	view.prepend(element("button", { class: "link kept", type: "button",
		onclick: () => view.scrollTo(0, 0) }, `${root.label} \u2026`));
}
