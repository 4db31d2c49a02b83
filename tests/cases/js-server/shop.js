// SPDX-License-Identifier: MIT
//
// shop.js PORT once|each: a shop's list of prices, which are written with a formatter that is made
// once, or with one for each price.
'use strict';

const http = require('http');
const zlib = require('zlib');

const style = { style: 'currency', currency: 'EUR' };
const euros = process.argv[3] === 'once' ? new Intl.NumberFormat('de-DE', style) : null;

const products = [];
for (let i = 0; i < 600; i++) {
	products.push({ name: `Article <${i}>`, cents: (i * 7919) % 100003, stock: i % 17 });
}

function escaped(text) {
	return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

function priceList() {
	let rows = '';
	for (const { name, cents, stock } of products) {
		const amount = cents / 100;
		const price = euros ? euros.format(amount) : amount.toLocaleString('de-DE', style);
		rows += `<tr><td>${escaped(name)}</td><td>${price}</td><td>${stock}</td></tr>\n`;
	}
	return `<html><title>Prices</title><table>\n${rows}</table></html>\n`;
}

http.createServer((request, response) => {
	zlib.gzip(priceList(), (error, page) => {
		response.writeHead(error ? 500 : 200, {
			'Content-Type': 'text/html; charset=utf-8',
			'Content-Encoding': 'gzip',
		});
		response.end(page);
	});
}).listen(Number(process.argv[2]), '127.0.0.1');
