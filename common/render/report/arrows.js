// SPDX-License-Identifier: MIT
//
// Who waits for whom: an arrow where a thread has ended a wait of another one, from its row to that of the
// thread that waited. lives-data.c has the longest waits; the longest of those in view are drawn.

const ARROWS_MOST = 40;
const ARROW_HEAD = 4;
// Narrower waits are not told from their neighbours, nor arrows between two threads that are nearer.
const WAIT_LEAST = 3;
const ARROW_ROOM = 2 * ARROW_HEAD;
const WAIT_NUMBERS = 5;

let unpackedWaits = null;

// { side, waiter, waker: places among the threads of a side, begin, end, node: what the waker was in }, the
// longest first.
function threadWaits() {
	unpackedWaits = unpackedWaits || Object.entries(D.lives || {}).flatMap(([side, of]) =>
		(of ? d3.range(0, of.waits.length, WAIT_NUMBERS).map((at) => {
			const [waiter, waker, begin, end, number] = of.waits.slice(at, at + WAIT_NUMBERS);

			return { side, waiter, waker, begin, end, node: nodeAt(number - 1) };
		}) : []));
	return unpackedWaits;
}

// What tells most of a stack: the innermost function of the program's own, else the innermost.
function tellingName(node) {
	const chain = chainOf(node).slice(1);
	const own = chain.filter(({ fn }) => fn.kind === "program");

	return (own[own.length - 1] || chain[chain.length - 1] || node).fn.name;
}

function arrowTip({ wait, waiter, waker }) {
	return `thread ${waiter.tid} waits ${timeText(wait.end - wait.begin)} for thread ${waker.tid}, which wakes it` +
		`${wait.node ? ` in ${shorten(tellingName(wait.node), 200)}` : ""}, after ${timeText(wait.end)}`;
}

// Down or up from the waker, with a head where the arrow ends.
function arrowPath({ x, from, to }) {
	const head = from < to ? -ARROW_HEAD : ARROW_HEAD;

	return `M${x},${from}V${to}M${x - ARROW_HEAD},${to + head}L${x},${to}L${x + ARROW_HEAD},${to + head}`;
}

// `rows`: [{ life, y }, …]
function drawArrows(holder, rows, scale, width) {
	const [from, to] = scale.domain();
	const rowOfThread = (side, place) => rows.find(({ life }) => life.side === side && life.place === place);
	const isSeen = ({ begin, end }) => end > from && end <= to && scale(end) - scale(begin) >= WAIT_LEAST;
	const arrows = [];

	for (const wait of threadWaits().filter(isSeen)) {
		const [waiter, waker] = [wait.waiter, wait.waker].map((place) => rowOfThread(wait.side, place));
		const arrow = { wait, waiter: waiter.life, waker: waker.life, x: scale(wait.end), from: waker.y, to: waiter.y };

		if (arrows.length < ARROWS_MOST && !arrows.some((one) => one.waiter === arrow.waiter &&
			one.waker === arrow.waker && Math.abs(one.x - arrow.x) < ARROW_ROOM)) {
			arrows.push(arrow);
		}
	}
	const svg = d3.select(holder).append("svg").attr({ class: "arrows", width, height: holder.clientHeight });
	const groups = svg.selectAll(".arrow").data(arrows).enter().append("g").attr("class", "arrow");

	groups.append("path").attr({ class: "line", d: arrowPath });
	groups.append("path").attr({ class: "near", d: ({ x, from: begin, to: end }) => `M${x},${begin}V${end}` });
	withTip(groups, arrowTip);
}
