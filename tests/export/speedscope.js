// SPDX-License-Identifier: MIT
//
// node speedscope.js SPEEDSCOPE-DIR FILE: opens FILE with speedscope's own importers and prints what
// they make of it, a JSON object a line for each profile:
//
//   {"name": …, "unit": …, "total": …, "frames": {NAME: {"self": …, "total": …}, …}, "calls": …}
//
// SPEEDSCOPE-DIR is the installed npm package. Its importers are part of the page's script, which is
// run here up to where it draws the page. What the importers complain about goes to standard error.
'use strict';
const fs = require('fs');
const path = require('path');
const vm = require('vm');

const [directory, file] = process.argv.slice(2);
const release = path.join(directory, 'dist', 'release');

function only(text, pattern) {
  const found = text.match(pattern);
  if (!found) {
    throw new Error(`speedscope looks different: no ${pattern}`);
  }
  return found;
}

// The page's script with its end, which draws, replaced by one that hands out the importer.
function importerScript() {
  const name = fs.readdirSync(release).find(entry => /^speedscope-.*\.js$/.test(entry));
  const script = fs.readFileSync(path.join(release, name), 'utf8');
  const importer = only(script, /importProfilesFromArrayBuffer:\(\)=>([$\w]+)/)[1];
  const module = only(script, /importProfilesFromArrayBuffer.*?var ([$\w]+)=re\(\(\)=>\{"use strict";(?:[$\w]+\(\);)+[$\w]+\(\)\}\);var/s)[1];
  const end = only(script, /console\.log\(`speedscope v/).index;
  return `${script.slice(0, end)};${module}();globalThis.importFile=${importer}})();`;
}

// As much of a browser as the script looks at before it draws.
function browser() {
  const nothing = () => {};
  const element = { style: {}, setAttribute: nothing, appendChild: nothing };
  const window = {
    addEventListener: nothing,
    matchMedia: () => ({ matches: false, addEventListener: nothing, addListener: nothing }),
    location: { hash: '', protocol: 'file:' },
    navigator: { userAgent: '' },
    document: { createElement: () => element, head: element, body: element, addEventListener: nothing },
    localStorage: { getItem: () => null, setItem: nothing },
    console: { log: nothing, warn: console.error, error: console.error },
    setTimeout, clearTimeout, TextDecoder, TextEncoder, URL, performance,
  };
  window.window = window.self = window.globalThis = window;
  return window;
}

function describe(profile) {
  const frames = {};
  let calls = 0;
  profile.forEachFrame(frame => {
    const sums = frames[frame.name] || { self: 0, total: 0 };
    sums.self += frame.getSelfWeight();
    sums.total += frame.getTotalWeight();
    frames[frame.name] = sums;
  });
  profile.forEachCall(() => calls++, () => {});
  return { name: profile.getName(), unit: profile.getWeightUnit(), total: profile.getTotalWeight(),
    calls, frames };
}

async function main() {
  const context = vm.createContext(browser());
  vm.runInContext(importerScript(), context, { filename: 'speedscope' });
  const bytes = fs.readFileSync(file);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const group = await context.importFile(path.basename(file), buffer);
  if (!group) {
    throw new Error(`${file}: speedscope does not know the format`);
  }
  for (const profile of group.profiles) {
    process.stdout.write(`${JSON.stringify(describe(profile))}\n`);
  }
}

main().catch(error => {
  console.error(error.stack);
  process.exit(1);
});
