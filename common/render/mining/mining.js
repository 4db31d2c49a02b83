// SPDX-License-Identifier: MIT
//
// Draws what the data say, which are the JSON lines of the same run, as an array: for each kind of
// stacks how much the first clusters explain, and each with what its patterns have in common.

const lines = JSON.parse(document.getElementById("data").textContent);
const linesOf = (type) => lines.filter((line) => line.type === type);
const header = linesOf("header")[0];
const summary = linesOf("summary")[0];

const KINDS = [["waiting", "Waiting"], ["running", "Running"]];
const CURVE = { width: 360, height: 90 };

// An element with attributes; children are elements or text.
function element(name, attributes = {}, ...children) {
	const isDrawn = ["svg", "polyline", "circle", "line", "text"].includes(name);
	const made = isDrawn ? document.createElementNS("http://www.w3.org/2000/svg", name) :
		document.createElement(name);

	for (const [key, value] of Object.entries(attributes)) {
		made.setAttribute(key, value);
	}
	made.append(...children);
	return made;
}

// "libc.so.6!read" is read; the kernel's are quiet, and what a function did itself: that is
// "libc.so.6!read![itself]". A module has no "!" in its name.
const ITSELF = "![itself]";

function functionElement(name) {
	const end = name.indexOf("!");
	const module = name.slice(0, end);
	const isItself = name.endsWith(ITSELF);
	const isQuiet = isItself || module === "[kernel]";

	return element("span", { title: module, ...(isQuiet ? { class: "kernel" } : {}) },
		isItself ? "itself" : shorten(name.slice(end + 1), 120));
}

function stackElements(functions) {
	return functions.length === 0 ? ["nothing in common"] :
		functions.flatMap((name, i) => i === 0 ? [functionElement(name)] :
			[" \u203a ", functionElement(name)]);
}

// Those of a pattern that are not in the common part, which is a part of it.
function otherFunctions(functions, common) {
	let at = 0;

	return functions.filter((name) => name !== common[at] || (at++, false));
}

function patternsElement(cluster) {
	const items = cluster.patterns.map((pattern) => {
		const others = otherFunctions(pattern.functions, cluster.common);

		return element("li", {}, `${timeText(pattern.cost_ns)} in ${countText(pattern.events)} with `,
			...(others.length === 0 ? ["nothing else"] : stackElements(others)));
	});

	return element("details", {}, element("summary", {}, plural(items.length, "pattern")),
		element("ol", {}, ...items));
}

// Numbers that come before where it is: heads and cells.
function columnsOf(clusters) {
	const all = header.cost_ns;
	const most = Math.max(1, ...clusters.map((cluster) => cluster.cost_ns));
	const bar = (cluster) => {
		const made = element("span", { class: "bar" });

		made.style.width = `${80 * cluster.cost_ns / most}px`;
		return made;
	};
	const columns = [
		["#", (cluster) => [String(cluster.rank)]],
		["cost", (cluster) => [timeText(cluster.cost_ns), bar(cluster)]],
		["good", (cluster) => [timeText(cluster.base_cost_ns)]],
		["share", (cluster) => [shareText(cluster.cost_ns, all)]],
		["so far", (cluster) => [shareText(cluster.covered_ns, all)]],
		["traces", (cluster) => [countText(cluster.traces)]],
		["events", (cluster) => [countText(cluster.events)]],
		["each", (cluster) => [timeText(Math.floor(cluster.cost_ns / Math.max(cluster.events, 1)))]],
	];

	return columns.filter(([head]) => head !== "good" || header.base_traces > 0);
}

function clustersElement(clusters) {
	const columns = columnsOf(clusters);
	const heads = columns.map(([head]) => element("th", {}, head));
	const rows = clusters.map((cluster) => element("tr", { class: "cluster" },
		...columns.map(([, cells]) => element("td", {}, ...cells(cluster))),
		element("td", { class: "where" }, ...stackElements(cluster.common), patternsElement(cluster))));

	return element("table", { class: "mined" },
		element("thead", {}, element("tr", {}, ...heads,
			element("th", { class: "where" }, "what its stacks have in common"))),
		element("tbody", {}, ...rows));
}

