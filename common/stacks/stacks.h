/* SPDX-License-Identifier: MIT */
/*
 * Threads of a recording, and their recorded call chains and copied stacks as frames.
 *
 *   task.c       threads and processes, and the events of their lives
 *     container.c  names of the containers that processes are in
 *   callchain.c  chains of addresses, and copies of stacks → frames
 *
 * Frames missing in a chain are left to common/completion, unwinding to common/unwind.
 */
