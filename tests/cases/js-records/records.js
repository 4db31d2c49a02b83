// SPDX-License-Identifier: MIT
//
// records.js index|shift: takes the records of some tills, which it makes up, into the books. The
// records of a till wait in a queue, from which one after another is taken; one whose customer is not
// known yet goes to its end again. The queue is an array, whose first record is found by a number or
// taken out with shift(). Prints a sum of the books.
'use strict';

const { createHash } = require('crypto');

const byShift = process.argv[2] === 'shift';
const tills = 12;
const recordsOfTill = 26000;

function random(seed) {
	let state = seed;
	return (limit) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return (state >>> 8) % limit;
	};
}

// What a till has sent during a day, one record on each line.
function journal(till) {
	const next = random(till + 1);
	const lines = [];
	for (let i = 0; i < recordsOfTill; i++) {
		const customer = next(4000);
		if (i % 4 === 3) {
			lines.push(`customer;${customer};Customer ${customer} of till ${till};${next(90000)}`);
		} else {
			lines.push(`sale;${customer};${1 + next(9)}*A${next(700)};${next(20000)}`);
		}
	}
	return lines.join('\n');
}

function parseRecords(text) {
	return text.split('\n').map((line) => {
		const [kind, customer, what, number] = line.split(';');
		return { kind, customer, what, number: Number(number), tries: 0 };
	});
}

function addCustomer(books, { customer, what, number }) {
	if (!books.has(customer)) {
		books.set(customer, { name: what, code: String(number).padStart(5, '0'), sales: [] });
	}
}

// Whether the customer of this sale is known, and the sale therefore in the books.
function addSale(books, { customer, what, number }) {
	const account = books.get(customer);
	if (!account) {
		return false;
	}
	const [amount, article] = what.split('*');
	account.sales.push({ article, amount: Number(amount), cents: number * Number(amount) });
	return true;
}

function bookRecords(queue) {
	const books = new Map();
	const refused = [];
	let first = 0;
	while (first < queue.length) {
		const record = byShift ? queue.shift() : queue[first++];
		if (record.kind === 'customer') {
			addCustomer(books, record);
		} else if (!addSale(books, record)) {
			record.tries++;
			if (record.tries < 3) {
				queue.push(record);
			} else {
				refused.push(record);
			}
		}
	}
	return { books, refused };
}

function money(cents) {
	return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

function statement(customer, { name, code, sales }) {
	let total = 0;
	const rows = sales.map(({ article, amount, cents }) => {
		total += cents;
		return `${article.padEnd(8)}${String(amount).padStart(4)}${money(cents).padStart(12)}`;
	});
	return `${name} (${customer}, ${code})\n${rows.join('\n')}\ntotal ${money(total)}\n`;
}

const sum = createHash('sha256');
let booked = 0;
let left = 0;
for (let till = 0; till < tills; till++) {
	const { books, refused } = bookRecords(parseRecords(journal(till)));
	for (const [customer, account] of books) {
		sum.update(statement(customer, account));
		booked += account.sales.length;
	}
	sum.update(JSON.stringify(refused));
	left += refused.length;
}
console.log(`sum ${sum.digest('hex')}: ${booked} sales booked, ${left} refused`);
