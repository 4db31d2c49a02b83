// SPDX-License-Identifier: MIT
// invoices.js keep|ask INVOICES
'use strict';
const { execFileSync } = require('child_process');
const fs = require('fs');

const keep = process.argv[2] === 'keep';
let known = null;

function stamp(number) {
	if (known === null || !keep)
		known = execFileSync('/bin/uname', ['-n'], { encoding: 'utf8' }).trim();
	return `${known}/${number}`;
}

function positions(number) {
	const lines = [];
	let state = number + 1;
	for (let i = 0; i < 2000; i++) {
		state = (state * 1103515245 + 12345) % 2147483648;
		lines.push({ article: `A${state % 5000}`, price: (state % 10000) / 100 });
	}
	return lines.sort((a, b) => (a.article < b.article ? -1 : 1));
}

function write(number) {
	let total = 0;
	let text = '';
	for (const { article, price } of positions(number)) {
		total += price;
		text += `${article} ${price.toFixed(2)}\n`;
	}
	return `${stamp(number)}\n${text}${total.toFixed(2)}\n`;
}

let size = 0;
for (let number = 0; number < Number(process.argv[3]); number++)
	size += write(number).length;
fs.writeFileSync('size', String(size));
