/* SPDX-License-Identifier: MIT */
/*
 * client: asks the service on the session's bus what 150 orders cost, one after the other.
 */

#include <gio/gio.h>

static GVariant *order(int number)
{
	GVariantBuilder articles;

	g_variant_builder_init(&articles, G_VARIANT_TYPE("a(sx)"));
	for (int i = 0; i < 1500; i++) {
		g_autofree char *article = g_strdup_printf("article %d", (17 * number + i) % 6000);
		g_variant_builder_add(&articles, "(sx)", article, (gint64)(1 + i % 12));
	}
	return g_variant_new("(a(sx))", &articles);
}

static gint64 ask(GDBusConnection *bus, int number)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GVariantIter) prices = NULL;
	g_autoptr(GVariant) result = g_dbus_connection_call_sync(
		bus, "org.example.Prices", "/org/example/Prices", "org.example.Prices", "Quote",
		order(number), G_VARIANT_TYPE("(ax)"), G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
	gint64 price, sum = 0;

	if (!result)
		g_error("%s", error->message);
	g_variant_get(result, "(ax)", &prices);
	while (g_variant_iter_next(prices, "x", &price))
		sum += price;
	return sum;
}

int main(void)
{
	GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
	gint64 sum = 0;

	for (int number = 0; number < 150; number++)
		sum += ask(bus, number);
	g_print("%" G_GINT64_FORMAT "\n", sum);
}
