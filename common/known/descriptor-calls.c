/* SPDX-License-Identifier: MIT */
/*
 * See descriptor-calls.h.
 */
#include "common/known/descriptor-calls.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

struct named_kind {
	const char *name;
	struct itp_call_kind kind;
};

/* Asked by common/through. By name, for bsearch(). */
static const struct named_kind kinds[] = {
	{ "accept", { ITP_DEED_ACCEPT, true, false } },
	{ "accept4", { ITP_DEED_ACCEPT, true, false } },
	{ "close", { ITP_DEED_CLOSE, false, false } },
	{ "close_range", { ITP_DEED_CLOSE_RANGE, false, false } },
	{ "connect", { ITP_DEED_CONNECT, true, false } },
	{ "creat", { ITP_DEED_FILE, false, false } },
	{ "dup", { ITP_DEED_DUPLICATE, false, false } },
	{ "dup2", { ITP_DEED_DUPLICATE_TO, false, false } },
	{ "dup3", { ITP_DEED_DUPLICATE_TO, false, false } },
	{ "epoll_create", { ITP_DEED_OTHER_DESCRIPTOR, false, false } },
	{ "epoll_create1", { ITP_DEED_OTHER_DESCRIPTOR, false, false } },
	{ "epoll_pwait", { ITP_DEED_WAIT_IN_ORDER, false, false } },
	{ "epoll_pwait2", { ITP_DEED_WAIT_IN_ORDER, false, false } },
	{ "epoll_wait", { ITP_DEED_WAIT_IN_ORDER, false, false } },
	{ "eventfd", { ITP_DEED_OTHER_DESCRIPTOR, false, false } },
	{ "eventfd2", { ITP_DEED_OTHER_DESCRIPTOR, false, false } },
	{ "fcntl", { ITP_DEED_CONTROL, false, false } },
	{ "futex", { ITP_DEED_FUTEX, false, false } },
	{ "futex_wake", { ITP_DEED_FUTEX, false, false } },
	{ "getpeername", { ITP_DEED_NONE, true, false } },
	{ "getsockname", { ITP_DEED_NONE, true, false } },
	{ "getsockopt", { ITP_DEED_NONE, true, false } },
	{ "inotify_init", { ITP_DEED_OTHER_DESCRIPTOR, false, false } },
	{ "inotify_init1", { ITP_DEED_OTHER_DESCRIPTOR, false, false } },
	{ "memfd_create", { ITP_DEED_FILE, false, false } },
	{ "open", { ITP_DEED_FILE, false, false } },
	{ "openat", { ITP_DEED_FILE, false, false } },
	{ "openat2", { ITP_DEED_FILE, false, false } },
	{ "pipe", { ITP_DEED_TWO_DESCRIPTORS, false, false } },
	{ "pipe2", { ITP_DEED_TWO_DESCRIPTORS, false, false } },
	{ "poll", { ITP_DEED_POLL, false, false } },
	{ "ppoll", { ITP_DEED_POLL, false, false } },
	{ "pselect6", { ITP_DEED_WAIT, false, false } },
	{ "read", { ITP_DEED_TAKE, false, true } },
	{ "readv", { ITP_DEED_TAKE, false, false } },
	{ "recvfrom", { ITP_DEED_TAKE, true, true } },
	{ "recvmmsg", { ITP_DEED_TAKE_SEVERAL, true, false } },
	{ "recvmsg", { ITP_DEED_TAKE, true, false } },
	{ "select", { ITP_DEED_WAIT, false, false } },
	{ "sendfile", { ITP_DEED_SENDFILE, false, false } },
	{ "sendfile64", { ITP_DEED_SENDFILE, false, false } },
	{ "sendmmsg", { ITP_DEED_SEND_SEVERAL, true, false } },
	{ "sendmsg", { ITP_DEED_SEND, true, false } },
	{ "sendto", { ITP_DEED_SEND, true, false } },
	{ "setsockopt", { ITP_DEED_NONE, true, false } },
	{ "shutdown", { ITP_DEED_SHUTDOWN, true, false } },
	{ "signalfd", { ITP_DEED_OTHER_DESCRIPTOR, false, false } },
	{ "signalfd4", { ITP_DEED_OTHER_DESCRIPTOR, false, false } },
	{ "socket", { ITP_DEED_SOCKET, true, false } },
	{ "socketpair", { ITP_DEED_TWO_DESCRIPTORS, false, false } },
	{ "splice", { ITP_DEED_SPLICE, false, false } },
	{ "timerfd_create", { ITP_DEED_OTHER_DESCRIPTOR, false, false } },
	{ "write", { ITP_DEED_SEND, false, false } },
	{ "writev", { ITP_DEED_SEND, false, false } },
};

