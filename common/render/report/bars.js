// SPDX-License-Identifier: MIT
//
// Ranked paths as bars: how much each was added, or takes, in the colours of what it is (kinds.js), its
// culprit, who called that, and how often. The first ones stand below every picture, all of them in a
// view of their own.

const BARS_MOST = 5;
const CALLERS_SHOWN = 2;
// Of the longest, the least that is worth a bar below a picture.
const BAR_LEAST = 0.01;

// [[kind, part of the bar], …]
function barParts({ cost_ns: cost, delta }) {
	const [, , cpu, blocked, waiting] = delta.map((ns) => Math.max(0, ns));
	const known = cpu + blocked + waiting;
	const whole = Math.max(known, Math.abs(cost), 1);

	return cost < 0 ? [["less", 1]] : [["cpu", cpu / whole], ["blocked", blocked / whole], ["waiting", waiting / whole],
		["unknown", (whole - known) / whole]].filter(([, part]) => part > 0);
}

function bar(path, most) {
	const length = Math.max(100 * Math.abs(path.cost_ns) / most, 0.5);

	return element("span", { class: "bar" }, ...barParts(path).map(([kind, part]) =>
		element("i", { class: kind, style: `width:${(length * part).toFixed(2)}%` })));
}

// "← take_price_lock ← refresh_prices ← … ← run_worker": the callers of the culprit, without those that only
// lead to the program's own functions.
function callersText({ frames, face }) {
	const end = frames.indexOf(face);
	const names = frames.slice(startLength(frames, end), Math.max(end, 0)).reverse()
		.map(({ fn }) => shorten(fn.name, 60));
	const shown = names.length <= CALLERS_SHOWN + 2 ? names :
		[...names.slice(0, CALLERS_SHOWN), "\u2026", names[names.length - 1]];

	return shown.map((name) => `\u2190 ${name} `).join("");
}

function barNumbers(path) {
	const calls = knownCalls(path);

	return [D.base ? `${path.base} \u2192 ${path.suspect}` : path.share, path.why,
		calls || (path.calls && path.calls !== "n/a" ? `calls ${path.calls}` : null),
		D.judged ? path.verdict : null].filter(Boolean).join(" \u00b7 ");
}

function barRow(path, most) {
	const text = (kind, ...children) => element("span", { class: kind }, ...children);

	const where = text("where", text("name", shorten(path.name, 200)), " ",
		text("quiet", `${callersText(path)}in ${shorten(path.process.name, 60)}`));

	return element("li", {}, element("button", { type: "button", class: `path${path.unsure ? " unsure" : ""}`,
		"data-path": path.rank, "aria-pressed": String(path === currentPath()), onclick: () => selectPath(path) },
	text(`cost ${D.base ? signClass(path.cost_ns) : ""}`, path.cost), bar(path, most),
	text("told", where, text("numbers quiet", barNumbers(path)))));
}

function barList(shown) {
	const most = d3.max(paths, (path) => Math.abs(path.cost_ns)) || 1;

	return element("ol", { class: "bars" }, ...shown.map((path) => barRow(path, most)));
}

// Those below the picture, with the selected one.
function drawBarsBelow() {
	const holder = byId("paths");
	const most = d3.max(tellingPaths, (path) => Math.abs(path.cost_ns)) || 0;
	const shown = tellingPaths.filter((path) => Math.abs(path.cost_ns) >= BAR_LEAST * most).slice(0, BARS_MOST);
	const more = paths.length - shown.length;
	const isChance = surePaths.length > 0 && shown.length === surePaths.length;

	holder.hidden = paths.length === 0 || ["paths", "heat"].includes(state.view);
	holder.replaceChildren(element("h2", {}, D.base ? "Where it differs most" : "Where the time is"), barList(shown),
		more > 0 ? element("button", { type: "button", class: "link quiet", id: "more-paths",
			onclick: () => set({ view: "paths" }) }, `${countText(more)} more${isChance ? ", which may be chance" : ""}`) : "");
}

function drawPaths() {
	if (paths.length === 0) {
		showEmpty("There is no path to show.");
		return;
	}
	view.replaceChildren(barList(paths));
	legend(D.base ? "Bar: what was added" : "Bar: time", ...knownKindKeys(),
		...(D.base ? [[palette.less, LESS]] : []), "\u2190 called by");
	hint("Click a path to see its functions below. The same as a heat map of functions: key 5.");
	const row = view.querySelector("[aria-pressed=true]");

	if (row) {
		reveal(row.offsetTop, row.offsetTop + row.offsetHeight);
	}
}
