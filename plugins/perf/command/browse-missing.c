/* SPDX-License-Identifier: MIT */
/*
 * See browse.h: for builds without a browser's dependencies.
 */
#include "plugins/perf/command/browse.h"

#include "common/base/failure.h"

bool itp_browse_check(GError **error)
{
	itp_failure_set(error,
			"--tui: this program was built without ncurses; install libncurses-dev "
			"(Debian) or ncurses-devel (Fedora) and build it again");
	return false;
}

bool itp_browse(const struct itp_ranking *ranking, const struct itp_render_options *looks,
		void *series, GError **error)
{
	(void)ranking;
	(void)looks;
	(void)series;
	return itp_browse_check(error);
}
