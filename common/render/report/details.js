// SPDX-License-Identifier: MIT
//
// All there is to say about the selected path and the function that is looked at in it.

const details = document.getElementById("details");
const CHART_HEIGHT = 150;
// A chart is as wide as a column of what stands beside the table, or below it.
const BESIDE_MOST = 420;

// ---- Functions ----

// From the root to where the path ends; of a node beside all ranked paths, to the node.
function framesShown() {
	const path = currentPath();
	const node = currentNode();

	if (path && (state.node < 0 || path.frames.includes(node))) {
		return path.frames;
	}
	return node ? chainOf(node).slice(1) : [];
}

// "−0.1 % to +0.1 %": how far the bounds are from the estimate.
function boundsText({ total, lower, upper }) {
	const part = (bound) => {
		const share = (bound - total) / total;

		return Math.abs(share) < 0.0005 ? "0\u00a0%" :
			(share < 0 ? MINUS : "+") + shareText(Math.abs(share), 1);
	};

	return total > 0 && lower !== null ? `${part(lower)} to ${part(upper)}` : "\u2013";
}

function usesOf({ cpu, blocked, runnable, total }) {
	return [["cpu", "on a CPU", cpu], ["blocked", "blocked", blocked], ["waiting", "waiting for a CPU", runnable],
		["unknown", "not known", total - cpu - blocked - runnable]]
		.map(([key, name, ns]) => ({ key, name, ns, share: total > 0 ? ns / total : 0 }));
}

const usesText = (stats) => usesOf(stats).filter(({ key, share }) => key !== "unknown" || share > 0.005)
	.map(({ name, ns }) => `${name} ${shareText(ns, stats.total)}`).join(", ");

function usesBar(stats) {
	return element("span", { class: "uses", title: usesText(stats) },
		...usesOf(stats).map(({ key, share }) =>
			element("i", { class: key, style: `width:${Math.max(0, Math.min(100, share * 100))}%` })));
}

const eachText = ({ count, total, hasUnseen }) =>
	(!count ? "\u2013" : hasUnseen ? "n/a" : timeText(Math.round(total / count)));
// What a single column tells, of the suspect or of what only the base has.
const mainStats = (node) => (node.suspect.count || node.suspect.total > 0 ? node.suspect : node.base);

const FRAME_COLUMNS = [
	["Function", (node) => node.fn.name],
	["Module", (node) => node.fn.module],
	["\u0394 own", (node) => changeText(node.suspect.own - node.base.own), "base"],
	["Own", (node) => pairText(node.base.own, node.suspect.own)],
	["Total", (node) => pairText(node.base.total, node.suspect.total)],
	["Bounds", (node) => boundsText(mainStats(node)), "latencies"],
	["Calls", (node) => pairText(node.base, node.suspect, callsText), "latencies"],
	["Each", (node) => pairText(node.base, node.suspect, eachText), "latencies"],
	["Ticks", (node) => pairText(node.base, node.suspect, ({ samples }) => knownText(samples)), "ticks"],
];

// What a column needs, by its third element.
const IS_THERE = { base: Boolean(D.base), latencies: D.has_latencies, ticks: !D.has_latencies };

const frameColumns = () => FRAME_COLUMNS.filter(([, , needs]) => !needs || IS_THERE[needs]);

// Folded parts of paths that a click has opened.
const openFolds = new Set();

// The functions of a path as one reads them: the culprit, who called it, out to where the thread begins, and
// what it calls. What only leads from there to the program's own functions is folded, and so is what stands
// behind the culprit, until one of them is looked at.
function frameGroups(frames, path) {
	const face = path && path.face ? frames.indexOf(path.face) : -1;
	const at = face >= 0 ? face : frames.length - 1;
	const starts = startLength(frames, at);
	const start = starts > 1 ? starts : 0;
	const behind = frames.slice(at + 1);
	const group = (name, nodes, folded) => ({ name, nodes, folded,
		isOpen: openFolds.has(name) || folded.includes(currentNode()) });

	return [group("", frames.slice(at, at + 1), []),
		group("called by", frames.slice(start, at).reverse(), frames.slice(0, start).reverse()),
		group("calls", behind.length > 2 ? [] : behind, behind.length > 2 ? behind : [])]
		.filter(({ nodes, folded }) => nodes.length + folded.length > 0);
}

