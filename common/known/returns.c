/* SPDX-License-Identifier: MIT */
/*
 * See returns.h.
 */
#include "common/known/returns.h"

#include <glib.h>
#include <string.h>

static const char *const returning_twice[] = {
	"setjmp",           "_setjmp",     "__setjmp",
	"sigsetjmp",        "__sigsetjmp", "__sigsetjmp_cancel",
	"__libc_sigsetjmp", "savectx",     "getcontext",
	"__getcontext",     "vfork",       "__vfork",
	"__libc_vfork",     NULL,
};
static const char *const never_returning[] = {
	"abort",
	"exit",
	"_exit",
	"_Exit",
	"quick_exit",
	"pthread_exit",
	"longjmp",
	"_longjmp",
	"siglongjmp",
	"__longjmp_chk",
	"__assert_fail",
	"__assert_perror_fail",
	"__stack_chk_fail",
	"__chk_fail",
	"__fortify_fail",
	"__libc_fatal",
	"__cxa_throw",
	"__cxa_rethrow",
	"__cxa_bad_cast",
	"__cxa_bad_typeid",
	"__cxa_call_unexpected",
	"__cxa_throw_bad_array_new_length",
	"_Unwind_Resume",
	"_ZSt9terminatev",
	NULL,
};
/* GCC's function for growing stacks: it comes back to somewhere else. */
static const char *const unclear[] = { "__morestack", NULL };

/* std::__throw_…() */
static const char throwing_prefix[] = "_ZSt";
static const char throwing_infix[] = "__throw_";

bool itp_returns_twice(const char *function)
{
	return g_strv_contains(returning_twice, function);
}

bool itp_returns_never(const char *function)
{
	return g_strv_contains(never_returning, function) ||
	       (g_str_has_prefix(function, throwing_prefix) && strstr(function, throwing_infix));
}

bool itp_returns_elsewhere(const char *function)
{
	return g_strv_contains(unclear, function);
}
