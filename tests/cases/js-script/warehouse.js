// SPDX-License-Identifier: MIT
//
// warehouse.js amounts|stock: books a year's orders in the stocks of ten warehouses. To take an order
// back that there is not enough for, it keeps the amounts that the order has changed, or a copy of
// all the stock.
'use strict';

const { createHash, createPrivateKey, sign } = require('crypto');

const copyStock = process.argv[2] === 'stock';
const articles = 180;
const warehouses = 10;

function random(seed) {
	let state = seed;
	return (limit) => {
		state = (Math.imul(state, 1103515245) + 12345) >>> 0;
		return (state >>> 8) % limit;
	};
}

function firstStock(warehouse) {
	const stock = {};
	for (let i = 0; i < articles; i++) {
		const number = `A${String(i).padStart(5, '0')}`;
		stock[number] = {
			name: `Article ${i} of warehouse ${warehouse}`,
			shelf: `${String.fromCharCode(65 + (i % 26))}-${i % 97}`,
			amount: 80 + ((i * 31) % 50),
			sold: 0,
		};
	}
	return stock;
}

// The orders as another program has left them, one on each line.
function orderFile(warehouse) {
	const next = random(warehouse + 1);
	const lines = [];
	for (let i = 0; i < 2000; i++) {
		const items = [];
		for (let j = next(8); j >= 0; j--) {
			items.push(`A${String(next(articles)).padStart(5, '0')}*${1 + next(6)}`);
		}
		lines.push(`${warehouse}-${i};2024-${1 + next(12)}-${1 + next(28)};${items.join(',')}`);
	}
	return lines.join('\n');
}

function parseOrders(text) {
	return text.split('\n').map((line) => {
		const [number, date, items] = line.split(';');
		return {
			number,
			date: new Date(date),
			items: items.split(',').map((item) => {
				const [article, amount] = item.split('*');
				return { article, amount: Number(amount) };
			}),
		};
	});
}

function bookOrders(stock, orders) {
	const booked = [];
	for (const order of orders) {
		const before = copyStock ? JSON.parse(JSON.stringify(stock)) : [];
		let enough = true;
		for (const { article, amount } of order.items) {
			const entry = stock[article];
			if (entry.amount < amount) {
				enough = false;
				break;
			}
			entry.amount -= amount;
			entry.sold += amount;
			if (!copyStock) {
				before.push([entry, amount]);
			}
		}
		if (enough) {
			booked.push(order);
		} else if (copyStock) {
			stock = before;
		} else {
			for (const [entry, amount] of before) {
				entry.amount += amount;
				entry.sold -= amount;
			}
		}
	}
	return { stock, booked };
}

// A key for trying things out: anybody's who reads this.
const key = createPrivateKey({
	key: Buffer.concat([
		Buffer.from('302e020100300506032b657004220420', 'hex'),
		createHash('sha256').update('warehouse').digest(),
	]),
	format: 'der',
	type: 'pkcs8',
});

// The papers that go with the parcels, signed, and a sum of all.
function deliveryNotes(stock, orders) {
	const sum = createHash('sha256');
	for (const order of orders) {
		const rows = order.items.map(({ article, amount }) => {
			const { name, shelf } = stock[article];
			return `${article.padEnd(10)}${name.padEnd(40)}${shelf.padEnd(8)}${amount}`;
		});
		const note = `${order.number} ${order.date.toISOString()}\n${rows.join('\n')}\n`;
		sum.update(note);
		sum.update(sign(null, Buffer.from(note), key));
	}
	return sum.digest('hex');
}

const total = createHash('sha256');
let count = 0;
for (let warehouse = 0; warehouse < warehouses; warehouse++) {
	const orders = parseOrders(orderFile(warehouse));
	const { stock, booked } = bookOrders(firstStock(warehouse), orders);
	total.update(deliveryNotes(stock, booked));
	total.update(JSON.stringify(stock));
	count += booked.length;
}
console.log(`sum ${total.digest('hex')}: ${count} orders booked`);
