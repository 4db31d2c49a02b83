/* SPDX-License-Identifier: MIT */
/*
 * orders inserted|appended: a window with a list of a day's 1500 orders, sorted by their
 * customers. It shows 15 days, each when the one before it has been drawn.
 */

#include <gtk/gtk.h>

#include <stdlib.h>
#include <string.h>

enum {
	CUSTOMER,
	BOXES,
	COLUMNS
};

struct orders {
	GtkListStore *list;
	gboolean appended;
	gboolean complete;
	int days;
};

static __attribute__((noinline)) void add_order(struct orders *orders, const char *customer,
						int boxes)
{
	GtkTreeIter row;

	if (orders->appended) {
		gtk_list_store_append(orders->list, &row);
		gtk_list_store_set(orders->list, &row, CUSTOMER, customer, BOXES, boxes, -1);
	} else {
		gtk_list_store_insert_with_values(orders->list, &row, -1, CUSTOMER, customer, BOXES,
						  boxes, -1);
	}
}

static gboolean read_orders(gpointer data)
{
	struct orders *orders = data;

	gtk_list_store_clear(orders->list);
	for (int i = 0; i < 1500; i++) {
		g_autofree char *customer = g_strdup_printf("customer %d", rand() % 100000);
		add_order(orders, customer, 1 + i % 9);
	}
	orders->complete = TRUE;
	return G_SOURCE_REMOVE;
}

static gboolean on_drawn(GtkWidget *view, cairo_t *picture, gpointer data)
{
	struct orders *orders = data;

	if (orders->complete && ++orders->days == 15)
		gtk_main_quit();
	else if (orders->complete)
		gdk_threads_add_idle(read_orders, orders);
	orders->complete = FALSE;
	return FALSE;
}

static void on_shown(GtkWidget *view, gpointer orders)
{
	gdk_threads_add_idle(read_orders, orders);
}

int main(int argc, char **argv)
{
	struct orders orders = { .appended = !strcmp(argv[1], "appended") };

	gtk_init(&argc, &argv);
	orders.list = gtk_list_store_new(COLUMNS, G_TYPE_STRING, G_TYPE_INT);
	gtk_tree_sortable_set_sort_column_id(GTK_TREE_SORTABLE(orders.list), CUSTOMER,
					     GTK_SORT_ASCENDING);

	GtkWidget *view = gtk_tree_view_new_with_model(GTK_TREE_MODEL(orders.list));
	gtk_tree_view_insert_column_with_attributes(GTK_TREE_VIEW(view), -1, "Customer",
						    gtk_cell_renderer_text_new(), "text", CUSTOMER,
						    NULL);
	gtk_tree_view_insert_column_with_attributes(GTK_TREE_VIEW(view), -1, "Boxes",
						    gtk_cell_renderer_text_new(), "text", BOXES,
						    NULL);
	g_signal_connect_after(view, "draw", G_CALLBACK(on_drawn), &orders);
	g_signal_connect(view, "map", G_CALLBACK(on_shown), &orders);

	GtkWidget *scrolled = gtk_scrolled_window_new(NULL, NULL);
	GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
	gtk_window_set_default_size(GTK_WINDOW(window), 400, 500);
	gtk_container_add(GTK_CONTAINER(scrolled), view);
	gtk_container_add(GTK_CONTAINER(window), scrolled);
	gtk_widget_show_all(window);
	gtk_main();
}
