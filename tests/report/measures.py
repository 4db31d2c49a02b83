# SPDX-License-Identifier: MIT
"""Scripts that measure what a page shows, for Browser.run()."""

# Texts of `selector` that meet each other on the screen.
OVERLAPS = """
const boxes = Array.from(document.querySelectorAll(arguments[0]))
    .filter((e) => e.textContent).map((e) => [e.getBoundingClientRect(), e.textContent]);
const found = [];
boxes.sort((a, b) => a[0].left - b[0].left);
for (let i = 0; i < boxes.length; i++) {
    for (let k = i + 1; k < boxes.length && boxes[k][0].left < boxes[i][0].right - 0.5; k++) {
        const [a, b] = [boxes[i][0], boxes[k][0]];
        if (a.top < b.bottom - 3 && b.top < a.bottom - 3) {
            found.push(`${boxes[i][1]} / ${boxes[k][1]}`);
        }
    }
}
return found.slice(0, 5);
"""

# Names in the flame that are wider than their box, or that are not what the box stands for.
FLAME_LIES = """
return Array.from(document.querySelectorAll(".box")).filter((box) => {
    const text = box.querySelector("text");
    return text && text.textContent &&
        text.getComputedTextLength() > Number(box.querySelector(".frame").getAttribute("width"));
}).length;
"""

# Whether something else is on top of the heads of the functions' table, wherever it is scrolled to.
COVERED_HEADS = """
const holder = document.querySelector(".scroll");
const heads = Array.from(holder.querySelectorAll("thead th"));
let covered = 0;
for (holder.scrollTop = 0; covered === 0; ) {
    covered = heads.filter((head) => {
        const { left, top, width, height } = head.getBoundingClientRect();
        return Array.from({ length: Math.floor(width) - 1 }, (_, x) => x + 1).some((x) =>
            !head.contains(document.elementFromPoint(left + x, top + height / 2)));
    }).length;
    const before = holder.scrollTop;
    holder.scrollTop += 3;
    if (holder.scrollTop === before) {
        break;
    }
}
return [covered, holder.scrollTop > 30];
"""

# The least contrast between the text of a cell, or a box, and the cell.
LEAST_CONTRAST = """
const parts = (colour) => colour[0] === "#" ?
    [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) : colour.match(/[0-9]+/g).map(Number);
const light = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const luminance = (colour) => parts(colour).map((part, i) =>
    [0.2126, 0.7152, 0.0722][i] * light(part / 255)).reduce((a, b) => a + b) + 0.05;
const contrasts = Array.from(document.querySelectorAll(arguments[0]))
    .filter((cell) => cell.querySelector("text")).map((cell) => {
    const [a, b] = [cell.querySelector("rect").getAttribute("fill"),
        getComputedStyle(cell.querySelector("text")).fill].map(luminance);
    return Math.max(a / b, b / a);
});
return Math.min(...contrasts);
"""

# Places and widths of all boxes of a flame graph, by node.
BOXES = """
return Object.fromEntries(Array.from(document.querySelectorAll(".box"), (box) => [box.dataset.node,
    [box.getAttribute("transform"), box.querySelector(".frame").getAttribute("width")].join(" ")]));
"""

# The widths of all boxes, and their colours.
BOX_LOOKS = """
const frames = Array.from(document.querySelectorAll(".box .frame"));
return ["width", "fill"].map((name) => frames.map((frame) => frame.getAttribute(name)));
"""

# How wide the axis of a timeline is, and the picture.
AXIS = """
const svg = document.querySelector(arguments[0] + " svg:last-of-type");
return [svg.querySelector(".axis path.domain").getBoundingClientRect().width,
    svg.getBoundingClientRect().width];
"""

# Lengths of shapes that are none: below 0, or no numbers.
BAD_LENGTHS = """
return Array.from(document.querySelectorAll("svg *")).filter((e) => ["width", "height", "r", "x", "y"]
    .some((name) => e.hasAttribute(name) && !(["x", "y"].includes(name) ?
        Number.isFinite(Number(e.getAttribute(name))) : Number(e.getAttribute(name)) >= 0)))
    .slice(0, 3).map((e) => e.outerHTML.slice(0, 200));
"""

# How much of the functions' table is cut off, and by how much the page is wider than its window.
CUT_OFF = """
const holder = document.querySelector(".scroll");
return [holder.scrollWidth - holder.clientWidth, document.documentElement.scrollWidth - innerWidth];
"""

# Cells of the heat map that are not all in view from left to right, and the least width of one.
CELLS_IN_VIEW = """
const view = document.querySelector("#view").getBoundingClientRect();
const cells = Array.from(document.querySelectorAll(".cell rect:first-child"),
    (e) => e.getBoundingClientRect());
return [cells.filter(({ left, right }) => left < view.left || right > view.right).length,
    Math.min(...cells.map(({ width }) => width)) >= 3];
"""

# Whether the tree's root, by itself or by its name above it, and the function that is looked at are
# in view.
ROOT_AND_CURRENT = """
const view = document.querySelector("#view").getBoundingClientRect();
const isSeen = (e) => {
    const { left, top, bottom } = e.getBoundingClientRect();
    return left >= view.left && top >= view.top && bottom <= view.bottom && left < view.right;
};
return [isSeen(document.querySelector(".kept") || document.querySelector(".node")),
    isSeen(document.querySelector(".node.current"))];
"""

# Whether an expression is true before long: a page hears later than its window that this has another size.
IN_TIME = """return new Promise((tell) => {
    const end = Date.now() + 60000, holds = new Function(`return ${arguments[0]}`);
    (function look() {
        if (holds() || Date.now() > end)
            tell(holds());
        else
            setTimeout(look, 50);
    })();
});"""
