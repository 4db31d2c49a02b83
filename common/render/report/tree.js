// SPDX-License-Identifier: MIT
//
// The PA-CCT of the paper's Figures 5 and 6: both workloads laid over each other, edges as wide as
// latencies. It starts with the ranked paths; frames between which nothing happens are one step,
// and what lies beside is one "more" node, and both open with a click. Root and culprit are seen at
// once; where there is no room for that, it is drawn as an outline (outline.js).

const TREE_ROW = 38;
const TREE_NAME = 210;
const TREE_GAP = 48;
const EDGE_MOST = 16;
const OPENED_AT_ONCE = 8;
const VARIANTS_SHOWN = 8;

// Indices of nodes that are shown besides those of the ranked paths; chains that are open.
const opened = new Set();
const unfolded = new Set();

// Culprits of the paths that are drawn, in all contexts.
const culprits = new Set(tellingPaths.filter((path) => path.has_culprit).flatMap((path) =>
	[path.face, ...path.variants.map(([index]) => nodeAt(index))]));

function shownNodes() {
	const shown = new Set();

	for (const path of tellingPaths) {
		chainOf(path.frames[path.frames.length - 1]).forEach((node) => shown.add(node));
		path.variants.slice(0, VARIANTS_SHOWN).forEach(([index]) =>
			chainOf(nodeAt(index)).forEach((node) => shown.add(node)));
	}
	if (currentNode()) {
		chainOf(currentNode()).forEach((node) => shown.add(node));
	}
	opened.forEach((index) => chainOf(nodeAt(index)).forEach((node) => shown.add(node)));
	return shown;
}

// A function that a person wants to see, and not only pass.
function isStop(node, shown) {
	const children = node.children.filter((child) => shown.has(child));
	const parent = nodeAt(node.parent);

	return !parent || children.length !== 1 || unfolded.has(node.index) || opened.has(node.index) ||
		node === currentNode() || culprits.has(node) ||
		node.fn.module !== parent.fn.module;
}

// What d3.layout.tree() lays out: nodes, steps over several frames, and what is left out.
function treeItem(node, shown) {
	const passed = [];

	while (!isStop(node, shown)) {
		passed.push(node);
		node = node.children.find((child) => shown.has(child));
	}
	const beside = node.children.filter((child) => !shown.has(child) && child.sums.both > 0);
	const item = { type: "node", node, sums: node.sums, name: node.fn.name };

	item.children = node.children.filter((child) => shown.has(child))
		.map((child) => treeItem(child, shown));
	if (beside.length) {
		item.children.push({ type: "more", node, beside, sums: sumsOf(beside),
			name: `${countText(beside.length)} more` });
	}
	if (passed.length === 0) {
		return item;
	}
	return { type: "passed", node: passed[0], passed, sums: node.sums, children: [item],
		name: `\u2026 ${plural(passed.length, "frame")}` };
}

function openItem(item) {
	if (item.type === "more") {
		item.beside.slice(0, OPENED_AT_ONCE).forEach((node) => opened.add(node.index));
		drawTree(true);
	} else if (item.type === "passed") {
		item.passed.forEach((node) => unfolded.add(node.index));
		drawTree(true);
	} else if (item.node.parent >= 0) {
		selectNode(item.node);
	}
}

// Columns are as wide as their longest name, so that names never meet edges.
function placeColumns(items) {
	const columnWidths = [];

	for (const item of items) {
		item.label = fit(item.name, TREE_NAME, 12, 700);
		item.detail = pairText(item.sums.base, item.sums.suspect);
		item.labelWidth = Math.max(textWidth(item.label, 12, 700), textWidth(item.detail, 10)) + 14;
		columnWidths[item.depth] = Math.max(columnWidths[item.depth] || 0, item.labelWidth);
	}
	const left = [0];

	columnWidths.forEach((width, depth) => left.push(left[depth] + width + TREE_GAP));
	items.forEach((item) => {
		item.left = left[item.depth] + 12;
	});
	return left[left.length - 1];
}

// Where at its source each edge begins, so that they lie side by side there.
function stackEdges(links, width) {
	const used = new Map();

	for (const link of links) {
		const begin = used.get(link.source) || 0;

		link.begin = begin;
		used.set(link.source, begin + width(link.target.sums));
	}
	for (const link of links) {
		link.begin -= used.get(link.source) / 2;
	}
}

// A ribbon from `source` to `target`, from `begin` on in an edge that is `whole` wide.
function ribbon({ source, target, begin }, top, whole, from, width, colour) {
	const [x0, x1] = [source.left + source.labelWidth, target.left - 8];
	const middle = (x0 + x1) / 2;
	const y0 = source.x - top + begin + from + width / 2;
	const y1 = target.x - top - whole / 2 + from + width / 2;

	return { d: `M${x0},${y0}C${middle},${y0} ${middle},${y1} ${x1},${y1}`,
		width: Math.max(width, 0.7), colour };
}

