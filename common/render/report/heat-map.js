// SPDX-License-Identifier: MIT
//
// The heat map of the paper's Figure 7: a row for each ranked path, a cell for each of its
// functions, root first. The hottest one of a row is marked 0, the others by their distance from
// it; a frame marks the culprit, a line under the cells whose code they are.

const ROW_HEIGHT = 41;
const CELL_HEIGHT = 22;
const CELL_MOST = 30;
const LABEL_WIDTH = 350;
const LABEL_HEIGHT = 34;
// In a page that is narrower, a row's cells stand below its label, all of them in what there is.
const BESIDE_LEAST = 640;

// Where the cells of a row begin, and how wide each is.
function heatLayout() {
	const room = view.clientWidth - 20;
	const longest = d3.max(paths, (path) => path.frames.length) || 1;
	const isBeside = view.clientWidth >= BESIDE_LEAST;
	const left = isBeside ? LABEL_WIDTH : 4;
	const top = isBeside ? 0 : LABEL_HEIGHT;
	const fitting = Math.min(CELL_MOST, (room - left) / longest);
	const cellWidth = isBeside ? Math.max(14, Math.floor(fitting)) : fitting;

	return { left, top, cellWidth, rowHeight: ROW_HEIGHT + top, labelWidth: isBeside ? LABEL_WIDTH : room,
		width: Math.max(view.clientWidth - 16, left + longest * cellWidth + 4) };
}

function hottestOf(path) {
	let hottest = 0;

	path.frames.forEach((frame, i) => {
		const heat = Math.abs(heatOf(frame, state.colour));

		if (heat > Math.abs(heatOf(path.frames[hottest], state.colour))) {
			hottest = i;
		}
	});
	return hottest;
}

// Runs of cells of one module: [first, end).
function modulesOf(path) {
	const runs = [];

	path.frames.forEach((frame, i) => {
		const last = runs[runs.length - 1];

		if (last && last.name === frame.fn.module) {
			last.end = i + 1;
		} else {
			runs.push({ name: frame.fn.module, first: i, end: i + 1 });
		}
	});
	return runs;
}

function drawRowLabel(row, path, { labelWidth }) {
	const label = row.append("g").attr("class", path.unsure ? "unsure" : null);
	const detail = [D.base ? `${path.base} \u2192 ${path.suspect}` : null,
		path.why, path.each && `each ${path.each}`].filter(Boolean).join(" \u00b7 ");

	label.append("text").attr({ x: 26, y: 15, "text-anchor": "end", class: "quiet" })
		.text(`${path.unsure ? "~" : ""}${path.rank}`);
	label.append("text").attr({ x: 104, y: 15, "text-anchor": "end" })
		.attr("class", `cost ${D.base ? signClass(path.cost_ns) : ""}`).text(path.cost);
	label.append("text").attr({ x: 114, y: 15, class: "name" })
		.style("font-weight", path.unsure ? 400 : 600)
		.text(fit(path.name, labelWidth - 124, 12, 600));
	label.append("text").attr({ x: 114, y: 30, class: "small quiet" })
		.text(fit(detail, labelWidth - 124, 10));
}

// The number of a cell in which nothing happens is as quiet as the cell.
function numberColour(heat, most) {
	return shadeOf(heat, most) > 0 ? textOn(heatColour(heat, most)) : palette.quiet;
}

function drawCells(row, path, layout, most) {
	const { left, top, cellWidth } = layout;
	const inner = Math.max(cellWidth - 1, 1);
	const hottest = hottestOf(path);
	const hits = matchingNodes();
	const cells = row.selectAll(".cell").data(path.frames).enter().append("g")
		.attr("class", (node) => "cell" + (hits && hits.has(node.index) ? " hit" : "") +
			(node === currentNode() && path === currentPath() && state.node >= 0 ? " current" : ""))
		.attr("data-node", (node) => node.index)
		.attr("transform", (node, i) => `translate(${left + i * cellWidth},${top + 3})`)
		.on("click", (node) => {
			d3.event.stopPropagation();
			set({ path: path.rank, node: node.index });
		});

	cells.append("rect").attr({ width: inner, height: CELL_HEIGHT, rx: 1 })
		.attr("fill", (node) => heatColour(heatOf(node, state.colour), most));
	cells.append("text").attr({ x: inner / 2, y: 15 })
		.style("fill", (node) => numberColour(heatOf(node, state.colour), most))
		.text((node, i) => (cellWidth >= 13 ? Math.abs(i - hottest) : ""));
	cells.filter((node) => path.has_culprit && node === path.face).append("rect")
		.attr({ class: "ring", x: Math.min(1.5, inner / 4), y: 1.5, width: Math.max(inner - 3, 1),
			height: CELL_HEIGHT - 3, rx: Math.min(3, inner / 3) })
		.style("stroke", (node) => textOn(heatColour(heatOf(node, state.colour), most)));
	withTip(cells, (node) => `${nodeTip(node)}` +
		(path.has_culprit && node === path.face ? "\n\u25c0 culprit" : ""));
	drawModules(row, path, layout);
}

function drawModules(row, path, { left, top, cellWidth }) {
	const runs = row.selectAll(".run").data(modulesOf(path)).enter().append("g")
		.attr("class", "run")
		.attr("transform", (run) => `translate(${left + run.first * cellWidth},${top + 27})`);

	runs.append("rect").attr({ class: "module", height: 2 })
		.attr("width", (run) => Math.max((run.end - run.first) * cellWidth - 1, 1));
	runs.append("text").attr({ class: "small quiet", y: 11.5 })
		.text((run) => fitWhole(run.name, (run.end - run.first) * cellWidth - 6, 10));
}

function drawHeatMap() {
	if (paths.length === 0) {
		showEmpty("There is no path to show.");
		return;
	}
	const layout = heatLayout();
	const { rowHeight, width } = layout;
	const most = d3.max(paths, (path) =>
		d3.max(path.frames, (node) => Math.abs(heatOf(node, state.colour))) || 1) || 1;
	const svg = newSvg(width, paths.length * rowHeight + 2);
	const rows = svg.selectAll(".row").data(paths).enter().append("g")
		.attr("class", (path) => `row${path.rank === state.path ? " selected" : ""}`)
		.attr("data-path", (path) => path.rank)
		.attr("transform", (path, i) => `translate(0,${i * rowHeight + 1})`)
		.on("click", selectPath);

	rows.append("rect").attr({ class: "back", width: width - 1, height: rowHeight - 2, rx: 4, x: 0.5 });
	rows.each(function draw(path) {
		const row = d3.select(this);

		drawRowLabel(row, path, layout);
		drawCells(row, path, layout, most);
	});
	heatLegend(most);
	const selected = paths.indexOf(currentPath());

	if (selected >= 0) {
		reveal(selected * rowHeight, (selected + 1) * rowHeight);
	}
}

function heatLegend(most) {
	const unsure = paths.some((path) => path.unsure);
	const keys = [];

	for (let i = 0; i < MAGNITUDES; i += 1) {
		const value = most / 10 ** i;

		keys.push([heatColour(value, most), state.colour === "delta" ? changeText(Math.round(value)) :
			timeText(Math.round(value))]);
	}
	if (state.colour === "delta") {
		keys.push([heatColour(-most, most), changeText(-most)],
			[heatColour(-most / 100, most), changeText(-Math.round(most / 100))]);
	}
	legend(`Functions from the root to the leaf, by ${state.colour === "delta" ?
		"change of own" : "own"} ${TIME}:`, ...keys,
	"0 = hottest, other numbers: distance from it", "frame = culprit",
	...(unsure ? ["~ = may be chance"] : []));
}
