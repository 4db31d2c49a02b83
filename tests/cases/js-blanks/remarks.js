// SPDX-License-Identifier: MIT
//
// remarks.js spread|together: cleans the remarks of customers, which it makes up as an old database
// gives them out, counts the words of each shop's, and prints a sum of all. Where a remark has a
// table in it, the blanks of a line are spread between its words, or together in one place.
'use strict';

const { createHash } = require('crypto');

const together = process.argv[2] === 'together';
const shops = 40;
const blanks = 900;

const words = (
	'the parcel came late again and nobody was at home so it went back to the shop please send ' +
	'another one with a new invoice or call me in the morning thank you very much for your help'
).split(' ');

function random(seed) {
	let state = seed;
	return (limit) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return (state >>> 8) % limit;
	};
}

// A line of some words, between which so many blanks are beside the usual ones.
function line(next, gaps) {
	const count = 12 + next(16);
	let text = '';
	for (let i = 0; i < count; i++) {
		let gap = 1;
		if (together) {
			gap += i === count - 2 ? gaps : 0;
		} else {
			gap += Math.floor(gaps / count);
		}
		text += words[next(words.length)] + ' '.repeat(gap);
	}
	return text + words[next(words.length)] + ' '.repeat(next(3));
}

function makeRemarks(shop) {
	const next = random(shop + 1);
	const remarks = [];
	for (let i = 0; i < 700; i++) {
		const lines = [];
		for (let j = next(6); j >= 0; j--) {
			lines.push(line(next, i % 20 === 7 ? blanks : 0));
		}
		remarks.push({ customer: next(100000), text: lines.join('\r\n') });
	}
	return remarks;
}

function cleanRemarks(remarks) {
	for (const remark of remarks) {
		const lines = [];
		for (const line of remark.text.split('\n')) {
			lines.push(line.replace(/\s+$/, ''));
		}
		remark.text = lines.join('\n');
	}
}

function escapeHtml(text) {
	return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

function countWords(counts, text) {
	for (const [word] of text.matchAll(/[a-z]+/g)) {
		counts.set(word, (counts.get(word) ?? 0) + 1);
	}
}

function shopPage(shop, remarks) {
	const counts = new Map();
	const rows = [];
	for (const { customer, text } of remarks) {
		countWords(counts, text);
		rows.push(`<tr><td>${customer}</td><td>${escapeHtml(text)}</td></tr>`);
	}
	const often = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 10);
	const list = often.map(([word, count]) => `<li>${word}: ${count}</li>`);
	return `<h1>Shop ${shop}</h1>\n<ol>${list.join('')}</ol>\n<table>${rows.join('\n')}</table>\n`;
}

const sum = createHash('sha256');
let count = 0;
for (let shop = 0; shop < shops; shop++) {
	const remarks = makeRemarks(shop);
	cleanRemarks(remarks);
	sum.update(shopPage(shop, remarks));
	count += remarks.length;
}
console.log(`sum ${sum.digest('hex')}: ${count} remarks`);