// Two ribbons side by side: what both have in grey, and what one has more.
function drawEdges(svg, links, top) {
	const most = d3.max(links, ({ target }) => Math.max(target.sums.suspect, target.sums.base)) || 1;
	const scale = d3.scale.linear().domain([0, most]).range([0, EDGE_MOST]);
	const common = (sums) => scale(D.base ? Math.min(sums.suspect, sums.base) : sums.suspect);
	const change = (sums) => (D.base ? scale(Math.abs(sums.suspect - sums.base)) : 0);
	const edges = [];

	stackEdges(links, (sums) => common(sums) + change(sums));
	for (const link of links) {
		const { sums } = link.target;
		const whole = common(sums) + change(sums);

		edges.push(ribbon(link, top, whole, 0, common(sums), palette["rest-strong"]));
		if (change(sums) > 0.3) {
			edges.push(ribbon(link, top, whole, common(sums), change(sums),
				changeColour(sums)));
		}
	}
	svg.selectAll(".edge").data(edges).enter().append("path").attr("class", "edge")
		.attr("d", (edge) => edge.d)
		.style("stroke", (edge) => edge.colour).style("stroke-width", (edge) => edge.width);
}

function drawItems(svg, items, top, isOutline) {
	const hits = matchingNodes();
	const groups = svg.selectAll(".node").data(items).enter().append("g")
		.attr("class", ({ type, node }) => `node ${type}` +
			(type === "node" && node === currentNode() ? " current" : "") +
			(type === "node" && hits && hits.has(node.index) ? " hit" : "") +
			(type === "node" && culprits.has(node) ? " culprit" : ""))
		.attr("data-node", (item) => item.node.index)
		.attr("transform", (item) => `translate(${item.left},${item.x - top})`)
		.on("click", openItem);

	groups.append("circle").attr({ r: 3.5, cx: -3 });
	groups.append("text").attr("class", (item) => (item.type === "node" ? "name" : "name quiet"))
		.attr({ x: 5, y: 0 }).text((item) => item.label);
	groups.append("text").attr({ class: "small quiet", x: 5, y: 12 }).text((item) => item.detail);
	if (isOutline) {
		drawOutlineBars(groups, items);
	}
	withTip(groups, (item) => (item.type === "node" ? nodeTip(item.node) :
		item.type === "more" ? `${item.name} callees of ${shorten(item.node.fn.name, 80)}: click to open` :
			`${item.passed.map((node) => shorten(node.fn.name, 60)).join("\n")}\nclick to open`));
}

const currentItem = (items) => items.find(({ type, node }) => type === "node" && node === currentNode());

// How high the view may become.
const viewHeight = () => parseFloat(getComputedStyle(view).maxHeight) || Infinity;

// Whether the root and the function that is looked at are seen at once.
function fitsView(items) {
	const item = currentItem(items) || items[0];

	return item.left + item.labelWidth <= view.clientWidth &&
		Math.abs(item.x - items[0].x) + 2 * TREE_ROW <= viewHeight();
}

// The function that is looked at, with the root if there is room.
function revealCurrent(items, top) {
	const [root] = items;
	const item = currentItem(items);

	if (item) {
		reveal(Math.min(item.x, root.x) - top - TREE_ROW / 2, Math.max(item.x, root.x) - top + TREE_ROW / 2,
			0, item.left + item.labelWidth + TREE_GAP);
		reveal(item.x - top - 2 * TREE_ROW, item.x - top + TREE_ROW);
	}
}

function topItem() {
	const shown = shownNodes();
	const top = { type: "all", name: "all", node: roots[0], sums: sumsOf(roots),
		children: roots.filter((root) => shown.has(root)).map((root) => treeItem(root, shown)) };

	return top.children.length === 1 ? top.children[0] : top;
}

// Items with their places, and the width of all.
function placeItems(start) {
	const layout = d3.layout.tree().nodeSize([TREE_ROW, 1]).separation(() => 1);
	const items = layout.nodes(start);
	const width = placeColumns(items);

	if (fitsView(items)) {
		return { items, links: layout.links(items), width, isOutline: false };
	}
	putCurrentFirst(start);
	const rows = layout.nodes(start);

	placeRows(rows);
	return { items: rows, links: layout.links(rows), isOutline: true,
		width: d3.max(rows, (item) => item.left + item.labelWidth) };
}

function treeLegend(isOutline) {
	legend(`${isOutline ? "Bar" : "Width"}: ${TIME} at and below a function`,
		...(D.base ? [[palette["rest-strong"], "as before"], "what was added:",
			...knownKindKeys(), [palette.less, LESS]] : []),
		"bold = culprit");
	hint("Click \u201cmore\u201d or \u201c\u2026 frames\u201d to open them.");
}

// Shows the function that is looked at; `stays`: or what is seen now.
function drawTree(stays = false) {
	if (tellingPaths.length === 0) {
		showEmpty("There is no path to show.");
		return;
	}
	const { items, links, width, isOutline } = placeItems(topItem());
	const least = d3.min(items, (item) => item.x) - TREE_ROW * 0.7;
	const svg = newSvg(Math.max(width, view.clientWidth - 16),
		d3.max(items, (item) => item.x) - least + TREE_ROW);

	(isOutline ? drawSteps : drawEdges)(svg, links, least);
	drawItems(svg, items, least, isOutline);
	if (!stays) {
		revealCurrent(items, least);
		keepRoot(items[0], least);
	}
	treeLegend(isOutline);
}
