/* SPDX-License-Identifier: MIT */
/*
 * log new|all: a window with the log of a service, to which lines are added one at a time. The
 * lines have the colours of their levels; when one is added, the styles of the new text are worked
 * out, or those of all text.
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

static constexpr int line_count = 4000;

static const Fl_Text_Display::Style_Table_Entry styles[] = {
	{ FL_BLACK, FL_COURIER, 14 },            /* A: information */
	{ FL_DARK_GREEN, FL_COURIER, 14 },       /* B: done */
	{ FL_DARK_YELLOW, FL_COURIER_BOLD, 14 }, /* C: warning */
	{ FL_RED, FL_COURIER_BOLD, 14 },         /* D: error */
};

class LogWindow : public Fl_Double_Window
{
      public:
	explicit LogWindow(bool all);

	void add_line(const std::string &line);
	int line_number() const
	{
		return lines;
	}

      private:
	static void restyle(int position, int inserted, int deleted, int, const char *, void *self);

	bool all;
	int lines = 0;
	Fl_Text_Buffer text, style;
	Fl_Text_Display display;
	Fl_Box status;
};

LogWindow::LogWindow(bool all)
    : Fl_Double_Window(1000, 700, "Log"), all(all), display(0, 0, 1000, 670),
      status(0, 670, 1000, 30)
{
	display.buffer(text);
	display.highlight_data(&style, styles, sizeof(styles) / sizeof(*styles), 'A', nullptr,
			       nullptr);
	text.add_modify_callback(restyle, this);
	resizable(display);
	end();
}

static char style_of(const char *line)
{
	if (strstr(line, " error "))
		return 'D';
	if (strstr(line, " warning "))
		return 'C';
	if (strstr(line, " done "))
		return 'B';
	return 'A';
}

/* The text has changed at a position: so do the styles. */
void LogWindow::restyle(int position, int inserted, int deleted, int, const char *, void *self)
{
	LogWindow *window = static_cast<LogWindow *>(self);
	int from = 0, to = window->text.length(), replaced = window->style.length();

	if (inserted == 0 && deleted == 0)
		return;
	if (!window->all) {
		from = position;
		to = position + inserted;
		replaced = position + deleted;
	}

	std::string changed;
	while (from + static_cast<int>(changed.size()) < to) {
		int start = from + static_cast<int>(changed.size());
		int end = window->text.line_end(start);
		char *line = window->text.text_range(start, end);
		changed.append(end - start + 1, style_of(line));
		free(line);
	}
	window->style.replace(from, replaced, changed.c_str());
	window->display.redisplay_range(from, to);
}

void LogWindow::add_line(const std::string &line)
{
	char shown[64];

	text.append((line + "\n").c_str());
	lines++;
	display.insert_position(text.length());
	display.show_insert_position();
	snprintf(shown, sizeof(shown), "%d lines", lines);
	status.copy_label(shown);
}

static std::string next_line(int number)
{
	static const char *const levels[] = { "info", "info", "done", "info", "warning", "error" };
	char line[128];

	snprintf(line, sizeof(line), "%02d:%02d:%02d orders[%d]: %s order %d of customer %d",
		 number / 3600 % 24, number / 60 % 60, number % 60, number % 7 + 400,
		 levels[rand() % 6], 100000 + number, rand() % 30000);
	return line;
}

static void on_idle(void *data)
{
	LogWindow *window = static_cast<LogWindow *>(data);

	if (window->line_number() == line_count) {
		printf("%d lines shown\n", line_count);
		exit(0);
	}
	for (int i = 0; i < 4; i++)
		window->add_line(next_line(window->line_number()));
}

int main(int argc, char **argv)
{
	LogWindow window(argc > 1 && argv[1] == std::string("all"));

	window.show();
	window.wait_for_expose();
	Fl::add_idle(on_idle, &window);
	return Fl::run();
}