// How much of all the first clusters explain, one behind the other.
function curveElement(clusters) {
	const { width, height } = CURVE;
	const points = [[0, height], ...clusters.map((cluster, i) => [width * (i + 1) / clusters.length,
		height * (1 - cluster.covered_ns / header.cost_ns)])];
	const last = points[points.length - 1];
	const share = shareText(clusters[clusters.length - 1].covered_ns, header.cost_ns);

	return element("svg", { class: "curve", width: width + 90, height, role: "img",
		"aria-label": `${plural(clusters.length, "cluster")} explain ${share}` },
	element("line", { x1: 0, y1: height, x2: width, y2: height, stroke: "var(--line)" }),
	element("line", { x1: 0, y1: 0, x2: width, y2: 0, stroke: "var(--line)" }),
	element("polyline", { points: points.map((point) => point.join(",")).join(" ") }),
	element("circle", { cx: last[0], cy: last[1], r: 3 }),
	element("text", { x: last[0] + 8, y: last[1] + 4 }, share));
}

function kindElement([kind, title]) {
	const clusters = linesOf("cluster").filter((cluster) => cluster.kind === kind);
	const part = summary[kind];
	const told = `${timeText(part.cost_ns)} in ${plural(part.stacks, "stack")}; ` +
		`${plural(part.patterns, "pattern")} of ${timeText(part.least_ns)} or more, in ` +
		`${plural(part.clusters, "cluster")}` +
		(part.clusters > clusters.length ? ", of which the first are shown" : "");

	return element("section", { id: kind }, element("h2", {}, title), element("p", {}, told),
		...(clusters.length > 0 ? [curveElement(clusters), clustersElement(clusters)] : []));
}

function signaturesElement(signatures) {
	const rows = signatures.map((signature) => element("tr", { class: "signature" },
		element("td", {}, timeText(signature.cost_ns)),
		element("td", {}, shareText(signature.cost_ns, header.cost_ns)),
		element("td", {}, countText(signature.traces.length)),
		element("td", {}, countText(signature.events)),
		element("td", { class: "where" }, shorten(signature.name, 200))));
	const heads = ["cost", "share", "traces", "events"].map((head) => element("th", {}, head));

	return element("section", { id: "signatures" }, element("h2", {}, "Known causes"),
		element("table", { class: "mined" },
			element("thead", {}, element("tr", {}, ...heads,
				element("th", { class: "where" }, "signature"))),
			element("tbody", {}, ...rows)));
}

function show() {
	const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
	const signatures = linesOf("signature");
	const doubts = [];
	const isMixed = header.searches.length > 1;
	const of = isMixed ? ` of ${countText(header.calls)} (${header.searches.length} different symptoms)` :
		header.symptom === null ? ", the slowest calls of each trace\u2019s first path" :
			` of ${countText(header.calls)} (${header.symptom})`;
	const others = header.left_out > 0 ? `; ${plural(header.left_out, "other")} left out, as these waited ` +
		`for ${header.left_out === 1 ? "it" : "them"}` : "";
	const good = header.base_traces > 0 ? `; ${plural(header.base_traces, "good trace")} beside them` : "";

	document.documentElement.dataset.theme = isDark ? "dark" : "light";
	document.getElementById("title").textContent = document.title;
	document.getElementById("summary").textContent = `${plural(header.traces, "trace")}, ` +
		`${plural(header.symptoms, "symptom")}${of}, ${timeText(header.cost_ns)} lost${others}${good}`;
	if (isMixed) {
		doubts.push("Traces were searched for different symptoms, which are mined together: " +
			header.searches.map((search) => `${search.symptom ?? "slowest calls of the first path"} in ` +
				plural(search.traces, "trace")).join(", ") + ".");
	}
	if (summary.broken > 0) {
		doubts.push(`${plural(summary.broken, "file")} could not be read, or only in part.`);
	}
	if (summary.incomplete > 0) {
		doubts.push(`Events were lost in ${plural(summary.incomplete, "trace")}.`);
	}
	if (KINDS.some(([kind]) => !summary[kind].complete)) {
		doubts.push("Patterns of as little cost as was asked for were too many to look for: each table has " +
			"all patterns of what it says or more.");
	}
	document.getElementById("doubts").textContent = doubts.join("\n");
	document.getElementById("doubts").hidden = doubts.length === 0;
	document.getElementById("kinds").append(
		...(signatures.length > 0 ? [signaturesElement(signatures)] : []), ...KINDS.map(kindElement));
	document.getElementById("quality").textContent = "Times are inferred from stacks; what one cluster " +
		"explains is counted once, so shares of several add up in \u201cso far\u201d only.";
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => {
	document.documentElement.dataset.theme = event.matches ? "dark" : "light";
});
show();
