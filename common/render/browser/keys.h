/* SPDX-License-Identifier: MIT */
/*
 * Keys that a browser takes.
 */
#ifndef ITP_RENDER_BROWSER_KEYS_H
#define ITP_RENDER_BROWSER_KEYS_H

/* Keys are their characters, or these, which are no characters. */
enum itp_browser_key {
	ITP_BROWSER_ENTER = '\r',
	ITP_BROWSER_ESCAPE = '\033',
	ITP_BROWSER_INTERRUPT = '\003',
	ITP_BROWSER_UP = 0x110000,
	ITP_BROWSER_DOWN,
	ITP_BROWSER_LEFT,
	ITP_BROWSER_RIGHT,
	ITP_BROWSER_PAGE_UP,
	ITP_BROWSER_PAGE_DOWN,
	ITP_BROWSER_HOME,
	ITP_BROWSER_END,
	ITP_BROWSER_ERASE,
	ITP_BROWSER_HELP,
};

#endif
