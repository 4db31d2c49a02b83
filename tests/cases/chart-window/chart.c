/* SPDX-License-Identifier: MIT */
/* chart new|all: shows 2500 measurements as they come; draws what is new of their curve, or all. */
#include <cairo-xlib.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define POINTS 2500
#define WIDTH 1000
#define HEIGHT 400

static double heights[POINTS];

static double x_of(int point)
{
	return point * (double)WIDTH / POINTS;
}

/* Noise, smoothed, on a wave. */
static double __attribute__((noinline)) measure(int point)
{
	double sum = 0;

	for (int i = 1; i < 4000; i++) {
		sum += sin(point * i * 0.37) / i;
	}
	return HEIGHT / 2.0 + 100 * sin(point * 0.01) + 20 * sum;
}

static void __attribute__((noinline)) draw_background(cairo_t *cairo)
{
	cairo_set_source_rgb(cairo, 1, 1, 1);
	cairo_paint(cairo);
	cairo_set_source_rgb(cairo, 0.8, 0.8, 0.8);
	for (int y = 0; y < HEIGHT; y += 50) {
		cairo_move_to(cairo, 0, y);
		cairo_line_to(cairo, WIDTH, y);
	}
	cairo_stroke(cairo);
}

static void __attribute__((noinline)) draw_curve(cairo_t *cairo, int from, int to)
{
	cairo_set_source_rgb(cairo, 0.1, 0.2, 0.6);
	cairo_set_line_width(cairo, 1.5);
	cairo_move_to(cairo, x_of(from), heights[from]);
	for (int i = from + 1; i <= to; i++) {
		cairo_line_to(cairo, x_of(i), heights[i]);
	}
	cairo_stroke(cairo);
}

static void add_point(cairo_t *cairo, int point, bool draws_all)
{
	heights[point] = measure(point);
	if (point == 0 || draws_all) {
		draw_background(cairo);
	}
	draw_curve(cairo, draws_all || point == 0 ? 0 : point - 1, point);
}

int main(int argc, char **argv)
{
	bool draws_all = argc > 1 && strcmp(argv[1], "all") == 0;
	Display *display = XOpenDisplay(NULL);
	cairo_surface_t *window_surface;
	cairo_surface_t *picture;
	cairo_t *shown;
	cairo_t *cairo;
	Window window;

	if (!display) {
		return 1;
	}
	window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, WIDTH, HEIGHT, 0, 0,
				     0);
	XMapWindow(display, window);
	window_surface = cairo_xlib_surface_create(
		display, window, DefaultVisual(display, DefaultScreen(display)), WIDTH, HEIGHT);
	picture = cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
	shown = cairo_create(window_surface);
	cairo = cairo_create(picture);
	for (int i = 0; i < POINTS; i++) {
		add_point(cairo, i, draws_all);
		if (i % 25 == 0) {
			cairo_set_source_surface(shown, picture, 0, 0);
			cairo_paint(shown);
			XFlush(display);
		}
	}
	printf("%d points, %.1f\n", POINTS, heights[POINTS - 1]);
	cairo_destroy(cairo);
	cairo_destroy(shown);
	cairo_surface_destroy(picture);
	cairo_surface_destroy(window_surface);
	XCloseDisplay(display);
	return 0;
}
