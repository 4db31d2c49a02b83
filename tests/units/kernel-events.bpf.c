/* SPDX-License-Identifier: MIT */
/*
 * Notes events by which kernel.py knows when a request was the server's. An event is a time and a
 * few numbers: the server is to be kept from its work as little as possible.
 */
#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "tests/units/kernel-events.h"

char the_license[] SEC("license") = "Dual MIT/GPL";

/* Structures of the kernel, as far as they are read. */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct pt_regs {
	unsigned long di;
	unsigned long si;
	unsigned long dx;
	unsigned long orig_ax;
};

struct task_struct {
	int pid;
	int tgid;
};

struct sock_common {
	__be16 skc_dport;
	__u16 skc_num;
};

struct sock {
	struct sock_common __sk_common;
	__u16 sk_protocol;
};

struct net_device {
	int ifindex;
};

struct sk_buff {
	struct net_device *dev;
	unsigned int len;
	unsigned char *data;
};

#pragma clang attribute pop

#define ESTABLISHED 1
#define EPOLL_CTL_DEL 2
#define LOOPBACK 1
/* Of a header of TCP: the byte with its length, in words of four bytes, in the upper half. */
#define TCP_LENGTH_AT 12
/* Of a header of IPv4: the byte with its length, in words of four bytes, in the lower half; and the
 * byte with the protocol. */
#define IP_LENGTH_AT 0
#define IP_PROTOCOL_AT 9

/* Set before loading. */
const volatile __u16 port;
const volatile __u16 protocol;
const volatile __u8 roles[KERNEL_CALLS];

/* Events without room. */
__u64 lost;

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 64 << 20);
} events SEC(".maps");

static __always_inline void note_of(struct task_struct *task, __u32 kind, __u32 a, __s64 b)
{
	const __u64 now_ns = bpf_ktime_get_ns();
	struct kernel_event *event = bpf_ringbuf_reserve(&events, sizeof(*event), 0);

	if (!event) {
		__sync_fetch_and_add(&lost, 1);
		return;
	}
	*event = (struct kernel_event){ now_ns, b, task->tgid, task->pid, kind, a };
	bpf_ringbuf_submit(event, BPF_RB_NO_WAKEUP);
}

static __always_inline void note(__u32 kind, __u32 a, __s64 b)
{
	note_of(bpf_get_current_task_btf(), kind, a, b);
}

/* ---- Threads ---- */

SEC("tp_btf/sched_waking")
int BPF_PROG(on_waking, struct task_struct *task)
{
	note(KERNEL_WAKES, task->pid, 0);
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool is_preempted, struct task_struct *last, struct task_struct *next,
	     unsigned int state)
{
	if (last->pid != 0 && !is_preempted && state != 0) {
		note_of(last, KERNEL_SLEEPS, 0, 0);
	}
	if (next->pid != 0) {
		note_of(next, KERNEL_RUNS, 0, 0);
	}
	return 0;
}

/* ---- System calls ---- */

SEC("tp_btf/sys_enter")
int BPF_PROG(on_enter, struct pt_regs *registers, long number)
{
	const __u32 role = roles[number & (KERNEL_CALLS - 1)];

	if (role & (KERNEL_ACCEPT | KERNEL_SET | KERNEL_READ)) {
		note(KERNEL_ENTERS, role, registers->di);
	} else if (role & KERNEL_DROP && registers->si == EPOLL_CTL_DEL) {
		note(KERNEL_ENTERS, role, registers->dx);
	}
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(on_exit, struct pt_regs *registers, long result)
{
	const __u32 role = roles[registers->orig_ax & (KERNEL_CALLS - 1)];

	if (result >= 0 && role & (KERNEL_WAIT | KERNEL_WRITE)) {
		note(KERNEL_RETURNS, role, result);
	}
	return 0;
}

/* ---- Connections ---- */

SEC("tp_btf/inet_sock_set_state")
int BPF_PROG(on_state, const struct sock *socket, int last, int state)
{
	if (state == ESTABLISHED && socket->__sk_common.skc_num == port) {
		note(KERNEL_CONNECTS, bpf_ntohs(socket->__sk_common.skc_dport), 0);
	}
	return 0;
}

SEC("tp_btf/tcp_rcv_space_adjust")
int BPF_PROG(on_read, struct sock *socket)
{
	if (socket->__sk_common.skc_num == port) {
		note(KERNEL_READS, bpf_ntohs(socket->__sk_common.skc_dport), 0);
	}
	return 0;
}

SEC("tp_btf/tcp_probe")
int BPF_PROG(on_segment, struct sock *socket, const struct sk_buff *segment)
{
	const __u16 own = socket->__sk_common.skc_num;
	const __u16 other = bpf_ntohs(socket->__sk_common.skc_dport);
	__u8 length = 0;

	if (own != port && other != port) {
		return 0;
	}
	bpf_probe_read_kernel(&length, sizeof(length), segment->data + TCP_LENGTH_AT);
	if (segment->len > (length >> 4) * 4u) {
		note(own == port ? KERNEL_ASKED : KERNEL_ANSWERED, own == port ? other : own, 0);
	}
	return 0;
}

SEC("tp_btf/sk_data_ready")
int BPF_PROG(on_ready, const struct sock *socket)
{
	if (socket->sk_protocol == protocol) {
		note(KERNEL_TELLS, 0, (long)socket);
	}
	return 0;
}

/* ---- Datagrams ---- */

/* Begin of a header of UDP. */
struct ports {
	__be16 from;
	__be16 to;
};

SEC("tp_btf/sock_recv_length")
int BPF_PROG(on_datagram_read, const struct sock *socket, int length, int flags)
{
	if (length > 0 && socket->__sk_common.skc_num == port) {
		note(KERNEL_READS, 0, (long)socket);
	}
	return 0;
}

SEC("tp_btf/netif_rx")
int BPF_PROG(on_datagram, const struct sk_buff *datagram)
{
	const unsigned char *header = datagram->data;
	struct ports ports = { 0, 0 };
	__u8 length = 0;
	__u8 inner = 0;

	if (datagram->dev->ifindex != LOOPBACK) {
		return 0;
	}
	bpf_probe_read_kernel(&length, sizeof(length), header + IP_LENGTH_AT);
	bpf_probe_read_kernel(&inner, sizeof(inner), header + IP_PROTOCOL_AT);
	bpf_probe_read_kernel(&ports, sizeof(ports), header + (length & 15) * 4u);
	if (inner == protocol && bpf_ntohs(ports.to) == port) {
		note(KERNEL_ASKED, bpf_ntohs(ports.from), 0);
	} else if (inner == protocol && bpf_ntohs(ports.from) == port) {
		note(KERNEL_ANSWERED, bpf_ntohs(ports.to), 0);
	}
	return 0;
}
