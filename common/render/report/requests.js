// SPDX-License-Identifier: MIT
//
// The slowest requests of the timeline, with what each thread and process on their way did: what the
// host found (common/render/through/timeline.c). Each is a picture of its own, in which a hop lies below
// the one that asked it; lines go from when that sent to when this one took it, and from where it ended
// back. A click shows the request from nearby.

const HOP_ROW = 12;
const REQUEST_TOP = 16;

let slowRequests = null;

function unpackRequest(side, { begin, taken, hops }) {
	const named = hops.map(([process, tid, sent, from, to, own, parent, fn]) =>
		({ process, tid, sent, begin: from, end: to, own, parent, fn }));
	const most = d3.max(named, ({ own }) => own);

	return { side, begin, taken, hops: named, slowest: named.find(({ own }) => own === most) };
}

// Of both workloads, those that took most first.
function requests() {
	slowRequests = slowRequests || Object.entries(JSON.parse(byId("requests").textContent)).flatMap(
		([side, list]) => list.map((request) => unpackRequest(side, request)));
	return slowRequests;
}

// "nginx → uwsgi → postgres": each process once, in the order in which they came to it.
const routeText = ({ hops }) =>
	Array.from(new Set(hops.map(({ process }) => process))).join(" \u2192 ");

function hopTip({ hop, request }) {
	return `${shorten(hop.process, 60)}, thread ${hop.tid}: ${timeText(hop.end - hop.begin)}, after ` +
		`${timeText(hop.begin)}\nof it ${timeText(hop.own)} in it` +
		(hop.fn && hop.own > 0 ? `, mostly in ${shorten(hop.fn, 200)}` : "") +
		(hop.begin > hop.sent ? `\n${timeText(hop.begin - hop.sent)} until it was taken` : "") +
		(hop === request.slowest ? "\nthe slowest hop" : "");
}

const rowOf = (i) => REQUEST_TOP + i * HOP_ROW;

// From the asker's row to that of the hop, and back.
function hopLinks({ hops }, scale) {
	return hops.flatMap(({ sent, begin, end, parent }, i) => {
		const [from, to] = [rowOf(parent) + HOP_ROW / 2 - 1, rowOf(i) + HOP_ROW / 2 - 1];

		return parent < 0 ? [] : [`M${scale(sent)},${from}L${scale(begin)},${to}`,
			...(end <= hops[parent].end ? [`M${scale(end)},${to}V${from}`] : [])];
	});
}

// And not when it is dragged over, as what is dragged over becomes what is seen.
function listenForClick(svg, action) {
	let down = 0;

	svg.style("cursor", "pointer").on("mousedown", () => {
		down = d3.event.clientX;
	}).on("click", () => {
		if (Math.abs(d3.event.clientX - down) <= 8) {
			action();
		}
	});
}

function drawRequest(holder, request, scale, width) {
	const { hops, side, begin, taken } = request;
	const height = rowOf(hops.length) + 4;
	const [left, right] = scale.range();
	const svg = d3.select(holder).append("svg").attr({ width, height, class: "request" });
	const clip = `request-${requests().indexOf(request)}`;
	const label = `request of ${timeText(taken)}: ${routeText(request)}${D.base ? ` \u00b7 ${headOf(side)}` : ""}`;

	svg.append("clipPath").attr("id", clip).append("rect").attr({ x: left, width: right - left, height });
	svg.append("text").attr({ x: 4, y: 11 }).text(fit(label, width - 8, 12));
	hops.forEach(({ process }, i) => svg.append("text").attr({ x: 12, y: rowOf(i) + 9, class: "small" })
		.text(fit(process, left - 20, 10)));
	const inside = svg.append("g").attr("clip-path", `url(#${clip})`);

	hopLinks(request, scale).forEach((d) => inside.append("path").attr({ d, fill: "none", stroke: palette.quiet }));
	withTip(inside.selectAll(".hop").data(hops.map((hop) => ({ hop, request }))).enter().append("rect")
		.attr({ class: "hop", height: HOP_ROW - 3, rx: 1 })
		.attr("x", ({ hop }) => scale(hop.begin))
		.attr("width", ({ hop }) => Math.max(scale(hop.end) - scale(hop.begin), 1))
		.attr("y", ({ hop }) => rowOf(hops.indexOf(hop)))
		.attr("fill", ({ hop }) => (hop === request.slowest ? palette.ink : palette["rest-strong"])), hopTip);
	listenForClick(svg, () => set({ from: Math.max(0, Math.round(begin - taken / 10)),
		to: Math.round(begin + taken * 1.1) }));
}
