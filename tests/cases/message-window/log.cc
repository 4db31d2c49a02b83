/* SPDX-License-Identifier: MIT */
/*
 * log append|replace: a window that shows the messages of a service as they come, always the last
 * ones, in lines as long as the window is wide. It ends when there are no more. A new message is
 * appended to the text of the window; or to a string of its own, which then replaces that text.
 */

#include <FL/Fl.H>
#include <FL/Fl_Box.H>
#include <FL/Fl_Double_Window.H>
#include <FL/Fl_Text_Buffer.H>
#include <FL/Fl_Text_Display.H>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

struct message {
	int number;
	const char *level;
	std::string text;
};

class LogWindow : public Fl_Double_Window
{
      public:
	explicit LogWindow(bool replace);
	~LogWindow() override;

	void show_message(const message &shown);

      private:
	static constexpr int status_height = 30;

	void add_line(const std::string &line);
	void scroll_to_end();
	void show_status();

	bool replace;
	int messages = 0, errors = 0;
	std::string all;
	Fl_Text_Buffer buffer;
	Fl_Text_Display display;
	Fl_Box status;
};

LogWindow::LogWindow(bool replace)
    : Fl_Double_Window(1200, 900, "Messages"), replace(replace),
      display(0, 0, 1200, 900 - status_height), status(0, 900 - status_height, 1200, status_height)
{
	display.buffer(&buffer);
	display.textfont(FL_HELVETICA);
	display.textsize(16);
	display.wrap_mode(Fl_Text_Display::WRAP_AT_BOUNDS, 0);
	status.align(FL_ALIGN_LEFT | FL_ALIGN_INSIDE);
	resizable(display);
	end();
}

LogWindow::~LogWindow()
{
	display.buffer(nullptr);
}

void LogWindow::add_line(const std::string &line)
{
	if (replace) {
		all += line;
		buffer.text(all.c_str());
	} else {
		buffer.append(line.c_str());
	}
}

void LogWindow::scroll_to_end()
{
	display.insert_position(buffer.length());
	display.show_insert_position();
}

void LogWindow::show_status()
{
	char text[64];

	snprintf(text, sizeof text, "%d messages, %d errors", messages, errors);
	status.copy_label(text);
}

void LogWindow::show_message(const message &shown)
{
	char start[64];

	messages++;
	errors += strcmp(shown.level, "error") == 0;
	snprintf(start, sizeof start, "%06d %s ", shown.number, shown.level);
	add_line(start + shown.text + "\n");
	scroll_to_end();
	show_status();
}

/* The next message of the service; a few of them are longer than a line of the window. */
static message next_message(int number)
{
	static const char *const words[] = { "backup", "of",    "volume", "order",    "customer",
					     "was",    "sent",  "to",     "printer",  "waits",
					     "for",    "reply", "queue",  "finished", "after" };
	message made = { number, number % 40 ? "info" : "error", "" };

	for (int count = rand() % 50 ? rand() % 8 + 8 : 40; count > 0; count--) {
		made.text += words[rand() % (sizeof words / sizeof *words)];
		made.text += ' ';
	}
	made.text += std::to_string(rand() % 10000);
	return made;
}

int main(int argc, char **argv)
{
	static constexpr int number = 1000;
	LogWindow window(argc > 1 && strcmp(argv[1], "replace") == 0);

	window.show();
	window.wait_for_expose();
	for (int i = 0; i < number; i++) {
		window.show_message(next_message(i));
		Fl::check();
	}
	printf("%d messages shown\n", number);
	return 0;
}
