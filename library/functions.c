/* SPDX-License-Identifier: MIT */
/*
 * Functions of an introperf: see introperf.h.
 */
#include "library/library.h"

G_STATIC_ASSERT((int)INTROPERF_UNKNOWN == (int)ITP_FUNCTION_UNKNOWN);
G_STATIC_ASSERT((int)INTROPERF_KERNEL == (int)ITP_LAYER_KERNEL);
G_STATIC_ASSERT((int)INTROPERF_SYSCALL == (int)ITP_LAYER_SYSCALL);

uint32_t introperf_function(struct introperf *introperf, const char *name, const char *module,
			    enum introperf_layer layer)
{
	const struct itp_function function = {
		.name = name,
		.module = module ? module : "",
		.build_id = "",
		.layer = layer == INTROPERF_KERNEL ? ITP_LAYER_KERNEL : ITP_LAYER_USER,
	};

	return layer == INTROPERF_SYSCALL ?
		       itp_function_table_intern_syscall(introperf->functions, name) :
		       itp_function_table_intern(introperf->functions, &function);
}
