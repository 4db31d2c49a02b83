// SPDX-License-Identifier: MIT
//
// When it was: what the threads did that matter most (lives.js), the slowest units of work of each type,
// the slowest requests (requests.js), and the slowest calls of the culprits, all on one axis that can be
// zoomed. Below a path, its slowest calls: a lane for each workload, each call as long as it
// lasted.

const LANE = 18;
const TIMELINE_LABEL = 240;
const AXIS_LABEL = "time since the begin";
// Of the picture's width.
const TIMELINE_LABEL_PART = 0.4;

const lengthOf = (side) => Math.max(1, d3.max(D[side].recordings, (one) => one.length_ns));

// Calls of one row in lanes in which they do not overlap.
function inLanes(calls, scale) {
	const ends = [];

	return calls.slice().sort((a, b) => a.begin - b.begin || b.latency - a.latency).map((call) => {
		const [least, most] = scale.range();
		const x = Math.max(scale(call.begin), least);
		const width = Math.max(Math.min(scale(call.begin + call.latency), most) - x, 3);
		let lane = ends.findIndex((end) => end + 2 < x);

		lane = lane < 0 ? ends.length : lane;
		ends[lane] = x + width;
		return { call, x, width, lane };
	});
}

// "14:44:54.807841 UTC, clock 22960.807841": as one looks a call up in another tool. Fractions are
// cut, as perf does.
function stampText({ begin, recording }) {
	const after = ([seconds, ns]) => [seconds + Math.floor((ns + begin) / 1e9), (ns + begin) % 1e9];
	const fraction = (ns) => String(Math.floor(ns / 1e3)).padStart(6, "0");
	const [seconds, ns] = after(recording.clock);
	const clock = `clock ${seconds}.${fraction(ns)}`;

	if (!recording.day) {
		return clock;
	}
	const [daySeconds, dayNs] = after(recording.day);

	return `${new Date(daySeconds * 1e3).toISOString().slice(11, 19)}.${fraction(dayNs)} UTC, ${clock}`;
}

// The recording of a call, where there are several.
const runText = ({ side, recording }) =>
	(D[side].recordings.length > 1 ? `, ${shorten(recording.name, 60)}` : "");

function callTip({ call }) {
	return `${shorten(call.node.fn.name, 200)}\n${timeText(call.latency)} ` +
		`(${timeText(call.lower)} to ${timeText(call.upper)})\n` +
		`${headOf(call.side)}${runText(call)}, after ${timeText(call.begin)}, thread ${call.tid}\n` +
		stampText(call);
}

// What most of the time of such calls is; of the base all are grey, and so are units of work.
function callColour({ side, node }) {
	const uses = side === "suspect" && node.index >= 0 ? usesOf(node.suspect) : [];
	const most = uses.reduce((a, b) => (b.ns > a.ns ? b : a), { key: "", ns: 0 });

	return palette[most.key] || sideShade(side);
}

// From labels on, what of a recording is seen.
function timeScale(labels, width, span = [0, d3.max(sides, lengthOf)]) {
	const left = Math.min(TIMELINE_LABEL, width * TIMELINE_LABEL_PART,
		d3.max(labels, (label) => textWidth(label, 12)) + 18);

	return d3.scale.linear().domain(span).range([left, Math.max(width - 30, left + 1)]);
}

// Draws rows of { label, calls, onclick } below one axis of time.
function drawTimeline(holder, rows, width, scale = timeScale(rows.map(({ label }) => label), width)) {
	const [left] = scale.range();
	const [from, to] = scale.domain();
	let y = 22;
	const placed = rows.map((row) => {
		const bars = inLanes(row.calls.filter(({ begin, latency }) =>
			begin < to && begin + latency > from), scale);
		const top = y;

		y += Math.max(1, (d3.max(bars, (bar) => bar.lane) || 0) + 1) * (LANE * 0.6) + 8;
		return { row, bars, top, height: y - top };
	});
	const svg = d3.select(holder).append("svg").attr("width", width).attr("height", y + 4);
	const axis = d3.svg.axis().scale(scale).orient("top").ticks(Math.max(2, Math.floor((width - left) / 130)))
		.tickSize(-(y - 22)).tickPadding(4).tickFormat(timeText);

	svg.append("g").attr("class", "axis").attr("transform", "translate(0,20)").call(axis);
	svg.append("text").attr({ x: 4, y: 12, class: "small quiet" }).text(fitWhole(AXIS_LABEL, left - 8, 10));
	for (const { row, bars, top, height } of placed) {
		const group = svg.append("g").attr("class", "lane").attr("transform", `translate(0,${top})`);

		group.append("rect").attr({ class: "back", width: width - 1, height });
		group.append("text").attr({ x: 4, y: 11 }).text(fit(row.label, left - 14, 12));
		group.on("click", row.onclick);
		withTip(group.selectAll(".call").data(bars).enter().append("rect").attr("class", "call")
			.attr({ height: LANE * 0.5, rx: 1 })
			.attr("x", (bar) => bar.x).attr("width", (bar) => bar.width)
			.attr("y", (bar) => bar.lane * LANE * 0.6 + 3)
			.attr("fill", ({ call }) => callColour(call)),
		callTip);
	}
}

