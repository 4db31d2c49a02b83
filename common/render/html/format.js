// SPDX-License-Identifier: MIT
//
// Numbers as a person would say them, by the rules of common/render/units.c, so that the page and
// the terminal say the same.

const MINUS = "\u2212";

const TIME_UNITS = [
	{ name: "ns", size: 1, digits: 1, limit: 1000 },
	{ name: "\u00b5s", size: 1e3, digits: 2, limit: 1000 },
	{ name: "ms", size: 1e6, digits: 2, limit: 1000 },
	{ name: "s", size: 1e9, digits: 3, limit: 1000 },
	{ name: "min", size: 6e10, digits: 3, limit: 100 },
	{ name: "h", size: 3.6e12, digits: 3, limit: Infinity },
];
const COUNT_UNITS = [
	{ name: "M", size: 1e6, digits: 3, limit: 1000 },
	{ name: "G", size: 1e9, digits: 3, limit: 1000 },
	{ name: "T", size: 1e12, digits: 3, limit: 1000 },
	{ name: "P", size: 1e15, digits: 3, limit: Infinity },
];

// `value`, not below 0, in the first unit whose limit it stays below.
function withUnit(value, units) {
	for (const unit of units) {
		for (let decimals = unit.digits - 1; decimals >= 0; decimals--) {
			const step = unit.size / 10 ** decimals;
			const scaled = Math.floor(value / step) +
				(value % step >= step - Math.floor(step / 2) ? 1 : 0);

			if (decimals > 0 && scaled >= 10 ** unit.digits) {
				continue;
			}
			if (Math.floor(scaled / 10 ** decimals) >= unit.limit) {
				break;
			}
			return `${(scaled / 10 ** decimals).toFixed(decimals)}\u00a0${unit.name}`;
		}
	}
	return "";
}

function timeText(ns) {
	const text = ns === 0 ? "0\u00a0s" : withUnit(Math.abs(ns), TIME_UNITS);

	return ns < 0 ? MINUS + text : text;
}

function changeText(ns) {
	return ns > 0 ? `+${timeText(ns)}` : timeText(ns);
}

function countText(count) {
	if (count >= 1e7) {
		return withUnit(count, COUNT_UNITS);
	}
	return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, "\u00a0");
}

function plural(count, noun) {
	return `${countText(count)}\u00a0${noun}${count === 1 ? "" : "s"}`;
}

function ratioText(value, base) {
	const ratio = value / base;

	if (ratio < 0.005) {
		return "\u00d7<0.01";
	}
	if (ratio < 9.95) {
		return `\u00d7${ratio.toFixed(ratio < 0.095 ? 2 : 1)}`;
	}
	return ratio < 9999.5 ? `\u00d7${ratio.toFixed(0)}` : `\u00d7${(ratio / 1e3).toFixed(0)}k`;
}

function shareText(part, whole) {
	const percent = 100 * part / whole;

	if (!(whole > 0)) {
		return "\u2013";
	}
	if (percent > 0 && percent < 0.05) {
		return "<0.1\u00a0%";
	}
	if (percent > 99.5 && percent < 100) {
		return ">99\u00a0%";
	}
	return `${percent.toFixed(percent === 0 || Math.abs(percent) >= 9.95 ? 0 : 1)}\u00a0%`
		.replace("-", MINUS);
}

// Names have no end; what is shown of them has. The middle gives way.
function shorten(text, most) {
	const characters = text.length > most ? Array.from(text) : [];

	if (characters.length <= most) {
		return text;
	}
	const end = Math.floor(most / 2);

	return characters.slice(0, most - 1 - end).join("") + "\u2026" +
		characters.slice(characters.length - end).join("");
}
