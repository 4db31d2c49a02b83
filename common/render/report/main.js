// SPDX-License-Identifier: MIT
//
// The page: what is said above and below the views, the controls, the keys.

const DRAW = { flame: drawFlame, paths: drawPaths, tree: drawTree, time: drawTimelines, heat: drawHeatMap };

// ---- What was compared ----

function workloadRow(side) {
	const workload = D[side];
	const { recordings } = workload;
	const length = recordings.length > 1 ? plural(recordings.length, "run") :
		timeText(recordings[0].length_ns);
	const broken = workload.broken_stacks ?
		`, ${shareText(workload.broken_stacks, workload.stacks)} broken` : "";
	const cell = (text, kind = "") => element("td", { class: kind }, text);

	return element("tr", {}, ...(D.base ? [cell(side)] : []), cell(shorten(workload.name, 120), "name"),
		cell(length, "number"), cell(plural(workload.threads, "thread"), "number"),
		cell(`${plural(workload.stacks, "stack")}${broken}`),
		cell(workload.completeness, workload.complete ? "" : "lacking"));
}

// The answer alone, large; what else there is to say in numbers stands at the end.
function drawHead() {
	const [sentence, ...rest] = D.summary.split("\n");
	const doubts = [D.incomplete ? "INCOMPLETE: an error ended the run early; this is what was read before it." : "",
		D.doubts].filter(Boolean).join("\n");

	byId("title").textContent = document.title;
	byId("sentence").textContent = sentence;
	byId("summary").textContent = rest.join(" ");
	byId("doubts").textContent = doubts;
	byId("doubts").hidden = !doubts;
	byId("workloads").replaceChildren(...sides.map(workloadRow));
	byId("quality").textContent = D.quality;
	byId("waits").textContent = D.idle.length === 0 ? "" : "Idle, not ranked: " +
		D.idle.slice(0, 5).map(([process, fn, syscall, suspect, base]) =>
			`${shorten(functions[process].name, 40)} ${shorten(functions[syscall].name, 40)} ` +
			pairText(base, suspect)).join(", ") + (D.idle.length > 5 ? " and more." : ".") +
		(D.idle_guess ? " " + D.idle_guess : "");
	["sentence", "summary", "doubts", "workloads", "quality", "waits"].forEach((id) => explainWords(byId(id)));
}

// ---- Controls ----

function group(id, buttons) {
	byId(id).replaceChildren(...buttons.map(({ text, key, pressed, action, name }) =>
		element("button", { type: "button", "data-name": name, "aria-pressed": String(pressed),
			title: `Key ${key}`, onclick: action }, text, element("kbd", {}, key))));
	byId(id).hidden = buttons.length === 0;
}

function drawControls() {
	group("views", VIEWS.map((one, i) => ({ ...one, key: String(i + 1) }))
		.filter(({ id, isHidden }) => !isHidden || id === state.view)
		.map(({ id, name, key }) => ({ text: name, key, name: id,
			pressed: state.view === id, action: () => set({ view: id }) })));
	if (state.view === "flame") {
		group("modes", Object.keys(FLAME_MODES).filter(CHECKS.mode).filter(() => D.base)
			.map((mode) => ({ text: FLAME_MODES[mode].name(), key: FLAME_MODES[mode].key, name: mode,
				pressed: state.mode === mode, action: () => set({ mode }) })));
	} else if (state.view === "heat" && D.base) {
		group("modes", [["delta", "Change", "d"], ["own", headOf("suspect"), "s"]].map(
			([colour, text, key]) => ({ text, key, name: colour, pressed: state.colour === colour,
				action: () => set({ colour }) })));
	} else {
		group("modes", []);
	}
	byId("idle").hidden = !hasIdle || !["flame", "tree"].includes(state.view);
	byId("idle").firstChild.checked = state.idle === 1;
	byId("theme").textContent = { auto: "\u25d0", light: "\u25cb", dark: "\u25cf" }[state.theme];
	byId("theme").setAttribute("aria-label", `Theme: ${state.theme}`);
	view.setAttribute("aria-label", VIEWS.find(({ id }) => id === state.view).name);
	if (byId("search") !== document.activeElement) {
		byId("search").value = state.query;
	}
}

let isPrinting = false;

// Paper is light.
function applyTheme() {
	const isDark = !isPrinting && (state.theme === "dark" ||
		(state.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches));

	document.documentElement.dataset.theme = isDark ? "dark" : "light";
	readPalette();
}

// ---- Keys ----

function nextPath(step) {
	const at = paths.indexOf(currentPath());
	const path = paths[Math.max(0, Math.min(paths.length - 1, at + step))];

	if (path) {
		selectPath(path);
	}
}

