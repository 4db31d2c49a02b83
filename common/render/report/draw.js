// SPDX-License-Identifier: MIT
//
// What the views draw with: colours of the theme, texts that fit, the tip beside the pointer.

const view = document.getElementById("view");
const tip = document.getElementById("tip");
const byId = (id) => document.getElementById(id);

const palette = {};
// Of the palette, as pictures ask for them thousands of times: from nothing to most, and what is read on
// a colour.
const heats = {};
const readable = new Map();

// Colours and font are the style sheet's.
function readPalette() {
	const style = getComputedStyle(document.documentElement);

	for (const name of ["paper", "ink", "quiet", "line", "rest", "rest-strong", "slower",
		"slower-soft", "faster", "cpu", "blocked", "waiting", "unknown", "less"]) {
		palette[name] = style.getPropertyValue(`--${name}`).trim();
	}
	palette.font = getComputedStyle(document.body).fontFamily;
	heats.slower = d3.interpolateRgb(palette.rest, palette.slower);
	heats.faster = d3.interpolateRgb(palette.rest, palette.faster);
	readable.clear();
}

const context = document.createElement("canvas").getContext("2d");
const widths = new Map();

// Of `text` in pixels; sizes are those of the style sheet.
function textWidth(text, size, weight = 400) {
	const key = `${size}/${weight}/${text}`;
	let width = widths.get(key);

	if (width === undefined) {
		context.font = `${weight} ${size}px ${palette.font}`;
		width = context.measureText(text).width;
		if (widths.size > 50000) {
			widths.clear();
		}
		widths.set(key, width);
	}
	return width;
}

// What of `text` fits into `width` pixels: all of it, its ends, or nothing.
function fit(text, width, size, weight) {
	let most = Math.min(text.length, Math.ceil(width / (size * 0.25)));

	if (width < size * 1.5) {
		return "";
	}
	text = shorten(text, 400);
	if (text.length <= most && textWidth(text, size, weight) <= width) {
		return text;
	}
	let least = 0;

	while (least + 1 < most) {
		const middle = (least + most) >> 1;

		if (textWidth(shorten(text, middle), size, weight) <= width) {
			least = middle;
		} else {
			most = middle;
		}
	}
	return least < 3 ? "" : shorten(text, least);
}

// The whole of it or nothing: for what is told elsewhere, too.
function fitWhole(text, width, size) {
	return text.length * 2 < width && textWidth(text, size) <= width ? text : "";
}

// Colour of a value between nothing and the largest of all: four orders of magnitude have one.
const MAGNITUDES = 4;

function shadeOf(value, most) {
	const part = Math.abs(value) / most;

	return part > 0 ? Math.max(0, Math.min(1, 1 + Math.log10(part) / MAGNITUDES)) : 0;
}

function heatColour(value, most) {
	return (value < 0 ? heats.faster : heats.slower)(shadeOf(value, most));
}

// Ink or paper, whichever is read more easily on `colour`.
function textOn(colour) {
	if (!readable.has(colour)) {
		readable.set(colour, readableOn(colour));
	}
	return readable.get(colour);
}

function readableOn(colour) {
	// https://www.w3.org/TR/WCAG21/#dfn-relative-luminance
	const light = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
	const luminance = ({ r, g, b }) =>
		0.2126 * light(r / 255) + 0.7152 * light(g / 255) + 0.0722 * light(b / 255);
	const contrast = (name) => {
		const [a, b] = [colour, palette[name]].map((text) => luminance(d3.rgb(text)) + 0.05);

		return Math.max(a / b, b / a);
	};

	return contrast("ink") > contrast("paper") ? palette.ink : palette.paper;
}

const signClass = (value) => (value > 0 ? "slower" : value < 0 ? "faster" : "quiet");

// The page's policy forbids attributes that hold styles, but not to set styles.
function element(tag, attributes = {}, ...children) {
	const made = document.createElement(tag);

	for (const key in attributes) {
		if (key.startsWith("on")) {
			made.addEventListener(key.slice(2), attributes[key]);
		} else if (key === "style") {
			made.style.cssText = attributes[key];
		} else if (attributes[key] !== null && attributes[key] !== undefined) {
			made.setAttribute(key, attributes[key]);
		}
	}
	made.append(...children);
	return made;
}

const knownText = (count) => (count === null ? "\u2013" : countText(count));
// What is known of how often something was called.
const callsText = ({ count, hasUnseen }) => (count && hasUnseen ? "\u2265" : "") + knownText(count);

// "12 ms → 593 ms", or one time where there is no base.
function pairText(base, suspect, text = timeText) {
	return D.base ? `${text(base)} \u2192 ${text(suspect)}` : text(suspect);
}

function nodeTip(node) {
	const lines = [`${shorten(node.fn.name, 300)}`];

	if (node.fn.module) {
		lines[0] += `  (${shorten(node.fn.module, 80)})`;
	}
	if (!isRead(node)) {
		return lines[0];
	}
	lines.push(`own ${pairText(node.base.own, node.suspect.own)}` +
		(D.base ? `  (${changeText(node.suspect.own - node.base.own)})` : ""));
	lines.push(`total ${pairText(node.base.total, node.suspect.total)}`);
	if (D.has_latencies) {
		lines.push(`calls ${pairText(node.base, node.suspect, callsText)}`);
	}
	if (node.idle) {
		lines.push("waiting for work: not ranked");
	}
	return lines.join("\n");
}

function moveTip(event) {
	const { width, height } = tip.getBoundingClientRect();

	tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8))}px`;
	tip.style.top = `${event.clientY + 18 + height > innerHeight ?
		Math.max(4, event.clientY - height - 10) : event.clientY + 18}px`;
}

// Elements of a D3 selection say `text(datum)` while the pointer is on them.
function withTip(selection, text) {
	selection.on("mousemove", (d) => {
		tip.textContent = text(d);
		tip.hidden = tip.textContent === "";
		moveTip(d3.event);
	}).on("mouseleave", () => {
		tip.hidden = true;
	});
}

// In place of what was there, scrolled to where that was.
function newSvg(width, height) {
	const { scrollLeft, scrollTop } = view;

	view.textContent = "";
	const svg = d3.select(view).append("svg").attr({ width, height, viewBox: `0 0 ${width} ${height}` });

	view.scrollTo(scrollLeft, scrollTop);
	return svg;
}

function showEmpty(text) {
	view.textContent = "";
	view.append(element("p", { class: "empty" }, text));
}

// How to read a picture and what a click does, below it.
function hint(text) {
	byId("hint").textContent = text;
	explainWords(byId("hint"));
}

// Texts, and texts behind a swatch of their colour.
function legend(...parts) {
	byId("legend").replaceChildren(...parts.map((part) => (typeof part === "string" ?
		element("span", {}, part) :
		element("span", {}, element("i", { class: "key", style: `background:${part[0]}` }), part[1]))));
	explainWords(byId("legend"));
}

// Scrolls `view` as far as is needed to see the part from `top` to `bottom`, and from `left` to
// `right`.
function reveal(top, bottom, left = view.scrollLeft, right = left) {
	const nearest = (at, size, begin, end) =>
		(begin < at ? begin : end > at + size ? end - size : at);

	view.scrollTop = nearest(view.scrollTop, view.clientHeight, top, bottom);
	view.scrollLeft = nearest(view.scrollLeft, view.clientWidth, left, right);
}

let toastTimer = 0;

function toast(text) {
	byId("toast").hidden = false;
	byId("toast").textContent = text;
	clearTimeout(toastTimer);
	toastTimer = setTimeout(() => {
		byId("toast").hidden = true;
	}, 1600);
}
