# SPDX-License-Identifier: MIT
#
# Files from which distributions, forges and containers build packages.

EXTRA_DIST += \
	.github/workflows/check.yml \
	debian/babeltrace2-introperf.install \
	debian/changelog \
	debian/control \
	debian/copyright \
	debian/introperf-doc.docs \
	debian/introperf-doc.install \
	debian/introperf.install \
	debian/libintroperf-dev.examples \
	debian/libintroperf-dev.install \
	debian/libintroperf0.install \
	debian/rules \
	debian/source/format \
	packaging/Containerfile \
	packaging/ci.yml \
	packaging/introperf.spec
