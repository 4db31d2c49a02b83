/* SPDX-License-Identifier: MIT */
/*
 * Effects of system calls on descriptors, by name.
 *
 * Only the arguments and the result of a call are known, not the memory handed to it: the peer of a
 * socket is not among them.
 *
 * Two rooms ask, each a table of its own: common/through, for the ways of bytes, and
 * common/unit/conversations.h, for the side that speaks first. Their tables stand beside each
 * other.
 */
#ifndef ITP_KNOWN_DESCRIPTOR_CALLS_H
#define ITP_KNOWN_DESCRIPTOR_CALLS_H

#include <stdbool.h>
#include <stdint.h>

enum itp_call_deed {
	/* Nothing of interest here. */
	ITP_DEED_NONE = 0,
	/* The result is how many bytes went out through the first argument, or came in. */
	ITP_DEED_SEND,
	ITP_DEED_TAKE,
	/* Both: from the first argument to the third (splice), and from the second to the first
	 * (sendfile). */
	ITP_DEED_SPLICE,
	ITP_DEED_SENDFILE,
	/* Messages of unknown sizes: the result is their number. */
	ITP_DEED_SEND_SEVERAL,
	ITP_DEED_TAKE_SEVERAL,
	ITP_DEED_CONNECT,
	/* The result is a descriptor: of an accepted connection, a socket, a file, or of something
	 * that carries no bytes of requests. */
	ITP_DEED_ACCEPT,
	ITP_DEED_SOCKET,
	ITP_DEED_FILE,
	ITP_DEED_OTHER_DESCRIPTOR,
	/* Two descriptors, which the call does not tell. */
	ITP_DEED_TWO_DESCRIPTORS,
	/* Another descriptor of the same side: the result, or the second argument; or the result
	 * when the second argument says so. */
	ITP_DEED_DUPLICATE,
	ITP_DEED_DUPLICATE_TO,
	ITP_DEED_CONTROL,
	ITP_DEED_CLOSE,
	ITP_DEED_CLOSE_RANGE,
	ITP_DEED_SHUTDOWN,
	/* Wait for an event of any of several descriptors, which tells the earliest first (epoll),
	 * or merely which; of as many as the second argument; of a thread for another. */
	ITP_DEED_WAIT_IN_ORDER,
	ITP_DEED_WAIT,
	ITP_DEED_POLL,
	ITP_DEED_FUTEX,
};

struct itp_call_kind {
	enum itp_call_deed deed;
	/* Only sockets have this call. */
	bool is_of_socket;
	/* The third argument is the room, in bytes. */
	bool tells_room;
};

/* Kind of the system call `name`, such as "recvfrom"; NULL has no effect. */
struct itp_call_kind itp_call_kind_of(const char *name);

/* Use of the descriptor, the first argument, by a system call. */
enum itp_descriptor_use {
	ITP_DESCRIPTOR_UNUSED = 0,
	ITP_DESCRIPTOR_READ,
	ITP_DESCRIPTOR_WRITTEN,
	/* The result is another descriptor: of a client, or of a file. */
	ITP_DESCRIPTOR_ACCEPTS,
	ITP_DESCRIPTOR_OPENS_FILE,
	/* The result is a descriptor with nothing known of it. */
	ITP_DESCRIPTOR_OPENS,
	/* The result is a descriptor of notes to the process, such as of an event written by a
	 * thread of its own: the writer is no client and gets no answer. */
	ITP_DESCRIPTOR_OPENS_SIGNAL,
	ITP_DESCRIPTOR_CONNECTED,
	ITP_DESCRIPTOR_CLOSED,
	/* Nothing more will be written, or read. */
	ITP_DESCRIPTOR_SHUT,
	/* An option is set that may send bytes held back: TCP_CORK. */
	ITP_DESCRIPTOR_SET,
	ITP_DESCRIPTOR_COPIED,
	/* fcntl(), which copies or does something else: itp_conversations_resolve() tells. */
	ITP_DESCRIPTOR_CONTROLLED,
	/* The third argument is put into a set of descriptors to wait for, or taken out. */
	ITP_DESCRIPTOR_WATCHED,
	/* The result is a thread or a process. */
	ITP_DESCRIPTOR_INHERITED,
	/* The process runs another program, and keeps its descriptors. */
	ITP_DESCRIPTOR_EXECUTES,
};

/* Use by the system call `syscall`, a name without its prefix: "recvfrom". */
enum itp_descriptor_use itp_descriptor_use_of(const char *syscall);

#endif
