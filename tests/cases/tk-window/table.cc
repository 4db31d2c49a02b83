/* SPDX-License-Identifier: MIT */
/*
 * table kept|measured: a window with a table of orders. It scrolls through them, sixteen rows
 * further with each redraw, and ends when all have been shown. The columns are as wide as the
 * widest text in them, which is kept until the orders change, or measured whenever the table is
 * drawn.
 */

#include <FL/Fl.H>
#include <FL/Fl_Double_Window.H>
#include <FL/Fl_Widget.H>
#include <FL/fl_draw.H>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

enum column {
	NUMBER,
	CUSTOMER,
	STREET,
	TOWN,
	STATE,
	PRICE,
	COLUMNS
};

using order = std::array<std::string, COLUMNS>;

class OrderTable : public Fl_Widget
{
      public:
	OrderTable(int x, int y, int w, int h, bool measured)
	    : Fl_Widget(x, y, w, h), measured(measured)
	{
	}

	void show_orders(std::vector<order> shown);
	bool scroll();

      protected:
	void draw() override;

      private:
	static constexpr int size = 22, row_height = 28, gap = 24, step = 16;

	__attribute__((noinline)) void measure_columns();
	void draw_head();
	void draw_row(const order &shown, int top, bool odd);

	bool measured;
	bool changed = true;
	std::size_t first = 0;
	std::vector<order> orders;
	std::array<int, COLUMNS> widths;
};

static const order titles = { "Order", "Customer", "Street", "Town", "State", "Price" };

void OrderTable::show_orders(std::vector<order> shown)
{
	orders = std::move(shown);
	changed = true;
	redraw();
}

/* Whether there are other rows to be shown. */
bool OrderTable::scroll()
{
	if (first + h() / row_height >= orders.size())
		return false;
	first += step;
	redraw();
	return true;
}

void OrderTable::measure_columns()
{
	for (int i = 0; i < COLUMNS; i++) {
		widths[i] = static_cast<int>(fl_width(titles[i].c_str())) + gap;
		for (const order &one : orders) {
			int width = static_cast<int>(fl_width(one[i].c_str())) + gap;
			if (width > widths[i])
				widths[i] = width;
		}
	}
}

void OrderTable::draw_head()
{
	int left = x();

	fl_color(FL_DARK2);
	fl_rectf(x(), y(), w(), row_height);
	fl_color(FL_BLACK);
	for (int i = 0; i < COLUMNS; i++) {
		fl_draw(titles[i].c_str(), left, y(), widths[i], row_height, FL_ALIGN_LEFT);
		left += widths[i];
	}
}

void OrderTable::draw_row(const order &shown, int top, bool odd)
{
	int left = x();

	fl_color(odd ? FL_LIGHT1 : FL_WHITE);
	fl_rectf(x(), top, w(), row_height);
	fl_color(FL_BLACK);
	for (int i = 0; i < COLUMNS; i++) {
		fl_draw(shown[i].c_str(), left, top, widths[i] - gap, row_height,
			i == PRICE ? FL_ALIGN_RIGHT : FL_ALIGN_LEFT);
		left += widths[i];
	}
}

void OrderTable::draw()
{
	fl_font(FL_HELVETICA, size);
	if (changed || measured)
		measure_columns();
	changed = false;

	fl_push_clip(x(), y(), w(), h());
	draw_head();
	int top = y() + row_height;
	for (std::size_t i = first; i < orders.size() && top < y() + h(); i++) {
		draw_row(orders[i], top, i % 2);
		top += row_height;
	}
	fl_pop_clip();
}

static std::vector<order> make_orders(int number)
{
	static const char *const towns[] = { "Aachen", "Bremen", "Kassel", "Nürnberg", "Ulm" };
	static const char *const states[] = { "paid", "sent", "to be sent", "returned" };
	std::vector<order> orders;

	for (int i = 0; i < number; i++) {
		char price[32];
		snprintf(price, sizeof(price), "%d.%02d", rand() % 900 + 1, rand() % 100);
		orders.push_back({ std::to_string(100000 + i),
				   "customer " + std::to_string(rand() % 30000),
				   "Street " + std::to_string(rand() % 200), towns[rand() % 5],
				   states[rand() % 4], price });
	}
	return orders;
}

static void on_idle(void *table)
{
	if (!static_cast<OrderTable *>(table)->scroll())
		exit(0);
}

int main(int argc, char **argv)
{
	bool measured = argc > 1 && argv[1] == std::string("measured");
	Fl_Double_Window window(1560, 1160, "Orders");
	OrderTable table(0, 0, 1560, 1160, measured);

	table.show_orders(make_orders(9000));
	window.resizable(table);
	window.end();
	window.show();
	window.wait_for_expose();
	Fl::add_idle(on_idle, &table);
	return Fl::run();
}
