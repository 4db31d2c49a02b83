// SPDX-License-Identifier: MIT
//
// The source of a path's culprit, and what each line of it cost, in each workload: what the host found
// when the page was written, or why there is nothing. One entry is for the culprit of some paths; those
// without paths tell of all that no other one is for.

let sourceEntries = null;

function sourcesOf(path) {
	sourceEntries = sourceEntries || JSON.parse(byId("source").textContent);
	const found = sides.slice().reverse().map((side) => {
		const ofSide = sourceEntries.filter((entry) => entry.side === side);

		return ofSide.find((entry) => entry.paths.includes(path.rank)) ||
			ofSide.find((entry) => entry.paths.length === 0);
	}).filter(Boolean);

	// What both lack for the same reason is told once.
	return found.filter((entry, i) => i === 0 || entry.sections || entry.lack !== found[0].lack);
}

function sourcePlace({ side, of }) {
	const { length } = D[side].recordings;

	return `${D.base ? `${headOf(side)}, ` : ""}${shorten(of, 80)}` +
		(length > 1 ? `, the first of ${length} recordings` : "");
}

// The more of the time, the redder.
const lineColour = (share) => d3.interpolateRgb(palette.paper, palette["slower-soft"])(Math.min(1, share));

function sourceRow([line, text, share, cells], heads) {
	const columns = heads.slice(0, 4).map((head, i) =>
		element("td", { class: head === "called" ? "name" : "number", "data-head": head }, cells[i] || ""));
	const place = line === null ? "\u2026" : text === null ? "" : String(line);

	return element("tr", { style: share === null ? null : `background:${lineColour(share)}` }, ...columns,
		element("td", { class: "line number quiet" }, place), element("td", { class: "code" }, text || ""));
}

const HEAD_TITLES = {
	own: "The line's part of the function's own time on a CPU",
	below: "Time in what the line called, with all that this called",
};

function sourceTable(entry, { name, is_code: isCode, rows }) {
	const heads = ["own", entry.own, "below", "called", isCode ? "address" : "line", ""];

	return element("div", { class: "listing", role: "region", "aria-label": name, tabindex: 0 },
		element("table", {}, element("caption", {}, name),
			element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { class: head === "called" ? "name" : null,
				title: HEAD_TITLES[head] }, head)))),
			element("tbody", {}, ...rows.map((row) => sourceRow(row, heads)))));
}

function sourceOf(entry, isOpen) {
	const quiet = (text) => element("p", { class: "quiet" }, text);

	if (!entry.sections) {
		return quiet(`${D.base && entry.of ? `${sourcePlace(entry)}: ` : ""}${entry.lack}`);
	}
	return element("details", isOpen ? { open: "" } : {},
		element("summary", {}, `${sourcePlace(entry)}: ${entry.head}`),
		...(entry.lack ? [quiet(entry.lack)] : []),
		...entry.sections.map((section) => sourceTable(entry, section)),
		...(entry.left_out ? [quiet(`${plural(entry.left_out, "row")} with less than these, and lines without ` +
			"costs, were left out.")] : []));
}

function sourceList(path) {
	const isProgram = path.has_culprit && path.face.fn.layer === LAYER.USER;
	const entries = isProgram ? sourcesOf(path) : [];

	return entries.length ? element("div", { id: "lines" },
		element("h3", {}, `Source of ${shorten(path.face.fn.name, 80)}`),
		...entries.map((entry, i) => sourceOf(entry, i === 0))) : "";
}
