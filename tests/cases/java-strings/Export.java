// SPDX-License-Identifier: MIT
//
// Export builder|string: makes up the orders of 60 shops, writes each shop's as a table into a
// StringBuilder or a string, and prints a sum of all tables.

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

final class Export {
	record Order(int number, String item, int amount, long cents) {}

	static List<Order> orders(int shop) {
		List<Order> orders = new ArrayList<>();
		for (int i = 0; i < 6000; i++) {
			orders.add(new Order(shop * 10000 + i, "item " + i * 31 % 977, 1 + i % 9, 17L * i));
		}
		return orders;
	}

	static String csv(List<Order> orders, boolean inBuilder) {
		if (inBuilder) {
			StringBuilder text = new StringBuilder();
			for (Order order : orders) {
				text.append(order.number()).append(';').append(order.item()).append(';')
						.append(order.amount()).append(';').append(order.cents()).append('\n');
			}
			return text.toString();
		}
		String text = "";
		for (Order order : orders) {
			text += order.number() + ";" + order.item() + ";" + order.amount() + ";"
					+ order.cents() + "\n";
		}
		return text;
	}

	public static void main(String[] arguments) throws NoSuchAlgorithmException {
		boolean inBuilder = arguments[0].equals("builder");
		MessageDigest sum = MessageDigest.getInstance("SHA-256");
		for (int shop = 0; shop < 60; shop++) {
			sum.update(csv(orders(shop), inBuilder).getBytes(StandardCharsets.UTF_8));
		}
		System.out.println("sum " + HexFormat.of().formatHex(sum.digest()));
	}
}