function nextFrame(step) {
	const frames = framesShown();
	const at = frames.indexOf(currentNode());
	const node = frames[Math.max(0, Math.min(frames.length - 1, at + step))];

	if (node) {
		selectNode(node);
	}
}

function mode(name) {
	if (state.view === "heat" && D.base && name !== "base") {
		set({ colour: name === "suspect" ? "own" : "delta" });
	} else if (CHECKS.mode(name)) {
		set({ view: "flame", mode: name });
	}
}

function showHelp() {
	byId("keys").querySelector("dl").replaceWith(glossary());
	byId("keys").showModal();
	byId("keys").scrollTop = 0;
}

const KEYS = [
	["1 \u2026 5", "flame graph, paths, tree, timeline, heat map", null],
	["d s b", "what was added, suspect, base", null],
	["\u2191 \u2193", "path before, after", { ArrowUp: () => nextPath(-1), ArrowDown: () => nextPath(1),
		k: () => nextPath(-1), j: () => nextPath(1) }],
	["\u2190 \u2192", "caller, callee", { ArrowLeft: () => nextFrame(-1), ArrowRight: () => nextFrame(1),
		h: () => nextFrame(-1), l: () => nextFrame(1) }],
	["Enter", "zoom the flame graph to the function", { Enter: () => currentNode() &&
		set({ view: "flame", zoom: currentNode().index }) }],
	["+ \u2212", "nearer and further in the timeline; drag to see a part", {
		"+": () => zoomTime(0.5), "-": () => zoomTime(2) }],
	["Esc", "back to everything", { Escape: () => set(state.zoom >= 0 ? { zoom: -1 } :
		state.to > 0 ? { from: 0, to: 0 } : { query: "" }) }],
	["/", "search", { "/": () => byId("search").focus() }],
	["n N", "next match, match before", { n: () => nextHit(1), N: () => nextHit(-1) }],
	["c", "copy the path as text", { c: copyPath }],
	["t", "light, dark, as the system", { t: () =>
		set({ theme: THEMES[(THEMES.indexOf(state.theme) + 1) % THEMES.length] }) }],
	["?", "these keys, and what words mean", { "?": showHelp }],
];
const KEY_ACTIONS = Object.assign({ d: () => mode("difference"), s: () => mode("suspect"),
	b: () => mode("base") }, ...KEYS.map((row) => row[2] || {}));

VIEWS.forEach(({ id }, i) => {
	KEY_ACTIONS[String(i + 1)] = () => set({ view: id });
});

function onKey(event) {
	const isTyping = event.target === byId("search");

	if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) {
		return;
	}
	if (isTyping) {
		if (event.key === "Enter") {
			nextHit(event.shiftKey ? -1 : 1);
		} else if (event.key === "Escape") {
			event.target.blur();
			set({ query: "" });
		}
		return;
	}
	const isButton = event.key === "Enter" && event.target instanceof HTMLButtonElement;

	if (KEY_ACTIONS[event.key] && !isButton) {
		event.preventDefault();
		KEY_ACTIONS[event.key]();
	}
}

function listen() {
	document.addEventListener("keydown", onKey);
	byId("search").addEventListener("input", (event) => set({ query: event.target.value }));
	byId("idle").firstChild.addEventListener("change", (event) => set({ idle: Number(event.target.checked) }));
	byId("theme").addEventListener("click", KEY_ACTIONS.t);
	byId("help").addEventListener("click", KEY_ACTIONS["?"]);
	byId("keys").replaceChildren(element("table", {}, ...KEYS.map(([keys, what]) => element("tr", {},
		element("td", {}, keys), element("td", { class: "quiet" }, what)))),
	element("dl", {}), element("form", { method: "dialog" }, element("button", {}, "Close")));
	document.addEventListener("click", () => {
		tip.hidden = true;
	});
	addEventListener("hashchange", () => {
		readFragment();
		draw({ idle: true, theme: true });
	});
	addEventListener("resize", () => draw({ width: true }));
	for (const event of ["beforeprint", "afterprint"]) {
		addEventListener(event, () => {
			isPrinting = event === "beforeprint";
			draw({ theme: true });
		});
	}
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw({ theme: true }));
}

// ---- The whole ----

function draw(changes) {
	if ("theme" in changes) {
		applyTheme();
	}
	if ("idle" in changes) {
		sumTree(state.idle === 1);
	}
	tip.hidden = true;
	drawControls();
	showHits();
	if ("view" in changes || "zoom" in changes) {
		view.scrollTo(0, 0);
	}
	hint("");
	DRAW[state.view]();
	drawBarsBelow();
	drawDetails();
}

readFragment();
applyTheme();
drawHead();
onChange = draw;
listen();
othersRead = readOthers();
draw({ theme: true, idle: true });
view.removeAttribute("aria-busy");
