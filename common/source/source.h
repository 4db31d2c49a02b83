/* SPDX-License-Identifier: MIT */
/*
 * Costs of the source lines of functions: time of a recording, by line or instruction. Printing is
 * left to whoever asks for pages.
 *
 *   costs.c          stack events → costs of addresses
 *   lines.c          addresses → lines, by the debug data of a file
 *   instructions.c   addresses → instructions, for code without debug data
 *   page.c           costs, lines and their text → the page of a function
 *   pair.c           pages of a function in two recordings → what was added, by line
 */
