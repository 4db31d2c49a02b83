/* SPDX-License-Identifier: MIT */
/*
 * Target of a recording, and its code.
 */
#ifndef ITP_PERF_RECORD_TARGET_H
#define ITP_PERF_RECORD_TARGET_H

#include <glib.h>
#include <stdbool.h>

struct itp_target {
	/* Processes that run already, as perf takes them: numbers with commas between; NULL for
	 * none. Owned by this. */
	char *pids;
	/* `pids` are threads. */
	bool is_threads;
	/* The whole machine; and if not NULL, only these CPUs, in perf's form. Owned by this. */
	gboolean is_machine;
	char *cpus;
	/* `pids` are the processes of this user, by name or number; NULL where they are others.
	 * Owned by this. */
	char *user;
	/* Program whose processes become `pids` once there are any, by its name or path, see
	 * awaited.h; NULL for none. Owned by this. */
	char *awaited;
	/* The program to start, with its arguments; NULL for none. Owned by this. */
	char **command;
	/* Processes of `command`, in perf's form, once it runs; NULL before. Owned by this. */
	char *started;
};

/* True when a target is named, and exists; `purpose` is a verb for errors, as "record". */
bool itp_target_check(const struct itp_target *target, const char *purpose, GError **error);

/* Sets `pids` to the processes of `user` that have run for a second: others may have ended before
 * perf, which then records nothing, has found them. */
bool itp_target_find_user(struct itp_target *target, GError **error);

/* True when the process has run for a second, and may be looked at. */
bool itp_target_is_settled(const char *process);

/* Files with code of the target, as paths: for a program that is to start, those named by its
 * loader; for the machine, those of all processes. Free with g_ptr_array_unref(). */
GPtrArray *itp_target_files(const struct itp_target *target);

/* Name of the first file with code of the target that keeps no frame pointers; NULL when all do, as
 * far as it can be told. A program that is to start is asked through its loader for its libraries;
 * for the machine, the libraries of this process stand for all. Owned by the caller. */
char *itp_target_frameless(const struct itp_target *target);

#endif
