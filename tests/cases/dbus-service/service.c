/* SPDX-License-Identifier: MIT */
/*
 * service CATALOGUE once|always: tells those who ask on the session's bus what articles cost. The
 * catalogue is read once or for each call.
 */

#include <gio/gio.h>
#include <stdio.h>

struct service {
	const char *path;
	gboolean always;
	GKeyFile *articles;
};

static GKeyFile *read_catalogue(const char *path)
{
	GKeyFile *articles = g_key_file_new();
	GError *error = NULL;
	char *text;
	gsize bytes;

	if (!g_file_get_contents(path, &text, &bytes, &error) ||
	    !g_key_file_load_from_data(articles, text, bytes, G_KEY_FILE_NONE, &error))
		g_error("%s", error->message);
	g_free(text);
	return articles;
}

static __attribute__((noinline)) GVariant *quote(struct service *service, GVariantIter *order)
{
	GVariantBuilder prices;
	const char *article;
	gint64 amount, price;

	if (service->always) {
		g_key_file_unref(service->articles);
		service->articles = read_catalogue(service->path);
	}
	g_variant_builder_init(&prices, G_VARIANT_TYPE("ax"));
	while (g_variant_iter_next(order, "(&sx)", &article, &amount)) {
		price = g_key_file_get_int64(service->articles, article, "price", NULL);
		g_variant_builder_add(&prices, "x", amount * price);
	}
	return g_variant_new("(ax)", &prices);
}

static void answer(GDBusConnection *bus, const char *sender, const char *object,
		   const char *interface, const char *method, GVariant *arguments,
		   GDBusMethodInvocation *call, gpointer service)
{
	GVariantIter *order;

	g_variant_get(arguments, "(a(sx))", &order);
	g_dbus_method_invocation_return_value(call, quote(service, order));
	g_variant_iter_free(order);
}

static void on_name(GDBusConnection *bus, const char *name, gpointer data)
{
	puts("ready");
	fflush(stdout);
}

static void on_bus(GDBusConnection *bus, const char *name, gpointer service)
{
	static const GDBusInterfaceVTable methods = { .method_call = answer };
	GDBusNodeInfo *node = g_dbus_node_info_new_for_xml(
		"<node><interface name='org.example.Prices'><method name='Quote'>"
		"<arg type='a(sx)' direction='in'/><arg type='ax' direction='out'/>"
		"</method></interface></node>",
		NULL);

	g_dbus_connection_register_object(bus, "/org/example/Prices", node->interfaces[0], &methods,
					  service, NULL, NULL);
	g_dbus_node_info_unref(node);
}

int main(int argc, char **argv)
{
	struct service service = { argv[1], g_str_equal(argv[2], "always"),
				   read_catalogue(argv[1]) };

	g_bus_own_name(G_BUS_TYPE_SESSION, "org.example.Prices", G_BUS_NAME_OWNER_FLAGS_NONE,
		       on_bus, on_name, NULL, &service, NULL);
	g_main_loop_run(g_main_loop_new(NULL, FALSE));
}
