// SPDX-License-Identifier: MIT
// Counts the visits of a site's pages, by day, from lines as a server writes them.
'use strict';

const copies = process.argv[2] === 'copied';

function makeLine(number) {
	const page = number * 7919 % 1200;
	return `10.0.${number % 7}.${number % 251} - GET /page/${page} 200 ${number * 31 % 9973}`;
}

function pageOf(line) {
	const fields = line.split(' ');
	return fields[3].slice('/page/'.length);
}

function countVisit(counts, page) {
	if (copies) {
		return { ...counts, ['p' + page]: (counts['p' + page] || 0) + 1 };
	}
	counts['p' + page] = (counts['p' + page] || 0) + 1;
	return counts;
}

function countDay(day, lines) {
	const pages = [];
	for (let i = 0; i < lines; i++) {
		pages.push(pageOf(makeLine(day * lines + i)));
	}
	return pages.reduce(countVisit, {});
}

let all = {};
for (let day = 0; day < 6; day++) {
	all = countDay(day, 5000);
}
let check = 0;
for (let i = 0; i < 2200000; i++) {
	check = (check + pageOf(makeLine(i)).length) % 65521;
}
console.log(`${Object.keys(all).length} pages, ${check}`);
