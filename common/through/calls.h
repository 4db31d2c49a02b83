/* SPDX-License-Identifier: MIT */
/*
 * What a system call does with descriptors, by its name.
 *
 * Only the arguments and the result of a call are known, not the memory that it is handed: whom a
 * socket is connected to is not among them.
 */
#ifndef ITP_THROUGH_CALLS_H
#define ITP_THROUGH_CALLS_H

#include <stdbool.h>
#include <stdint.h>

enum itp_call_deed {
	/* Nothing that is of interest here. */
	ITP_DEED_NONE = 0,
	/* The result is how many bytes went out through the first argument, or came in. */
	ITP_DEED_SEND,
	ITP_DEED_TAKE,
	/* Both: from the first argument to the third (splice), and from the second to the first
	 * (sendfile). */
	ITP_DEED_SPLICE,
	ITP_DEED_SENDFILE,
	/* Messages whose sizes are not known: the result is how many there were. */
	ITP_DEED_SEND_SEVERAL,
	ITP_DEED_TAKE_SEVERAL,
	ITP_DEED_CONNECT,
	/* The result is a descriptor: of a connection that was accepted, a socket, a file, or of
	 * something through which no bytes of requests go. */
	ITP_DEED_ACCEPT,
	ITP_DEED_SOCKET,
	ITP_DEED_FILE,
	ITP_DEED_OTHER_DESCRIPTOR,
	/* Two descriptors, which it does not tell. */
	ITP_DEED_TWO_DESCRIPTORS,
	/* Another descriptor of the same: the result, or the second argument; or the result when
	 * the second argument says so. */
	ITP_DEED_DUPLICATE,
	ITP_DEED_DUPLICATE_TO,
	ITP_DEED_CONTROL,
	ITP_DEED_CLOSE,
	ITP_DEED_CLOSE_RANGE,
	ITP_DEED_SHUTDOWN,
	/* Waits for an event of any of several descriptors, and tells first of what came first
	 * (epoll), or just which; of those that the second argument counts; of one thread by
	 * another. */
	ITP_DEED_WAIT_IN_ORDER,
	ITP_DEED_WAIT,
	ITP_DEED_POLL,
	ITP_DEED_FUTEX,
};

struct itp_call_kind {
	enum itp_call_deed deed;
	/* Only sockets have it. */
	bool is_of_socket;
	/* The third argument is for how many bytes there is room. */
	bool tells_room;
};

/* `name` is that of a system call, such as "recvfrom"; NULL does nothing. */
struct itp_call_kind itp_call_kind_of(const char *name);

#endif
