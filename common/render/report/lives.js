// SPDX-License-Identifier: MIT
//
// What threads did over the whole of a recording: what lives-data.c wrote, their units of work and, as
// calls below each other, what they did, from where a thread's stacks begin to differ. Calls between
// which no other stack was seen look like one. A canvas, as these may be many thousands.

const LIFE_KINDS = ["cpu", "waiting", "blocked", "unknown"];
const LIFE_NONE = LIFE_KINDS.length;
const LIFE_STRIP = 7;
const LIFE_ROW = 12;
const LIFE_DEPTH_MOST = 16;
const LIFE_PADDING = 8;
// Above that, a thread's units of work, where there are any.
const UNITS_ROW = 14;

// Functions that are shown of a stack: those in user space, and the system call.
const lifeChains = new Map();

function lifeChain(node) {
	if (!lifeChains.has(node)) {
		lifeChains.set(node, chainOf(node).slice(1).filter(({ fn }) => fn.layer !== LAYER.KERNEL));
	}
	return lifeChains.get(node);
}

// Of a thread's time, what has to be below one function for that to go without saying.
const LIFE_COMMON = 0.95;

// How many functions nearly all of a thread's time lies below, but for the last of them.
function commonDepth(runs) {
	const whole = d3.sum(runs, ({ begin, end }) => end - begin);
	let depth = 0;

	for (;; depth++) {
		const times = new Map();

		for (const { begin, end, node } of runs) {
			const at = node && lifeChain(node)[depth];

			if (at) {
				times.set(at, (times.get(at) || 0) + end - begin);
			}
		}
		if (!(d3.max(Array.from(times.values())) > LIFE_COMMON * whole)) {
			return Math.max(0, depth - 1);
		}
	}
}

// [count, number + 1, kind, …] → [{ begin, end, number, kind }]; -1 is no number.
function unpackCells(cells, cell) {
	const runs = [];
	let at = 0;

	for (let i = 0; i < cells.length; i += 3) {
		if (cells[i + 2] !== LIFE_NONE) {
			runs.push({ begin: at * cell, end: (at + cells[i]) * cell, number: cells[i + 1] - 1, kind: cells[i + 2] });
		}
		at += cells[i];
	}
	return runs;
}

function threadLabel(side, tid, runs) {
	const known = runs.find(({ node }) => node);

	return `${known ? `${shorten(chainOf(known.node)[0].fn.name, 24)}, ` : ""}thread ${tid}${D.base ? ` \u00b7 ${headOf(side)}` : ""}`;
}

function unpackLife(side, { cell_ns: cell }, thread, place) {
	const runs = unpackCells(thread.cells, cell)
		.map(({ number, ...run }) => ({ ...run, node: nodeAt(number) }));
	const names = D.units[side].map(({ name }) => name);
	const units = unpackCells(thread.units, cell)
		.map(({ number, ...run }) => ({ ...run, name: names[number] || "other types" }));
	const first = commonDepth(runs);
	const depth = Math.min(LIFE_DEPTH_MOST, Math.max(1,
		d3.max(runs, ({ node }) => (node ? lifeChain(node).length - first : 0)) || 1));
	const top = units.length ? UNITS_ROW : 0;

	return { side, place, tid: thread.tid, label: threadLabel(side, thread.tid, runs), runs, units, first, depth, top,
		height: top + LIFE_STRIP + depth * LIFE_ROW };
}

let unpackedLives = null;

// Of both workloads, when they are first asked for.
function lives() {
	unpackedLives = unpackedLives || Object.entries(D.lives || {}).flatMap(([side, of]) =>
		(of ? of.threads.map((thread, place) => unpackLife(side, of, thread, place)) : []));
	return unpackedLives;
}

// Of a thread, calls at one depth: runs one behind the other in one context.
function callsAtDepth(runs, depth) {
	const calls = [];

	for (const run of runs) {
		const node = run.node ? lifeChain(run.node)[depth] : null;
		const last = calls[calls.length - 1];

		if (last && last.node === node && last.end === run.begin) {
			last.end = run.end;
		} else if (node) {
			calls.push({ node, begin: run.begin, end: run.end });
		}
	}
	return calls;
}

function paintCall(context2d, { node, begin, end }, scale, y, marked) {
	const [x0, x1] = [scale(begin), scale(end)];
	const width = Math.max(x1 - x0 - 0.5, 0.5);

	context2d.fillStyle = marked.has(node) ? palette.ink : palette.rest;
	context2d.fillRect(x0, y, width, LIFE_ROW - 1);
	const [from, to] = [Math.max(x0, scale.range()[0]), Math.min(x1, scale.range()[1])];
	const text = to - from > 28 ? fit(node.fn.name, to - from - 6, 10) : "";

	if (text) {
		context2d.fillStyle = marked.has(node) ? palette.paper : palette.ink;
		context2d.fillText(text, from + 3, y + 9);
	}
}

