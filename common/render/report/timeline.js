// SPDX-License-Identifier: MIT
//
// When the slowest calls were: a lane for each workload, each call as long as it lasted; and above them, the
// slowest units of work of each type.

const LANE = 18;
const TIMELINE_LABEL = 240;
// Of the picture's width.
const TIMELINE_LABEL_PART = 0.4;

const lengthOf = (side) => Math.max(1, d3.max(D[side].recordings, (one) => one.length_ns));

// Calls of one row in lanes in which they do not overlap.
function inLanes(calls, scale) {
	const ends = [];

	return calls.slice().sort((a, b) => a.begin - b.begin || b.latency - a.latency).map((call) => {
		const x = scale(call.begin);
		const width = Math.max(scale(call.begin + call.latency) - x, 3);
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

// Draws rows of { label, calls, onclick } below one axis of time.
function drawTimeline(holder, rows, width) {
	const longest = d3.max(sides, lengthOf);
	const left = Math.min(TIMELINE_LABEL, width * TIMELINE_LABEL_PART,
		d3.max(rows, (row) => textWidth(row.label, 12)) + 18);
	const scale = d3.scale.linear().domain([0, longest]).range([left, width - 30]);
	let y = 22;
	const placed = rows.map((row) => {
		const bars = inLanes(row.calls, scale);
		const top = y;

		y += Math.max(1, (d3.max(bars, (bar) => bar.lane) || 0) + 1) * (LANE * 0.6) + 8;
		return { row, bars, top, height: y - top };
	});
	const svg = d3.select(holder).append("svg").attr("width", width).attr("height", y + 4);
	const axis = d3.svg.axis().scale(scale).orient("top").ticks(Math.max(2, Math.floor((width - left) / 130)))
		.tickSize(-(y - 22)).tickPadding(4).tickFormat(timeText);

	svg.append("g").attr("class", "axis").attr("transform", "translate(0,20)").call(axis);
	for (const { row, bars, top, height } of placed) {
		const group = svg.append("g").attr("class", "lane").attr("transform", `translate(0,${top})`);

		group.append("rect").attr({ class: "back", width: width - 1, height });
		group.append("text").attr({ x: 4, y: 11 }).text(fit(row.label, left - 14, 12));
		group.on("click", row.onclick);
		withTip(group.selectAll(".call").data(bars).enter().append("rect").attr("class", "call")
			.attr({ height: LANE * 0.5, rx: 1 })
			.attr("x", (bar) => bar.x).attr("width", (bar) => bar.width)
			.attr("y", (bar) => bar.lane * LANE * 0.6 + 3)
			.attr("fill", ({ call }) => (call.side === "suspect" ? palette.slower : palette["rest-strong"])),
		callTip);
	}
}

const slowOf = (node, side) => ((node && node.slow) || []).filter((call) => call.side === side);

function drawTimelines() {
	const rows = unitTypes.map((type) => ({ calls: type.calls, onclick: null,
		label: `units of ${type.name}${D.base ? ` \u00b7 ${headOf(type.side)}` : ""}` }));

	for (const path of paths) {
		for (const side of sides) {
			const calls = slowOf(path.face, side);

			if (calls.length) {
				rows.push({ calls, onclick: () => selectPath(path),
					label: `${path.rank}  ${path.face.fn.name}${D.base ? ` \u00b7 ${headOf(side)}` : ""}` });
			}
		}
	}
	if (rows.length === 0) {
		showEmpty("This profile holds no single calls.");
		return;
	}
	view.textContent = "";
	drawTimeline(view, rows, view.clientWidth - 16);
	legend(unitTypes.length ?
		"The slowest units of work of each type, and calls of each path's culprit, from the beginning of each recording" :
		"The slowest calls of each path's culprit, from the beginning of each recording",
		...(D.base ? [[palette.slower, headOf("suspect")], [palette["rest-strong"], headOf("base")]] : []));
}
