/* SPDX-License-Identifier: MIT */
/*
 * Names of containers, by the paths that runtimes and systemd give their control groups.
 */
#include "common/stacks/container.h"

#include <glib.h>

#define NUMBER "0f2a9c0d1b22aabbccddeeff00112233445566778899aabbccddeeff00112233"
#define OTHER "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
#define SHOWN "0f2a9c0d1b22"

static void test_names(void)
{
	const struct {
		const char *path;
		const char *name;
	} groups[] = {
		/* Docker by its own paths and by systemd, containerd, CRI-O, Podman. */
		{ "/docker/" NUMBER, SHOWN },
		{ "/system.slice/docker-" NUMBER ".scope", SHOWN },
		{ "/kubepods/besteffort/pod8e3b1c7e-0f6e-4d5c-9d1b-0a1b2c3d4e5f/" NUMBER, SHOWN },
		{ "/kubepods.slice/kubepods-burstable.slice/cri-containerd-" NUMBER ".scope",
		  SHOWN },
		{ "/kubepods.slice/crio-" NUMBER ".scope/container", SHOWN },
		{ "/machine.slice/libpod-" NUMBER ".scope", SHOWN },
		/* Inside of a container: a service of its own, and a container in a container. */
		{ "/docker/" NUMBER "/system.slice/cron.service", SHOWN },
		{ "/docker/" NUMBER "/docker/" OTHER, SHOWN },
		/* LXC. */
		{ "/lxc/web", "web" },
		{ "/lxc.payload/web/init.scope", "web" },
		{ "/lxc.payload.web/system.slice/nginx.service", "web" },
		{ "/lxc", "lxc" },
		/* systemd. */
		{ "/system.slice/nginx.service", "nginx.service" },
		{ "/system.slice/nginx.service/worker", "nginx.service" },
		{ "/user.slice/user-1000.slice/user@1000.service/app.slice/app-shop.scope",
		  "app-shop.scope" },
		{ "/user.slice", "user.slice" },
		/* Others. */
		{ "/batch/night/", "night" },
		{ "/" NUMBER "a", SHOWN },
		{ "/abc", "abc" },
		/* The root, of a host or a container that sees nothing else. */
		{ "/", ITP_NO_CONTAINER },
		{ "", ITP_NO_CONTAINER },
	};

	for (guint i = 0; i < G_N_ELEMENTS(groups); i++) {
		g_autofree char *name = itp_container_name(groups[i].path);

		g_assert_cmpstr(name, ==, groups[i].name);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/container/names", test_names);
	return g_test_run();
}
