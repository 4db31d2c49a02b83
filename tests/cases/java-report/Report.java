// SPDX-License-Identifier: MIT
//
// Report letters|parse: makes up the accounts of some companies, each of which may have others below
// it, writes a report of each company with a table for every account, and prints a sum of all
// reports. Numbers are told from words by their letters, or by parsing them.

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

final class Report {
	record Entry(String day, String text, String partner, long cents) {}

	record Account(String name, List<Entry> entries, List<Account> below) {
		long total() {
			long total = 0;
			for (Entry entry : entries) {
				total += entry.cents();
			}
			for (Account account : below) {
				total += account.total();
			}
			return total;
		}
	}

	private static final String[] TEXTS = {
		"rent", "paper and pens", "repair of a lorry", "2024", "wages", "n/a", "postage", "17"
	};

	private static final int[] WIDTHS = {5, 12, 24, 20, 14, 14, 4};

	private final boolean parses;
	private final StringBuilder text = new StringBuilder();

	Report(boolean parses) {
		this.parses = parses;
	}

	static Account account(String name, int depth, Random random) {
		List<Entry> entries = new ArrayList<>();
		for (int i = 0; i < 60; i++) {
			String day = "2024-" + (10 + i % 3) + "-" + (10 + i % 19);
			entries.add(new Entry(day, TEXTS[random.nextInt(TEXTS.length)],
					"partner " + random.nextInt(1000), random.nextInt(1_000_000) - 400_000));
		}
		List<Account> below = new ArrayList<>();
		for (int i = 0; depth > 0 && i < 3; i++) {
			below.add(account(name + "." + (i + 1), depth - 1, random));
		}
		return new Account(name, entries, below);
	}

	static String money(long cents) {
		long rest = Math.abs(cents) % 100;
		return (cents < 0 ? "-" : "") + Math.abs(cents) / 100 + (rest < 10 ? ".0" : ".") + rest;
	}

	boolean isNumber(String cell) {
		if (parses) {
			try {
				Double.parseDouble(cell);
				return true;
			} catch (NumberFormatException e) {
				return false;
			}
		}
		int i = cell.startsWith("-") ? 1 : 0;
		boolean digits = false;
		boolean point = false;
		for (; i < cell.length(); i++) {
			char letter = cell.charAt(i);
			if (letter == '.' && !point) {
				point = true;
			} else if (letter >= '0' && letter <= '9') {
				digits = true;
			} else {
				return false;
			}
		}
		return digits;
	}

	void writeCell(String cell, int width) {
		int gap = Math.max(1, width - cell.length());
		if (isNumber(cell)) {
			text.append(" ".repeat(gap)).append(cell);
		} else {
			text.append(' ').append(cell).append(" ".repeat(gap - 1));
		}
	}

	void writeRow(String... cells) {
		for (int i = 0; i < cells.length; i++) {
			writeCell(cells[i], WIDTHS[i]);
		}
		text.append('\n');
	}

	void writeAccount(Account account) {
		text.append("\nAccount ").append(account.name()).append('\n');
		writeRow("no.", "day", "what for", "partner", "amount", "balance", "");
		int number = 0;
		long balance = 0;
		for (Entry entry : account.entries()) {
			balance += entry.cents();
			writeRow(Integer.toString(++number), entry.day(), entry.text(), entry.partner(),
					money(entry.cents()), money(balance), entry.cents() < 0 ? "D" : "C");
		}
		for (Account below : account.below()) {
			writeAccount(below);
		}
		writeRow("", "", "total", "", "", money(account.total()), "");
	}

	public static void main(String[] arguments) throws NoSuchAlgorithmException {
		boolean parses = arguments[0].equals("parse");
		MessageDigest sum = MessageDigest.getInstance("SHA-256");
		for (int company = 1; company <= 12; company++) {
			Report report = new Report(parses);
			report.writeAccount(account("company " + company, 6, new Random(company)));
			sum.update(report.text.toString().getBytes(StandardCharsets.UTF_8));
		}
		System.out.println("sum " + HexFormat.of().formatHex(sum.digest()));
	}
}
