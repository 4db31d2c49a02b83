/* SPDX-License-Identifier: MIT */
/*
 * See claim.h.
 */
#define _GNU_SOURCE /* struct ucred */

#include "plugins/perf/record/claim.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Address of the claim to `path`. False when there is nothing to claim. */
static bool address_of(const char *path, struct sockaddr_un *ret_address, socklen_t *ret_size)
{
	char *real = realpath(path, NULL);
	g_autofree char *directory = g_path_get_dirname(real ? real : path);
	g_autofree char *name = g_path_get_basename(real ? real : path);
	g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, name, -1);
	struct stat status;
	bool is_claimable = (stat(path, &status) != 0 || S_ISREG(status.st_mode)) &&
			    stat(directory, &status) == 0;

	free(real);
	if (!is_claimable) {
		return false;
	}
	*ret_address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	/* Behind a first byte of 0 the name is no file's. */
	g_snprintf(ret_address->sun_path + 1, sizeof(ret_address->sun_path) - 1,
		   "introperf %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x %.32s",
		   (guint64)status.st_dev, (guint64)status.st_ino, sum);
	*ret_size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
				strlen(ret_address->sun_path + 1));
	return true;
}

/* Process with the claim; 0 when it has just ended, or when so many have asked that its queue is
 * full. */
static pid_t owner_of(const struct sockaddr_un *address, socklen_t size)
{
	int asking = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct ucred owner = { .pid = 0 };
	socklen_t owner_size = sizeof(owner);

	if (asking >= 0 && connect(asking, (const struct sockaddr *)address, size) == 0) {
		(void)getsockopt(asking, SOL_SOCKET, SO_PEERCRED, &owner, &owner_size);
	}
	if (asking >= 0) {
		close(asking);
	}
	return owner.pid;
}

static void set_owned(GError **error, const char *path, pid_t owner)
{
	g_autofree char *who = owner > 0 ? g_strdup_printf("process %d", owner) :
					   g_strdup("another process");

	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_EXIST,
		    "%s: %s records into it; wait for its end, or name another file (-o FILE)",
		    path, who);
}

bool itp_claim(const char *path, int *ret_claim, GError **error)
{
	struct sockaddr_un address;
	socklen_t size;
	int claim;

	*ret_claim = -1;
	if (!address_of(path, &address, &size)) {
		return true;
	}
	claim = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (claim >= 0 && bind(claim, (const struct sockaddr *)&address, size) == 0) {
		/* Nobody accepts: askers only look for the socket's owner. */
		(void)listen(claim, SOMAXCONN);
		*ret_claim = claim;
		return true;
	}
	if (claim < 0 || errno != EADDRINUSE) {
		return true;
	}
	close(claim);
	set_owned(error, path, owner_of(&address, size));
	return false;
}
