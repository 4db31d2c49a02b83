// SPDX-License-Identifier: MIT
//
// What words mean, where they stand: those of common/render/words.c, which the text and the manual
// explain alike. The pointer on a word, or a click, tells; all that occur stand under the keys.

const WORDS = D.words.map(([word, pattern, meaning]) => ({ word, pattern: new RegExp(pattern), meaning }));

// The first word in `text` that is not yet in `told`; of two at one place, the longer.
function nextWord(text, told) {
	return WORDS.filter((one) => !told.has(one)).map((one) => ({ one, found: one.pattern.exec(text) }))
		.filter(({ found }) => found)
		.sort((a, b) => a.found.index - b.found.index || b.found[0].length - a.found[0].length)[0];
}

function tellMeaning(event, { word, meaning }) {
	event.stopPropagation();
	tip.textContent = `${word}: ${meaning}`;
	tip.hidden = false;
	moveTip(event);
}

function explainText(node, told) {
	const next = nextWord(node.data.replace(/\u00a0/g, " "), told);

	if (!next) {
		return;
	}
	const word = node.splitText(next.found.index);
	const rest = word.splitText(next.found[0].length);

	told.add(next.one);
	const holder = element("span", { class: "word", title: next.one.meaning,
		onclick: (event) => tellMeaning(event, next.one) });

	word.replaceWith(holder);
	holder.append(word);
	explainText(rest, told);
}

// Each word of an element once, where it is first.
function explainWords(holder) {
	const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
	const texts = [];
	const told = new Set();

	while (walker.nextNode()) {
		texts.push(walker.currentNode);
	}
	texts.forEach((node) => explainText(node, told));
}

// Those that the page uses now.
function glossary() {
	const text = Array.from(document.querySelectorAll("header, main, section, footer"), ({ innerText }) => innerText)
		.join(" ").replace(/\s+/g, " ");

	return element("dl", {}, ...WORDS.filter(({ pattern }) => pattern.test(text))
		.flatMap(({ word, meaning }) => [element("dt", {}, word), element("dd", {}, meaning)]));
}
