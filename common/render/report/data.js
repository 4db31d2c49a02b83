// SPDX-License-Identifier: MIT
//
// What data.c wrote into the page: what was compared, and all names.

const LAYER = { USER: 0, KERNEL: 1, SYSCALL: 2, PROCESS: 3 };

const D = JSON.parse(document.getElementById("data").textContent);

// What all times are.
const TIME = D.has_latencies ? "latency" : "CPU time";

const sides = D.base ? ["base", "suspect"] : ["suspect"];
const headOf = (side) => D[side].head;

const functions = D.functions.map(([name, module, layer, kind], id) => ({
	id, name, module: D.modules[module], layer, kind, lower: name.toLowerCase(),
}));
