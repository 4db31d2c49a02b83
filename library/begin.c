/* SPDX-License-Identifier: MIT */
/*
 * See introperf.h and library.h: begin and end, and texts of errors.
 */
#include "library/library.h"

#include "common/base/error.h"

G_STATIC_ASSERT((int)INTROPERF_ERROR_LIMIT == (int)ITP_ERROR_LIMIT);
G_STATIC_ASSERT((int)INTROPERF_ERROR_TIME_ORDER == (int)ITP_ERROR_TIME_ORDER);
G_STATIC_ASSERT((int)INTROPERF_ERROR_UNKNOWN_FUNCTION == (int)ITP_ERROR_UNKNOWN_ID);
G_STATIC_ASSERT((int)INTROPERF_ERROR_NO_SYSTEM_CALL == (int)ITP_ERROR_CALLEE);
const char *introperf_error_text(int error)
{
	switch (error) {
	case INTROPERF_ERROR_LIMIT:
		return "the stack is deeper than INTROPERF_MAX_DEPTH";
	case INTROPERF_ERROR_UNKNOWN_FUNCTION:
		return "introperf_function() has not returned this number of a function";
	case INTROPERF_ERROR_NO_SYSTEM_CALL:
		return "the callee of a system call is a function of another layer than "
		       "INTROPERF_SYSCALL";
	case INTROPERF_ERROR_UNKNOWN_KIND:
		return "there is no such kind of event";
	case INTROPERF_ERROR_FINISHED:
		return "the run is finished";
	case INTROPERF_ERROR_UNFINISHED:
		return "a run is not finished; call introperf_run_finish() before ranking";
	case INTROPERF_ERROR_NO_SUSPECT:
		return "there is no run under suspicion with anything in it";
	case INTROPERF_ERROR_NO_SUCH:
		return "the ranking has no such entry, or the entry no such frame";
	default:
		return itp_error_text((enum itp_error)error);
	}
}

struct introperf *introperf_new(void)
{
	struct introperf *introperf = g_new0(struct introperf, 1);

	introperf->functions = itp_function_table_new();
	introperf->tree = itp_context_tree_new();
	introperf->runs = g_ptr_array_new_with_free_func(itp_library_run_free);
	return introperf;
}

void introperf_free(struct introperf *introperf)
{
	if (!introperf) {
		return;
	}
	g_ptr_array_unref(introperf->runs);
	itp_context_tree_free(introperf->tree);
	itp_function_table_free(introperf->functions);
	g_free(introperf);
}