// What is seen of the recording: [from, to].
function shownSpan() {
	const longest = d3.max(sides, lengthOf);

	return state.to > state.from && state.from < longest ? [state.from, Math.min(state.to, longest)] :
		[0, longest];
}

// `part` of what is seen now, around its middle moved by `shift` of it.
function zoomTime(part, shift = 0) {
	const longest = d3.max(sides, lengthOf);
	const [from, to] = shownSpan();
	const length = Math.min(longest, Math.max((to - from) * part, longest / 1e5));
	const begin = Math.max(0, Math.min(longest - length,
		(from + to) / 2 + shift * (to - from) - length / 2));

	set(length === longest ? { from: 0, to: 0 } :
		{ from: Math.round(begin), to: Math.round(begin + length) });
}

const ZOOMS = [["+", "Nearer", () => zoomTime(0.5)], ["\u2212", "Further", () => zoomTime(2)],
	["\u2190", "Earlier", () => zoomTime(1, -0.4)], ["\u2192", "Later", () => zoomTime(1, 0.4)],
	["all", "All of it", () => set({ from: 0, to: 0 })]];

function zoomButtons() {
	return element("div", { id: "zoom" }, ...ZOOMS.map(([text, name, action]) =>
		element("button", { type: "button", "aria-label": name, onclick: action }, text)));
}

// What is dragged over becomes what is seen.
function listenForSpan(holder, scale) {
	let begin = null;

	holder.addEventListener("mousedown", (event) => {
		begin = event.clientX;
	});
	holder.addEventListener("mouseup", (event) => {
		const { left } = holder.getBoundingClientRect();
		const [a, b] = [begin, event.clientX].sort((x, y) => x - y)
			.map((x) => Math.max(scale.domain()[0], Math.min(scale.domain()[1], scale.invert(x - left))));

		if (begin !== null && Math.abs(event.clientX - begin) > 8 && b > a) {
			set({ from: Math.round(a), to: Math.round(b) });
		}
		begin = null;
	});
}

function timelineRows() {
	const rows = unitTypes.map((type) => ({ calls: type.calls, onclick: null,
		label: `units of ${type.name}${D.base ? ` \u00b7 ${headOf(type.side)}` : ""}` }));

	for (const path of paths.filter((one) => tellingPaths.includes(one) || one === currentPath())) {
		for (const side of sides) {
			const calls = slowOf(path.face, side);

			if (calls.length) {
				rows.push({ calls, onclick: () => selectPath(path),
					label: `${path.rank}  ${path.face.fn.name}${D.base ? ` \u00b7 ${headOf(side)}` : ""}` });
			}
		}
	}
	return rows;
}

function drawTimelines() {
	const rows = timelineRows();
	const width = view.clientWidth - 16;

	if (rows.length + lives().length + requests().length === 0) {
		showEmpty("This profile holds no single calls.");
		return;
	}
	const { scrollTop } = view;
	const labels = [...rows, ...lives()].map(({ label }) => label).concat(AXIS_LABEL);
	const scale = timeScale(labels, width, shownSpan());
	const holder = element("div", { id: "times" });

	view.replaceChildren(zoomButtons(), holder);
	if (lives().length) {
		drawTimeline(holder, [], width, scale);
		drawLives(holder, scale, width);
	}
	if (unitTypes.length + requests().length > 0) {
		drawTimeline(holder, rows.slice(0, unitTypes.length), width, scale);
		requests().forEach((request) => drawRequest(holder, request, scale, width));
	}
	if (rows.length > unitTypes.length) {
		drawTimeline(holder, rows.slice(unitTypes.length), width, scale);
	}
	listenForSpan(holder, scale);
	view.scrollTop = scrollTop;
	timelineLegend();
}

function timelineLegend() {
	const hasUnits = lives().some(({ units }) => units.length);

	legend("Time goes to the right", ...(lives().length ? KINDS.map(({ id, name }) => [palette[id], name]) : knownKindKeys()),
		...(lives().length ? [[palette.ink, "in the culprit"]] : []),
		...(threadWaits().length ? ["\u2191 from who ends a wait to who waited"] : []),
		...(hasUnits ? [[palette.quiet, "above a thread, its units of work"]] : []),
		...(requests().length ? [[palette.ink, "of a request, the hop that took most"]] : []),
		...(D.base ? [[sideShade("base"), `calls in ${headOf("base")}`]] : []));
	const shown = [lives().length ? "what the threads did that matter most" : "",
		unitTypes.length ? "the slowest units of each type" : "",
		requests().length ? "the slowest requests, each hop below the one that asked it (click to see one from nearby)" : "",
		"the slowest calls of the culprits"];

	hint(`From top to bottom: ${shown.filter(Boolean).join("; ")}. Drag to see a part, Esc to go back.`);
}
