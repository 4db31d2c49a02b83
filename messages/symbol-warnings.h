/* SPDX-License-Identifier: MIT */
/*
 * Sentences for what keeps a symbolizer from naming functions, and what to do about it. Paths come
 * out of the recording: what could move the cursor of a terminal is escaped.
 */
#ifndef ITP_MESSAGES_SYMBOL_WARNINGS_H
#define ITP_MESSAGES_SYMBOL_WARNINGS_H

#include "common/symbol/symbol-files.h"

/* Both owned by the caller. */
char *itp_symbol_warning_text(const struct itp_symbol_warning *warning);
char *itp_symbol_warning_path(const char *path);

#endif