// Which numbers of a cell a test, or a person with a debugger, may want to the nanosecond.
const NS_OF = {
	"\u0394 own": (node) => node.suspect.own - node.base.own,
	Own: (node) => node.suspect.own,
	Total: (node) => node.suspect.total,
};

function frameRow(node, path, isHidden) {
	const isCulprit = path && path.has_culprit && path.face === node;
	const row = element("tr", { "data-node": node.index, hidden: isHidden ? "" : null,
		class: [node === currentNode() ? "current" : "", isCulprit ? "culprit" : ""].join(" ").trim(),
		onclick: () => selectNode(node) });

	frameColumns().forEach(([head, text], i) => {
		const cell = element("td", { class: head === "Module" ? "left" : null,
			"data-head": i > 0 ? head : null, title: i < 2 ? shorten(text(node), 2000) : null },
		shorten(text(node), 200) + (i === 0 && isCulprit ? " \u25c0" : ""));

		if (head === "\u0394 own") {
			cell.classList.add(signClass(NS_OF[head](node)));
		}
		if (NS_OF[head]) {
			cell.dataset.ns = NS_OF[head](node);
		}
		row.append(cell);
	});
	if (D.has_latencies) {
		row.append(element("td", { class: "use", "data-head": "Use" }, usesBar(mainStats(node))));
	}
	return row;
}

// "\u25b8 _start … main, 4 functions", with what they have themselves.
function foldRow({ name, folded, isOpen }) {
	const outermost = name === "calls" ? folded : folded.slice().reverse();
	const [first, last] = [outermost[0], outermost[folded.length - 1]].map(({ fn }) => shorten(fn.name, 60));
	const own = (side) => d3.sum(folded, (node) => node[side].own);
	const text = { "\u0394 own": () => changeText(own("suspect") - own("base")),
		Own: () => pairText(own("base"), own("suspect")) };

	return element("tr", { class: "fold", onclick: () => {
		openFolds[isOpen ? "delete" : "add"](name);
		drawDetails();
	} }, ...frameColumns().map(([head], i) => (i === 0 ?
		element("td", {}, element("button", { type: "button", class: "link", "aria-expanded": String(isOpen) },
			`${isOpen ? "\u25be" : "\u25b8"} ${first} \u2026 ${last}`), ` \u00b7 ${plural(folded.length, "function")}`) :
		text[head] ? element("td", { "data-head": head }, text[head]()) : element("td", {}))),
	...(D.has_latencies ? [element("td", {})] : []));
}

function groupRows(group, path) {
	const { name, nodes, folded, isOpen } = group;

	const head = element("tr", { class: "part" }, element("th", { colspan: frameColumns().length + 1 }, name));

	return [...(name ? [head] : []),
		...nodes.map((node) => frameRow(node, path, false)), ...(folded.length ? [foldRow(group)] : []),
		...folded.map((node) => frameRow(node, path, !isOpen))];
}

function framesTable(frames, path) {
	const head = element("tr", {}, ...frameColumns().map(([name]) =>
		element("th", { class: name === "Module" ? "left" : null }, name)),
	...(D.has_latencies ? [element("th", { title: "CPU, blocked, waiting for a CPU" }, "Use")] : []));

	return element("div", { class: "scroll", role: "region", "aria-label": "Functions", tabindex: 0 },
		element("table", { id: "frames" },
			element("thead", {}, head),
			...frameGroups(frames, path).map((group) => element("tbody", {}, ...groupRows(group, path)))));
}

// ---- Distribution ----

// [{ bucket, base, suspect }] over all buckets between the first and the last.
function bucketsOf(node) {
	const counts = {};

	for (const side of sides) {
		const { histogram } = node[side];

		for (let i = 0; i < histogram.length; i += 2) {
			counts[histogram[i]] = { ...counts[histogram[i]], [side]: histogram[i + 1] };
		}
	}
	const used = Object.keys(counts).map(Number);

	return used.length === 0 ? [] : d3.range(Math.min(...used), Math.max(...used) + 1)
		.map((bucket) => ({ bucket, base: 0, suspect: 0, ...counts[bucket] }));
}

const bucketBegin = (bucket) => (bucket === 0 ? 0 : 2 ** (bucket - 1));

