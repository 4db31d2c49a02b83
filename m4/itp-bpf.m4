# SPDX-License-Identifier: MIT
#
# ITP_LOOK_FOR_BPF
# ----------------
# Looks for what a program that runs in the kernel is built with: clang, which compiles it, bpftool,
# which makes a header of it, and libbpf, which loads it. Sets CLANG, BPFTOOL, BPF_ARCH, BPF_INCLUDES,
# LIBBPF_CFLAGS and LIBBPF_LIBS, the conditional HAVE_GUARD, and itp_guard_lacks to what is missing,
# which the program says; HAVE_RECORDER and itp_recorder_lacks likewise.

AC_DEFUN([ITP_LOOK_FOR_BPF], [
	AC_ARG_WITH([guard],
		[AS_HELP_STRING([--without-guard], [leave out perf introperf guard])],
		[], [with_guard=yes])
	AC_PATH_PROGS([CLANG], [clang clang-14])
	AC_PATH_PROG([BPFTOOL], [bpftool], [], [$PATH:/usr/sbin:/sbin])
	# Ubuntu's only runs another, which belongs to the running kernel and may not be there.
	AS_IF([test -n "$BPFTOOL" && ! "$BPFTOOL" version >/dev/null 2>&1], [BPFTOOL=])
	PKG_CHECK_MODULES([LIBBPF], [libbpf >= 1.1], [have_libbpf=yes], [have_libbpf=no])
	AS_CASE([$host_cpu],
		[x86_64], [BPF_ARCH=x86],
		[aarch64], [BPF_ARCH=arm64],
		[BPF_ARCH=])
	AC_SUBST([BPF_ARCH])
	# Where Debian has the kernel's headers of one architecture.
	BPF_INCLUDES=
	multiarch=$($CC -print-multiarch 2>/dev/null)
	AS_IF([test -n "$multiarch"], [BPF_INCLUDES="-I/usr/include/$multiarch"])
	AC_SUBST([BPF_INCLUDES])
	itp_guard_lacks=
	AS_IF([test "$have_libbpf" != yes], [itp_guard_lacks="libbpf of version 1.1"])
	AS_IF([test -z "$BPFTOOL"], [itp_guard_lacks="bpftool that runs${itp_guard_lacks:+, no }$itp_guard_lacks"])
	AS_IF([test -z "$CLANG" || ! echo 'int x;' | "$CLANG" -target bpf -c -x c - -o /dev/null 2>/dev/null],
		[itp_guard_lacks="clang${itp_guard_lacks:+, no }$itp_guard_lacks"])
	AS_IF([test -z "$BPF_ARCH"], [itp_guard_lacks="support for $host_cpu"])
	AS_IF([test "$with_guard" = no], [itp_guard_lacks="wish for it"])
	AM_CONDITIONAL([HAVE_GUARD], [test -z "$itp_guard_lacks"])
	# Its programs follow stacks, so far as x86-64 has them.
	itp_recorder_lacks=$itp_guard_lacks
	AS_IF([test -n "$BPF_ARCH" && test "$BPF_ARCH" != x86],
		[itp_recorder_lacks="support for $host_cpu"])
	AM_CONDITIONAL([HAVE_RECORDER], [test -z "$itp_recorder_lacks"])
	AC_DEFINE_UNQUOTED([ITP_RECORDER_LACKS], ["$itp_recorder_lacks"],
		[What recordings by BPF would need])
	AC_DEFINE_UNQUOTED([ITP_GUARD_LACKS], ["$itp_guard_lacks"], [What guards would need])
])
