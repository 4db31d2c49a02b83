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
const heads = Array.from(holder.querySelectorAll("th"));
let covered = 0;
for (holder.scrollTop = 0; covered === 0; ) {
    covered = heads.filter((head) => {
        const { left, top, width, height } = head.getBoundingClientRect();
        return Array.from({ length: Math.floor(width) - 1 }, (_, x) => x + 1).some((x) =>
            document.elementFromPoint(left + x, top + height / 2) !== head);
    }).length;
    const before = holder.scrollTop;
    holder.scrollTop += 3;
    if (holder.scrollTop === before) {
        break;
    }
}
return [covered, holder.scrollTop > 30];
"""

# The least contrast between the number of a cell and the cell, of those in which something happens.
LEAST_CONTRAST = """
const parts = (colour) => colour[0] === "#" ?
    [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) : colour.match(/[0-9]+/g).map(Number);
const light = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const luminance = (colour) => parts(colour).map((part, i) =>
    [0.2126, 0.7152, 0.0722][i] * light(part / 255)).reduce((a, b) => a + b) + 0.05;
const contrasts = Array.from(document.querySelectorAll(".cell")).map((cell) => {
    const [a, b] = [cell.querySelector("rect").getAttribute("fill"),
        getComputedStyle(cell.querySelector("text")).fill].map(luminance);
    return Math.max(a / b, b / a);
});
return Math.min(...contrasts);
"""

# Boxes of whole processes that look as if some of the time were their own.
PROCESS_COLOURS = """
const rest = getComputedStyle(document.documentElement).getPropertyValue("--rest").trim();
return Array.from(document.querySelectorAll(".box"))
    .filter((box) => box.getAttribute("transform").endsWith(",0)"))
    .map((box) => box.querySelector(".frame").getAttribute("fill")).filter((fill) => fill !== rest);
"""

# How wide the axis of a timeline is, and the picture.
AXIS = """
const svg = document.querySelector(arguments[0] + " svg:last-of-type");
return [svg.querySelector(".axis path.domain").getBoundingClientRect().width,
    svg.getBoundingClientRect().width];
"""
