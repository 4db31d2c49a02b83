/* SPDX-License-Identifier: MIT */
/*
 * orders together|each: a window that lists orders, which come in by parcels. The list's widget
 * learns of each order, or of each parcel. Ends when all have come.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <X11/Intrinsic.h>
#include <X11/StringDefs.h>
#include <X11/Xaw/List.h>
#include <X11/Xaw/Viewport.h>

#define ORDERS 2400
#define PARCEL 60
#define LABEL_BYTES 64

static XtAppContext application;
static Widget list_widget;
static String labels[ORDERS + 1];
static int order_count;
static unsigned long checksum;
static bool tells_each;

/* What an order costs with all its discounts: the work that the program is there for. */
static unsigned long price(int order)
{
	unsigned long best = 0;

	for (unsigned long i = 0; i < 150000; i++) {
		unsigned long offer = ((unsigned long)order * 7919 + i * i) % 99991;

		best = offer > best ? offer : best;
	}
	return best;
}

static void show_orders(void)
{
	XawListChange(list_widget, labels, order_count, 0, True);
}

static void append_order(int order)
{
	char *label = XtMalloc(LABEL_BYTES);
	unsigned long cents = price(order);

	snprintf(label, LABEL_BYTES, "order %d of shop %d: %lu cents", order, order % 70, cents);
	checksum += cents;
	labels[order_count++] = label;
	labels[order_count] = NULL;
	if (tells_each) {
		show_orders();
	}
}

static Boolean take_parcel(XtPointer data)
{
	(void)data;
	for (int i = 0; i < PARCEL; i++) {
		append_order(order_count);
	}
	if (!tells_each) {
		show_orders();
	}
	if (order_count == ORDERS) {
		printf("%d orders, %lu\n", order_count, checksum);
		XtAppSetExitFlag(application);
	}
	return order_count == ORDERS;
}

int main(int argc, char **argv)
{
	String *defaults = NULL;
	Widget top;
	Widget viewport;

	tells_each = argc > 1 && strcmp(argv[1], "each") == 0;
	top = XtVaAppInitialize(&application, "Orders", NULL, 0, &argc, argv, defaults, XtNwidth,
				600, XtNheight, 800, NULL);
	viewport = XtVaCreateManagedWidget("viewport", viewportWidgetClass, top, XtNallowVert, True,
					   NULL);
	labels[0] = "no orders yet";
	list_widget = XtVaCreateManagedWidget("orders", listWidgetClass, viewport, XtNlist, labels,
					      XtNdefaultColumns, 1, XtNforceColumns, True, NULL);
	XtRealizeWidget(top);
	XtAppAddWorkProc(application, take_parcel, NULL);
	XtAppMainLoop(application);
	return 0;
}
