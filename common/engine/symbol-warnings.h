/* SPDX-License-Identifier: MIT */
/*
 * Sentences about obstacles to naming functions, and their remedies. Paths come out of the
 * recording: characters that could move the cursor of a terminal are escaped.
 */
#ifndef ITP_ENGINE_SYMBOL_WARNINGS_H
#define ITP_ENGINE_SYMBOL_WARNINGS_H

#include "common/symbol/symbol-files.h"

/* Both owned by the caller. */
char *itp_symbol_warning_text(const struct itp_symbol_warning *warning);
char *itp_symbol_warning_path(const char *path);

#endif