// One unit and the next differ, as they may touch.
function paintUnits(context2d, { units }, scale) {
	const [from, to] = scale.domain();

	for (const { begin, end, name, kind } of units.filter((unit) => unit.end > from && unit.begin < to)) {
		const x = scale(begin);
		const width = Math.max(scale(end) - x - 0.5, 0.5);

		context2d.fillStyle = kind ? palette["rest-strong"] : palette.quiet;
		context2d.fillRect(x, 0, width, UNITS_ROW - 3);
		const [left, right] = [Math.max(x, scale.range()[0]), Math.min(x + width, scale.range()[1])];
		const text = right - left > 28 ? fit(name, right - left - 6, 10) : "";

		if (text) {
			context2d.fillStyle = textOn(context2d.fillStyle);
			context2d.fillText(text, left + 3, 9);
		}
	}
}

function paintLife(canvas, life, scale, width) {
	const ratio = window.devicePixelRatio || 1;
	const context2d = canvas.getContext("2d");
	const [from, to] = scale.domain();
	const runs = life.runs.filter(({ begin, end }) => end > from && begin < to);
	const marked = markedNodes();
	canvas.width = width * ratio;
	canvas.height = life.height * ratio;
	context2d.scale(ratio, ratio);
	context2d.font = `10px ${palette.font}`;
	context2d.beginPath();
	context2d.rect(scale.range()[0], 0, scale.range()[1] - scale.range()[0], life.height);
	context2d.clip();
	paintUnits(context2d, life, scale);
	for (const { begin, end, kind } of runs) {
		context2d.fillStyle = palette[LIFE_KINDS[kind]];
		context2d.fillRect(scale(begin), life.top, Math.max(scale(end) - scale(begin), 0.5), LIFE_STRIP - 1);
	}
	for (let depth = 0; depth < life.depth; depth++) {
		callsAtDepth(runs, life.first + depth).forEach((call) =>
			paintCall(context2d, call, scale, life.top + LIFE_STRIP + depth * LIFE_ROW, marked));
	}
}

// What is at a place of the canvas: { run, node }.
function lifeAt(life, scale, [x, y]) {
	const at = scale.invert(x);
	const run = life.runs.find(({ begin, end }) => begin <= at && at < end);
	const depth = life.first + Math.max(0, Math.floor((y - life.top - LIFE_STRIP) / LIFE_ROW));

	return run ? { run, node: run.node ? lifeChain(run.node)[depth] || null : null } : null;
}

function unitTip({ tid, units }, at) {
	const unit = units.find(({ begin, end }) => begin <= at && at < end);

	return unit ? `unit of ${shorten(unit.name, 200)}\nthread ${tid}, about ${timeText(unit.end - unit.begin)} after ` +
		`${timeText(unit.begin)}` : "";
}

function lifeTip(life, scale, place) {
	if (place[1] < life.top) {
		return unitTip(life, scale.invert(place[0]));
	}
	const found = lifeAt(life, scale, place);
	const names = { cpu: "runs", waiting: "waits for a CPU", blocked: "is blocked", unknown: "not known" };

	return found ? `thread ${life.tid} ${names[LIFE_KINDS[found.run.kind]]}, after ` +
		`${timeText(Math.round(scale.invert(place[0])))}${found.node ? `\n${nodeTip(found.node)}` : ""}` : "";
}

// A row with the thread's name, and what it did; where its strip of kinds is, for arrows.
function drawLife(holder, life, scale, width) {
	const { label } = life;
	const canvas = element("canvas", { role: "img", "aria-label": `What ${label} did`,
		style: `width:${width}px;height:${life.height}px;display:block` });
	const place = (event) => [event.offsetX, event.offsetY];

	canvas.addEventListener("mousemove", (event) => {
		tip.textContent = lifeTip(life, scale, place(event));
		tip.hidden = tip.textContent === "";
		moveTip(event);
	});
	canvas.addEventListener("mouseleave", () => {
		tip.hidden = true;
	});
	canvas.addEventListener("click", (event) => {
		const found = lifeAt(life, scale, place(event));

		if (event.offsetY >= life.top && found && found.node && canvas.dataset.dragged !== "yes") {
			selectNode(found.node);
		}
	});
	holder.append(element("div", { class: "life", style: `margin-bottom:${LIFE_PADDING}px` },
		element("span", {}, fit(label, scale.range()[0] - 8, 12)), canvas));
	paintLife(canvas, life, scale, width);
	return canvas.parentNode.offsetTop + life.top + (LIFE_STRIP - 1) / 2;
}

function drawLives(holder, scale, width) {
	const rows = element("div", { class: "lives" });

	holder.append(rows);
	drawArrows(rows, lives().map((life) => ({ life, y: drawLife(rows, life, scale, width) })), scale, width);
}
