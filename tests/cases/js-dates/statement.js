// SPDX-License-Identifier: MIT
//
// statement.js once|each: sorts the bookings of accounts by day and prints the first one. The days are
// texts, of which dates are made once, or in each comparison.

'use strict';

const ACCOUNTS = 42;
const BOOKINGS = 9000;

function makeBookings(account) {
	const bookings = [];
	for (let i = 0; i < BOOKINGS; i++) {
		const day = (i * 7919 + account * 31) % 28 + 1;
		const month = (i * 31) % 12 + 1;
		bookings.push({
			day: `2024-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T12:00:00Z`,
			cents: i * 17 % 4001,
			note: `order ${i * 104729 % 99991} of account ${account}`,
		});
	}
	return bookings;
}

function compareDates(a, b) {
	return new Date(a.day) - new Date(b.day) || a.cents - b.cents;
}

function compareTimes(a, b) {
	return a.time - b.time || a.cents - b.cents;
}

function sortBookings(bookings, each) {
	if (each) {
		return bookings.sort(compareDates);
	}
	for (const booking of bookings) {
		booking.time = new Date(booking.day).getTime();
	}
	return bookings.sort(compareTimes);
}

function write(bookings) {
	let length = 0;
	for (let round = 0; round < 3; round++) {
		length += JSON.stringify(bookings).length;
	}
	return length;
}

const each = process.argv[2] === 'each';
let first;
let length = 0;
for (let account = 0; account < ACCOUNTS; account++) {
	const bookings = sortBookings(makeBookings(account), each);
	length += write(bookings);
	first = bookings[0];
}
console.log(`first ${first.day} ${first.cents}, ${length} bytes`);
