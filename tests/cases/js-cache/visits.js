// SPDX-License-Identifier: MIT
//
// visits.js first|all: makes a report of a site's visits by network, day after day. What is known of
// an address is kept for the next visits from it, of so many addresses at most; the oldest is found as
// the first key of that map, or in an array of all its keys.
'use strict';

const crypto = require('crypto');

const findsFirst = process.argv[2] === 'first';
const limit = 5000;
const known = new Map();

let seed = 12345;
function random(count) {
	seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
	return (seed >>> 8) % count;
}

function visitsOfDay(day) {
	const visits = [];
	for (let i = 0; i < 7000; i++) {
		// Some come every day, most of them only once.
		const host = random(3) === 0 ? random(1500) : 5000 + random(60000);
		const address = `10.${host >> 14}.${(host >> 7) & 127}.${host & 127}`;
		visits.push({ address, page: `/articles/${random(400)}`, day });
	}
	return visits;
}

function networkOf(address) {
	const parts = address.split('.').map(Number);
	const name = parts.slice(0, 3).join('.');
	const id = crypto.createHash('sha256').update(`network ${name}`).digest('hex').slice(0, 12);
	return { name: `${name}.0/24`, id, isLocal: parts[1] === 0 && parts[2] < 12 };
}

function addNetworks(visits) {
	let missing = 0;
	for (const visit of visits) {
		let network = known.get(visit.address);
		if (!network) {
			missing++;
			network = networkOf(visit.address);
			if (known.size >= limit) {
				const oldest = findsFirst ? known.keys().next().value : [...known.keys()][0];
				known.delete(oldest);
			}
			known.set(visit.address, network);
		}
		visit.network = network;
	}
	return missing;
}

function countPages(visits) {
	const counts = new Map();
	for (const { network, page } of visits) {
		const key = `${network.isLocal ? 'local' : network.name} ${page}`;
		counts.set(key, (counts.get(key) || 0) + 1);
	}
	return counts;
}

function report(day, counts) {
	const lines = [];
	for (const [key, count] of counts) {
		lines.push(`${String(count).padStart(6)} ${key}`);
	}
	lines.sort();
	return `day ${day}\n${lines.join('\n')}\n`;
}

const sum = crypto.createHash('sha256');
let missing = 0;
for (let day = 0; day < 28; day++) {
	const visits = visitsOfDay(day);
	missing += addNetworks(visits);
	sum.update(report(day, countPages(visits)));
}
console.log(`sum ${sum.digest('hex')}: ${missing} addresses looked up`);
