// SPDX-License-Identifier: MIT
//
// Numbers that packed.c wrote in few bytes, and these out of the text of an element.

function bytesOf(base64) {
	if (Uint8Array.fromBase64) {
		return Uint8Array.fromBase64(base64);
	}
	const text = atob(base64);
	const bytes = new Uint8Array(text.length);

	for (let i = 0; i < text.length; i++) {
		bytes[i] = text.charCodeAt(i);
	}
	return bytes;
}

async function inflate(bytes) {
	const stream = new DecompressionStream("deflate");
	const writer = stream.writable.getWriter();

	writer.write(bytes);
	writer.close();
	return new Uint8Array(await new Response(stream.readable).arrayBuffer());
}

const isOld = (text) => text.startsWith("zlib:") && typeof DecompressionStream === "undefined";

// Bytes, or a promise of them where they are compressed.
function unpack(text) {
	const bytes = bytesOf(text.slice(text.indexOf(":") + 1));

	return text.startsWith("zlib:") ? inflate(bytes) : bytes;
}

class Numbers {
	constructor(bytes, at = 0) {
		this.bytes = bytes;
		this.at = at;
	}

	next() {
		const { bytes } = this;
		let value = bytes[this.at++];

		// Not by bits, as these have but 32 of them.
		for (let scale = 128; value >= scale; scale *= 128) {
			value += (bytes[this.at++] - 1) * scale;
		}
		return value;
	}

	// `count` numbers, which may be negative; null where all are 0.
	column(count, Kind = Float64Array) {
		if (this.next() === 0) {
			return null;
		}
		const values = new Kind(count);

		for (let i = 0; i < count; i++) {
			const twice = this.next();

			values[i] = twice % 2 ? -(twice + 1) / 2 : twice / 2;
		}
		return values;
	}
}
