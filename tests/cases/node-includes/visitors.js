// SPDX-License-Identifier: MIT
//
// visitors.js set|array: how many different visitors there are in the logs of 60 days, for each of
// which those who were seen are in a set or an array.
'use strict';

const { createHash } = require('crypto');

function log(day) {
	const names = [];
	for (let i = 0; i < 6000; i++) {
		const person = (day * 7919 + i * 31) % 4000;
		names.push(createHash('md5').update(`visitor ${person}`).digest('hex'));
	}
	return names;
}

function unique(names, inSet) {
	const seen = inSet ? new Set() : [];
	let count = 0;
	for (const name of names) {
		if (inSet ? seen.has(name) : seen.includes(name)) {
			continue;
		}
		count++;
		if (inSet) {
			seen.add(name);
		} else {
			seen.push(name);
		}
	}
	return count;
}

let sum = 0;
for (let day = 0; day < 60; day++) {
	sum += unique(log(day), process.argv[2] === 'set');
}
console.log(`${sum} visitors`);