// The bucket in which a part of the calls ends: what a histogram knows of a quantile.
function quantileText(stats, part) {
	const all = d3.sum(stats.histogram.filter((_, i) => i % 2 === 1));
	let seen = 0;

	for (let i = 0; i < stats.histogram.length; i += 2) {
		seen += stats.histogram[i + 1];
		if (seen >= part * all) {
			const begin = timeText(Math.max(bucketBegin(stats.histogram[i]), stats.min));
			const end = timeText(Math.min(bucketBegin(stats.histogram[i] + 1), stats.max));

			return begin === end ? begin : `${begin} to ${end}`;
		}
	}
	return "\u2013";
}

function spreadText(stats) {
	if (stats.count === 0) {
		return "no calls";
	}
	return `min ${timeText(stats.min)} \u00b7 median ${quantileText(stats, 0.5)} \u00b7 ` +
		`p99 ${quantileText(stats, 0.99)} \u00b7 max ${timeText(stats.max)}`;
}

function drawDistribution(holder, node, width) {
	const buckets = bucketsOf(node);
	const most = d3.max(buckets, ({ base, suspect }) => Math.max(base, suspect));

	if (!most) {
		holder.append(element("p", { class: "quiet" }, "No call was seen from its begin to its end."));
		return;
	}
	const left = 44;
	const bottom = CHART_HEIGHT - 22;
	const x = d3.scale.linear().domain([0, buckets.length]).range([left, width - 16]);
	const y = d3.scale.log().domain([0.5, most * 1.15]).range([bottom, 8]);
	const svg = d3.select(holder).append("svg").attr({ class: "distribution", width, height: CHART_HEIGHT });
	const powers = d3.range(0, Math.ceil(Math.log10(most + 1))).map((i) => 10 ** i);

	svg.append("g").attr("class", "axis").attr("transform", `translate(${left},0)`)
		.call(d3.svg.axis().scale(y).orient("left").tickValues(powers).tickSize(-(width - left - 16), 0)
			.tickFormat(countText));
	const every = Math.ceil(52 / (x(1) - x(0)));

	svg.append("g").attr("class", "axis").attr("transform", `translate(0,${bottom})`)
		.call(d3.svg.axis().scale(x).orient("bottom").tickValues(
			d3.range(0, buckets.length + 1, every)).tickSize(4, 0)
			.tickFormat((i) => timeText(bucketBegin(buckets[0].bucket + i))));
	drawBuckets(svg, buckets, x, y, bottom);
}

// Bars side by side in the width of a bucket.
function drawBuckets(svg, buckets, x, y, bottom) {
	const bar = (x(1) - x(0) - 2) / sides.length;

	sides.forEach((side, i) => {
		withTip(svg.selectAll(`.${side}`).data(buckets.map((bucket, at) => ({ ...bucket, at }))
			.filter((bucket) => bucket[side] > 0)).enter().append("rect").attr("class", side)
			.attr("x", ({ at }) => x(at) + 1 + i * bar).attr("width", Math.max(bar - 0.5, 1))
			.attr("y", (bucket) => y(bucket[side])).attr("height", (bucket) => bottom - y(bucket[side]))
			.attr("fill", sideShade(side)),
		({ bucket, [side]: count }) => `${timeText(bucketBegin(bucket))} to ` +
			`${timeText(bucketBegin(bucket + 1))}: ${plural(count, "call")} in ${headOf(side)}`);
	});
}

// How long the calls of a side took, and how they spent it.
function callsOf(side, node) {
	const key = element("i", { class: "key", style: `display:inline-block;width:10px;height:10px;` +
		`margin-right:6px;background:${sideShade(side)}` });
	const lines = [element("div", { class: "quiet small" }, key, `${headOf(side)}: ${spreadText(node[side])}`)];

	if (node[side].total > 0) {
		lines.push(element("div", { class: "quiet small" }, usesBar(node[side]), ` ${usesText(node[side])}`));
	}
	return lines;
}

const NOT_KEPT = `Of the ${countText(nodeCount)} contexts, the ${countText(keptCount)} with most time have their ` +
	"calls in this page; this one has its time only.";

