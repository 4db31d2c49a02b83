/* SPDX-License-Identifier: MIT */
/*
 * Modules that are nobody's own code, and the walk from the leaf to the culprit.
 */
#include "common/rank/culprit.h"

/* Shell patterns of module names. */
static const char *const foreign_modules[] = {
	/* Pseudo modules: kernel, vdso, anonymous memory. */
	"",
	"[*]",
	/* C libraries and loaders. */
	"libc.so*",
	"libc-?.??.so",
	"libm.so*",
	"libdl.so*",
	"librt.so*",
	"libpthread*.so*",
	"libresolv.so*",
	"libnss_*.so*",
	"ld-linux*.so*",
	"ld-?.??.so",
	"ld64.so*",
	"ld-musl-*.so*",
	"libc.musl-*.so*",
	/* Language runtimes and allocators. */
	"libgcc_s.so*",
	"libstdc++.so*",
	"libc++*.so*",
	"libgomp.so*",
	"libgo.so*",
	"libjvm.so",
	"libpython*.so*",
	"libperl.so*",
	"libruby*.so*",
	"libjemalloc.so*",
	"libtcmalloc*.so*",
};

bool itp_function_is_own(const struct itp_function *function)
{
	if (function->layer != ITP_LAYER_USER) {
		return false;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(foreign_modules); i++) {
		if (g_pattern_match_simple(foreign_modules[i], function->module)) {
			return false;
		}
	}
	return true;
}

static int64_t own_difference(const struct itp_ranked_frame *frame)
{
	return frame->suspect->own_ns - (frame->base ? frame->base->own_ns : 0);
}

int32_t itp_culprit_find(const struct itp_ranked_path *path,
			 const struct itp_function_table *functions)
{
	int64_t all_ns = 0;
	int64_t below_ns = 0;
	int64_t sign;

	for (uint32_t i = 0; i < path->frame_count; i++) {
		all_ns += own_difference(&path->frames[i]);
	}
	if (all_ns == 0) {
		return -1;
	}
	/* A path that got faster is explained by what it no longer does. */
	sign = all_ns > 0 ? 1 : -1;
	for (uint32_t i = path->frame_count; i-- > 0;) {
		const struct itp_ranked_frame *frame = &path->frames[i];

		below_ns += own_difference(frame);
		if (2 * sign * below_ns >= sign * all_ns &&
		    itp_function_is_own(itp_function_table_get(functions, frame->function))) {
			return (int32_t)i;
		}
	}
	return -1;
}
