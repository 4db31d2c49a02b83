// SPDX-License-Identifier: MIT
//
// clock: a window that shows another number every 2 ms, 250 times.

#include <QApplication>
#include <QLabel>
#include <QTimer>

int main(int argc, char **argv)
{
	QApplication application(argc, argv);
	QLabel label;
	QTimer timer;
	int ticks = 0;

	label.resize(320, 80);
	label.show();
	QObject::connect(&timer, &QTimer::timeout, [&] {
		label.setText(QString("tick %1").arg(ticks));
		if (++ticks == 250)
			application.quit();
	});
	timer.start(2);
	return application.exec();
}
