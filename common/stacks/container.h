/* SPDX-License-Identifier: MIT */
/*
 * Names of containers: a container is the innermost control group that somebody has named.
 */
#ifndef ITP_STACKS_CONTAINER_H
#define ITP_STACKS_CONTAINER_H

/* Name of processes in the root group, and of those whose group nobody has told. */
#define ITP_NO_CONTAINER "[no container]"

/* Name of the container with this path below the mount of the control groups. In the order of
 * preference: the first 12 digits of a container's number, as `docker ps` and `crictl ps` show it;
 * the name that LXC gave; a unit of systemd ("nginx.service"); the last part of the path. Owned by
 * the caller. */
char *itp_container_name(const char *path);

#endif
