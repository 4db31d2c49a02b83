# SPDX-License-Identifier: MIT
#
# ITP_NEED_LIBRARY(VARIABLE, MODULES, DEBIAN-PACKAGE, FEDORA-PACKAGE)
# -------------------------------------------------------------------
# Looks for pkg-config MODULES and sets VARIABLE_CFLAGS and VARIABLE_LIBS. What is missing is
# only noted, so that one run of configure can name all of it: ITP_REPORT_MISSING_LIBRARIES,
# after the last ITP_NEED_LIBRARY, ends configure with the list and the packages to install.

m4_ifndef([PKG_CHECK_MODULES],
	[m4_fatal([the autoconf macros of pkg-config are missing: install pkg-config (Debian) or pkgconf-pkg-config (Fedora)])])

AC_DEFUN([ITP_NEED_LIBRARY], [
	AC_REQUIRE([PKG_PROG_PKG_CONFIG])
	PKG_CHECK_MODULES([$1], [$2], [], [
		itp_missing_list="$itp_missing_list
  $2"
		itp_missing_debian="$itp_missing_debian $3"
		itp_missing_fedora="$itp_missing_fedora $4"
	])
])

AC_DEFUN([ITP_REPORT_MISSING_LIBRARIES], [
	AS_IF([test -z "$PKG_CONFIG"],
		[AC_MSG_ERROR([pkg-config is missing
  Debian, Ubuntu: apt-get install pkg-config
  Fedora:         dnf install pkgconf-pkg-config])])
	AS_IF([test -n "$itp_missing_list"],
		[AC_MSG_ERROR([these libraries are missing or too old:$itp_missing_list
  Debian, Ubuntu: apt-get install$itp_missing_debian
  Fedora:         dnf install$itp_missing_fedora])])
])