function distribution(node, width) {
	const holder = element("div", { id: "distribution" },
		element("h3", {}, `${D.has_latencies ? "Latency of the calls" : "CPU time"} of ` +
			`${shorten(node.fn.name, 60)} in this context`));

	if (!isKept(node.index)) {
		holder.append(element("p", { class: "quiet" }, NOT_KEPT));
		return holder;
	}
	if (D.has_latencies) {
		drawDistribution(holder, node, width);
	}
	for (const side of sides) {
		holder.append(...(D.has_latencies ? callsOf(side, node) : []));
		if (D[side].has_ticks && node[side].ownCpu > 0) {
			holder.append(element("div", { class: "quiet small ticks" },
				`${D.has_latencies ? "" : `${headOf(side)}: `}${ownCpuText(node[side])}`));
		}
	}
	return holder;
}

// How well ticks tell it: two standard deviations, as in the text.
const ownCpuText = ({ ownCpu, deviation, samples }) =>
	`own CPU ${timeText(ownCpu)} \u00b1 ${timeText(Math.round(2 * deviation))}, ${plural(samples, "tick")}`;

// ---- Slowest calls, wakers, variants ----

function slowest(node, width) {
	const rows = sides.filter((side) => slowOf(node, side).length)
		.map((side) => ({ label: headOf(side), calls: slowOf(node, side), onclick: () => {} }));

	if (rows.length === 0) {
		return "";
	}
	const holder = element("div", { id: "slowest" }, element("h3", {}, "Slowest calls"));
	const side = slowOf(node, "suspect").length ? "suspect" : "base";
	const calls = slowOf(node, side);

	drawTimeline(holder, rows, width);
	if (D.base) {
		holder.append(element("div", { class: "quiet small" }, `${headOf(side)}:`));
	}
	holder.append(element("ul", { class: "list" }, ...calls.slice(0, 5).map((call) =>
		element("li", {}, `${timeText(call.latency)} after ${timeText(call.begin)}: ${stampText(call)}, ` +
			`thread ${call.tid}${runText(call)}`))));
	return holder;
}

function wakersList(path) {
	// Who ended the rest of what it was blocked is not recorded.
	const all = Math.max(d3.sum(path.wakers, (waker) => waker[3]), path.delta[3]);
	const items = path.wakers.slice(0, 5).map(([process, fn, count, ns]) => {
		const place = shorten(functions[process].name.replace(/^kernel:(.*)/, "the kernel ($1)"), 80);

		return element("li", {}, `${fn === null ? "" : `${shorten(functions[fn].name, 80)} in `}` +
			`${place}: ${timeText(ns)} (${shareText(ns, all)}), ${plural(count, "wakeup")}`);
	});

	return items.length ? element("div", {}, element("h3", {}, "Ended the waiting"),
		element("ul", { class: "list" }, ...items)) : "";
}

// Each line is about what the one before waited for.
function heldUpList(path) {
	if (!path.held_up) {
		return "";
	}
	const [title, ...lines] = path.held_up;

	return element("div", {}, element("h3", {}, title.replace(/:$/, "")),
		element("ul", { class: "list" }, ...lines.map((line) => element("li", {}, line))));
}

// "main \u203a \u2026 \u203a handle_cart": the functions on the way to each context, of the program's own if
// there are such, that are not on the way to all of them.
function waysTo(contexts) {
	const chains = contexts.map((node) => chainOf(node).map(({ fn }) => fn));
	const isTelling = (fn) => chains.some((chain) => !chain.includes(fn));

	return chains.map((chain) => {
		const telling = chain.filter(isTelling);
		const own = telling.filter((fn) => fn.kind === "program");
		const names = (own.length ? own : telling).map((fn) => shorten(fn.name, 60));

		return names.length > 2 ? [names[0], "\u2026", names[names.length - 1]].join(" \u203a ") :
			names.join(" \u203a ") || "directly";
	});
}

function variantsList(path) {
	const variants = path.variants.filter(([index]) => index !== null).slice(0, 8);
	const ways = waysTo(variants.map(([index]) => nodeAt(index)));
	const items = variants.map(([index, suspect, base], i) => element("li", {},
		element("button", { class: "link", type: "button",
			onclick: () => set({ path: path.rank, node: index }) }, ways[i]),
		` ${pairText(base, suspect)}`));

	return items.length > 1 ? element("div", {}, element("h3", {},
		`${plural(path.variants.length, "context")} of the culprit`),
	element("ul", { class: "list" }, ...items)) : "";
}

