/* SPDX-License-Identifier: MIT */
/*
 * Writes what the kernel does while a server is asked, for kernel.py:
 *
 *     kernel-events FILE PORT tcp|udp [screen]
 *
 * From the line "recording" on its output until its input ends. Needs root. Events are kept in
 * memory and fetched a few times a second, so that nobody is woken for an event.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <error.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel-events.h"
#include "kernel-events.skel.h"

#define FETCH_MS 200

static void set_roles(unsigned char *roles, bool has_screen)
{
	roles[SYS_accept] = roles[SYS_accept4] = KERNEL_ACCEPT | KERNEL_WAIT;
	roles[SYS_epoll_pwait] = roles[SYS_epoll_pwait2] = KERNEL_SET | KERNEL_WAIT;
	roles[SYS_epoll_ctl] = KERNEL_DROP;
	roles[SYS_ppoll] = roles[SYS_pselect6] = KERNEL_WAIT;
	roles[SYS_read] = roles[SYS_readv] = roles[SYS_recvfrom] = KERNEL_READ;
	roles[SYS_recvmmsg] = roles[SYS_recvmsg] = KERNEL_READ;
#ifdef __x86_64__
	roles[SYS_epoll_wait] = KERNEL_SET | KERNEL_WAIT;
	roles[SYS_poll] = roles[SYS_select] = KERNEL_WAIT;
#endif
	if (has_screen) {
		/* By which the library of X writes. */
		roles[SYS_sendmsg] = roles[SYS_writev] = KERNEL_WRITE;
	}
}

static void leave_out(struct bpf_program *program, bool is_left_out)
{
	bpf_program__set_autoload(program, !is_left_out);
}

static struct kernel_events_bpf *load(unsigned short port, bool has_datagrams, bool has_screen)
{
	struct kernel_events_bpf *programs = kernel_events_bpf__open();

	if (!programs) {
		error(1, errno, "programs in the kernel cannot be opened");
	}
	programs->rodata->port = port;
	programs->rodata->protocol = has_datagrams ? IPPROTO_UDP : IPPROTO_TCP;
	set_roles((unsigned char *)programs->rodata->roles, has_screen);
	leave_out(programs->progs.on_state, has_datagrams);
	leave_out(programs->progs.on_read, has_datagrams);
	leave_out(programs->progs.on_segment, has_datagrams);
	leave_out(programs->progs.on_datagram_read, !has_datagrams);
	leave_out(programs->progs.on_datagram, !has_datagrams);
	if (kernel_events_bpf__load(programs) != 0 || kernel_events_bpf__attach(programs) != 0) {
		error(1, errno, "the kernel does not take the programs");
	}
	return programs;
}

static int write_event(void *file, void *event, size_t size)
{
	return fwrite(event, size, 1, file) == 1 ? 0 : -EIO;
}

static void fetch(struct ring_buffer *ring, const char *path)
{
	const int fetched = ring_buffer__consume(ring);

	if (fetched < 0) {
		error(1, -fetched, "%s", path);
	}
}

static bool goes_on(void)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&input, 1, FETCH_MS) == 0;
}

int main(int argc, char **argv)
{
	struct kernel_events_bpf *programs;
	struct ring_buffer *ring;
	FILE *file;

	if (argc < 4) {
		error(1, 0, "FILE PORT tcp|udp [screen]");
	}
	file = fopen(argv[1], "wb");
	if (!file) {
		error(1, errno, "%s", argv[1]);
	}
	programs = load((unsigned short)strtoul(argv[2], NULL, 10), strcmp(argv[3], "udp") == 0,
			argc > 4);
	ring = ring_buffer__new(bpf_map__fd(programs->maps.events), write_event, file, NULL);
	if (!ring) {
		error(1, errno, "events cannot be fetched");
	}
	puts("recording");
	fflush(stdout);
	while (goes_on()) {
		fetch(ring, argv[1]);
	}
	kernel_events_bpf__detach(programs);
	fetch(ring, argv[1]);
	ring_buffer__free(ring);
	if (fclose(file) != 0) {
		error(1, errno, "%s", argv[1]);
	}
	if (programs->bss->lost > 0) {
		error(1, 0, "%llu events were lost", (unsigned long long)programs->bss->lost);
	}
	kernel_events_bpf__destroy(programs);
	return 0;
}
