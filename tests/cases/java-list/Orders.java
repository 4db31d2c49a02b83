// SPDX-License-Identifier: MIT
//
// Orders array|linked: reads the orders of 2000 customers, which it makes up, into an array or a
// linked list each, and adds up what they cost.

import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.function.Supplier;

final class Orders {
	record Order(String item, int amount, long price) {
		static Order parse(String line) {
			String[] words = line.split(";");
			return new Order(words[0], Integer.parseInt(words[1]), Long.parseLong(words[2]));
		}
	}

	static List<Order> read(int customer, List<Order> orders) {
		for (int i = 0; i < 1200; i++) {
			orders.add(Order.parse("item " + (customer + i) + ";" + (1 + i % 9) + ";" + 17 * i));
		}
		return orders;
	}

	static long total(List<Order> orders) {
		long total = 0;
		for (int i = 0; i < orders.size(); i++) {
			total += orders.get(i).amount() * orders.get(i).price();
		}
		return total;
	}

	public static void main(String[] arguments) {
		Supplier<List<Order>> list =
				arguments[0].equals("linked") ? LinkedList::new : ArrayList::new;
		long total = 0;
		for (int customer = 0; customer < 2000; customer++) {
			total += total(read(customer, list.get()));
		}
		System.out.println("total " + total);
	}
}