// ---- The whole ----

function pathHead(path, node) {
	const name = (path && state.node < 0 ? path.face : node) || { fn: path.process };
	const title = path ? `Path ${path.rank}: ${shorten(path.name, 200)}` :
		`Beside the ranked paths: ${shorten(name.fn.name, 200)}`;
	const process = node ? chainOf(node)[0].fn.name : path.process.name;

	return element("div", { class: "head" }, element("h2", {}, title),
		element("span", { class: "quiet" }, `in ${shorten(process, 80)}` +
			(path && path.unsure ? " \u00b7 may be chance" : "")),
		element("button", { type: "button", id: "copy", onclick: copyPath }, "Copy as text",
			element("kbd", {}, "c")));
}

function pathNumbers(path) {
	const number = (name, text, kind = "") => element("li", {}, `${name} `,
		element("b", { class: kind }, text));

	return element("ul", { class: "numbers" },
		number(D.base ? "\u0394 cost" : "cost", path.cost, D.base ? signClass(path.cost_ns) : ""),
		...(D.base ? [number(headOf("base"), path.base), number(headOf("suspect"), path.suspect)] :
			[number("share", path.share)]),
		...(D.has_latencies ? [number("calls", (knownCalls(path) || path.calls).replace(/\u00a0calls?/, "")),
			number("each", path.each), number("why", path.why)] : []));
}

function drawDetails() {
	const path = currentPath();
	const node = currentNode();

	details.textContent = "";
	if (!path && !node) {
		return;
	}
	details.append(pathHead(path, node));
	if (path) {
		details.append(pathNumbers(path));
		if (path.notes) {
			details.append(element("p", {}, path.notes));
		}
	}
	if (!framesShown().every(isRead)) {
		details.append(element("p", { class: "quiet" }, isEndReached ? DAMAGED : "Reading \u2026"));
		if (!isEndReached) {
			othersRead.then(drawDetails);
		}
		return;
	}
	const left = element("div", {}, framesTable(framesShown(), path));
	const right = element("div", { class: "beside" });

	details.append(element("div", { class: "columns" }, left, right));
	if (node) {
		const width = Math.min(right.clientWidth, BESIDE_MOST) - 4;

		right.append(distribution(node, width), slowest(node, width));
	}
	if (path) {
		right.append(heldUpList(path), variantsList(path), wakersList(path));
	}
	if (path) {
		details.append(sourceList(path));
	}
	details.querySelectorAll(".numbers, .head + .numbers + p, thead").forEach(explainWords);
	const current = left.querySelector("tr.current");

	if (current) {
		left.firstChild.scrollTop = current.offsetTop - left.firstChild.clientHeight / 2;
	}
}

// ---- As text ----

function pathAsText() {
	const path = currentPath();
	const lines = [byId("title").textContent];
	const rows = [frameColumns().map(([head]) => head).concat(D.has_latencies ? "Use" : [])];

	if (path) {
		lines.push(`Path ${path.rank}: cost ${D.base ? `${path.cost}, ${path.base} \u2192 ${path.suspect}` :
			path.cost}${D.has_latencies ? `, calls ${path.calls}, each ${path.each}, ${path.why}` : ""}`);
		if (path.notes) {
			lines.push(path.notes);
		}
	}
	for (const node of framesShown()) {
		const mark = path && path.has_culprit && path.face === node ? " \u25c0 culprit" : "";

		rows.push(frameColumns().map(([, text], i) => text(node) + (i === 0 ? mark : ""))
			.concat(D.has_latencies ? usesText(mainStats(node)) : []));
	}
	const columns = rows[0].map((_, i) => Math.min(d3.max(rows, (row) => row[i].length), 60));

	lines.push(...rows.map((row) => row.map((cell, i) => (i < 2 ? cell.padEnd(columns[i]) :
		cell.padStart(columns[i]))).join("  ").trimEnd()));
	return lines.join("\n").replace(/\u00a0/g, " ") + "\n";
}

async function copyPath() {
	const text = pathAsText();

	try {
		await navigator.clipboard.writeText(text);
	} catch {
		// From disk, a browser may not have a clipboard to give.
		const area = element("textarea", {});

		area.value = text;
		document.body.append(area);
		area.select();
		document.execCommand("copy");
		area.remove();
	}
	toast("Copied");
}
