# SPDX-License-Identifier: MIT
# The platform plug-in's event dispatcher is slow each time that it looks for events.

about="delay in the event dispatcher's processEvents"
cause=injected
traits="Qt with its offscreen plug-in: client, C++, several threads"
packages=(g++ make dpkg-dev pkg-config qtbase5-dev qtbase5-dev-tools qtbase5-private-dev
	libglib2.0-dev libgl-dev libfontconfig-dev libfreetype-dev libx11-dev libxext-dev)

build() {
	local dispatchers=source/src/platformsupport/eventdispatchers
	mkdir source
	(cd source && fetch_source qtbase-opensource-src)
	cat >> source/src/plugins/platforms/offscreen/offscreen.pro <<-'PRO'
		INCLUDEPATH += ../../../platformsupport/eventdispatchers
		CONFIG += link_pkgconfig
		PKGCONFIG += glib-2.0
		SOURCES += ../../../platformsupport/eventdispatchers/qeventdispatcher_glib.cpp
		HEADERS += ../../../platformsupport/eventdispatchers/qeventdispatcher_glib_p.h
	PRO
	build_plugin base
	delay $dispatchers/qeventdispatcher_glib.cpp QPAEventDispatcherGlib::processEvents 3000
	build_plugin slow
	# shellcheck disable=SC2046 # files are words
	g++ $stock_flags -fPIC -o clock "$case_dir/clock.cc" $(pkg-config --cflags --libs Qt5Widgets)
	rm -rf source
}

build_plugin() {
	(cd source/src/plugins/platforms/offscreen && qmake && make)
	mkdir "$1"
	cp source/plugins/platforms/libqoffscreen.so "$1"
}

show_clock() {
	export QT_QPA_PLATFORM=offscreen QT_QPA_PLATFORM_PLUGIN_PATH=$built/$1 XDG_RUNTIME_DIR=$PWD
	record "$built/clock"
}

base() {
	show_clock base
}

slow() {
	show_clock slow
}

truth() {
	echo '^QPAEventDispatcherGlib::processEvents' '^libqoffscreen\.so$'
}
