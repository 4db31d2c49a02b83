// SPDX-License-Identifier: MIT
//
// Orders cents|all: reads lists of orders, which it makes up and which are paid in monthly rates,
// works out what is left of each after the last full rate, writes a letter about it, and prints a sum
// of all letters. What is owed is rounded every month, or only at the end.

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

final class Orders {
	record Order(String number, String customer, BigDecimal price, BigDecimal interest, int months) {
		static Order parse(String line) {
			String[] fields = line.split(";");
			return new Order(fields[0], fields[1], new BigDecimal(fields[2]),
					new BigDecimal(fields[3]), Integer.parseInt(fields[4]));
		}

		BigDecimal rate() {
			return price.divide(BigDecimal.valueOf(months), 2, RoundingMode.DOWN);
		}

		// What a debt is multiplied by each month; the interest is that of a year, in per cent.
		BigDecimal growth() {
			return BigDecimal.ONE.add(
					interest.divide(BigDecimal.valueOf(1200), MathContext.DECIMAL128));
		}
	}

	private static final String[] INTERESTS = {"3.9", "4.25", "5.0", "6.35", "7.49", "9.95"};

	private final boolean rounds;
	private final Map<String, BigDecimal> owed = new TreeMap<>();
	private final StringBuilder letters = new StringBuilder();

	Orders(boolean rounds) {
		this.rounds = rounds;
	}

	static String list(int shop) {
		Random random = new Random(shop);
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < 1500; i++) {
			text.append(shop).append('-').append(10000 + i)
					.append(";customer ").append(random.nextInt(700))
					.append(';').append(100 + random.nextInt(4000)).append('.')
					.append(10 + random.nextInt(90))
					.append(';').append(INTERESTS[random.nextInt(INTERESTS.length)])
					.append(';').append(24 + 6 * random.nextInt(7)).append('\n');
		}
		return text.toString();
	}

	static List<Order> read(String list) {
		List<Order> orders = new ArrayList<>();
		for (String line : list.split("\n")) {
			orders.add(Order.parse(line));
		}
		return orders;
	}

	BigDecimal rest(Order order) {
		BigDecimal growth = order.growth();
		BigDecimal rate = order.rate();
		BigDecimal debt = order.price();
		for (int month = 0; month < order.months(); month++) {
			debt = debt.multiply(growth).subtract(rate);
			if (rounds) {
				debt = debt.setScale(2, RoundingMode.HALF_EVEN);
			}
		}
		return debt.setScale(2, RoundingMode.HALF_EVEN);
	}

	void write(Order order, BigDecimal rest) {
		letters.append("Dear ").append(order.customer()).append(",\nyour order ")
				.append(order.number()).append(" of ").append(order.price())
				.append(" is paid in ").append(order.months()).append(" rates of ")
				.append(order.rate()).append(" and a last one of ").append(rest)
				.append(".\nInterest is ").append(order.interest()).append("% a year.\n\n");
	}

	void settle(List<Order> orders) {
		for (Order order : orders) {
			BigDecimal rest = rest(order);
			write(order, rest);
			owed.merge(order.customer(), rest, BigDecimal::add);
		}
	}

	public static void main(String[] arguments) throws NoSuchAlgorithmException {
		boolean rounds = arguments[0].equals("cents");
		MessageDigest sum = MessageDigest.getInstance("SHA-256");
		int count = 0;
		for (int shop = 1; shop <= 40; shop++) {
			Orders orders = new Orders(rounds);
			orders.settle(read(list(shop)));
			sum.update(orders.letters.toString().getBytes(StandardCharsets.UTF_8));
			sum.update(orders.owed.toString().getBytes(StandardCharsets.UTF_8));
			count += orders.owed.size();
		}
		System.out.println("sum " + HexFormat.of().formatHex(sum.digest()) + ": " + count
				+ " customers");
	}
}