/* Asked by common/unit. */
static const struct {
	const char *syscall;
	enum itp_descriptor_use use;
} uses[] = {
	{ "accept", ITP_DESCRIPTOR_ACCEPTS },     { "accept4", ITP_DESCRIPTOR_ACCEPTS },
	{ "clone", ITP_DESCRIPTOR_INHERITED },    { "clone3", ITP_DESCRIPTOR_INHERITED },
	{ "close", ITP_DESCRIPTOR_CLOSED },       { "connect", ITP_DESCRIPTOR_CONNECTED },
	{ "creat", ITP_DESCRIPTOR_OPENS_FILE },   { "dup", ITP_DESCRIPTOR_COPIED },
	{ "dup2", ITP_DESCRIPTOR_COPIED },        { "dup3", ITP_DESCRIPTOR_COPIED },
	{ "epoll_ctl", ITP_DESCRIPTOR_WATCHED },  { "eventfd2", ITP_DESCRIPTOR_OPENS_SIGNAL },
	{ "execve", ITP_DESCRIPTOR_EXECUTES },    { "execveat", ITP_DESCRIPTOR_EXECUTES },
	{ "fcntl", ITP_DESCRIPTOR_CONTROLLED },   { "fcntl64", ITP_DESCRIPTOR_CONTROLLED },
	{ "fork", ITP_DESCRIPTOR_INHERITED },     { "inotify_init1", ITP_DESCRIPTOR_OPENS_SIGNAL },
	{ "open", ITP_DESCRIPTOR_OPENS_FILE },    { "openat", ITP_DESCRIPTOR_OPENS_FILE },
	{ "openat2", ITP_DESCRIPTOR_OPENS_FILE }, { "read", ITP_DESCRIPTOR_READ },
	{ "readv", ITP_DESCRIPTOR_READ },         { "recvfrom", ITP_DESCRIPTOR_READ },
	{ "recvmmsg", ITP_DESCRIPTOR_READ },      { "recvmsg", ITP_DESCRIPTOR_READ },
	{ "sendfile", ITP_DESCRIPTOR_WRITTEN },   { "sendfile64", ITP_DESCRIPTOR_WRITTEN },
	{ "sendmmsg", ITP_DESCRIPTOR_WRITTEN },   { "sendmsg", ITP_DESCRIPTOR_WRITTEN },
	{ "sendto", ITP_DESCRIPTOR_WRITTEN },     { "setsockopt", ITP_DESCRIPTOR_SET },
	{ "shutdown", ITP_DESCRIPTOR_SHUT },      { "signalfd4", ITP_DESCRIPTOR_OPENS_SIGNAL },
	{ "socket", ITP_DESCRIPTOR_OPENS },       { "timerfd_create", ITP_DESCRIPTOR_OPENS_SIGNAL },
	{ "vfork", ITP_DESCRIPTOR_INHERITED },    { "write", ITP_DESCRIPTOR_WRITTEN },
	{ "writev", ITP_DESCRIPTOR_WRITTEN },
};

static int compare_call_name(const void *key, const void *kind)
{
	return strcmp(key, ((const struct named_kind *)kind)->name);
}

struct itp_call_kind itp_call_kind_of(const char *name)
{
	const struct named_kind *found = name ? bsearch(name, kinds, G_N_ELEMENTS(kinds),
							sizeof(kinds[0]), compare_call_name) :
						NULL;

	return found ? found->kind : (struct itp_call_kind){ ITP_DEED_NONE, false, false };
}

enum itp_descriptor_use itp_descriptor_use_of(const char *syscall)
{
	for (size_t i = 0; i < G_N_ELEMENTS(uses); i++) {
		if (g_str_equal(uses[i].syscall, syscall)) {
			return uses[i].use;
		}
	}
	return ITP_DESCRIPTOR_UNUSED;
}
