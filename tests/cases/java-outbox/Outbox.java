// SPDX-License-Identifier: MIT
//
// Outbox counter|size: the reminders of a library's branches are put into an outbox, which takes no
// more than so many that wait, and are sent some at a time. How many wait is kept in a counter, or
// asked of the queue for each reminder. Prints a sum of all that was sent.

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

final class Outbox {
	record Reminder(int reader, String title, int days) {}

	private static final int LIMIT = 9000;

	private final Queue<Reminder> waiting = new ConcurrentLinkedQueue<>();
	private final AtomicInteger count = new AtomicInteger();
	private final boolean hasCounter;
	private final MessageDigest sum;
	private int sent;

	Outbox(boolean hasCounter) throws NoSuchAlgorithmException {
		this.hasCounter = hasCounter;
		this.sum = MessageDigest.getInstance("SHA-256");
	}

	boolean accept(Reminder reminder) {
		if (hasCounter) {
			if (count.get() >= LIMIT) {
				return false;
			}
			count.incrementAndGet();
		} else if (waiting.size() >= LIMIT) {
			return false;
		}
		waiting.add(reminder);
		return true;
	}

	static String letter(Reminder reminder) {
		StringBuilder text = new StringBuilder();
		text.append("Dear reader ").append(reminder.reader()).append(",\n\n");
		text.append(String.format("you have had \"%s\" for %d days longer than agreed.%n",
				reminder.title(), reminder.days()));
		if (reminder.days() > 14) {
			int cents = 25 * (reminder.days() - 14);
			text.append(String.format("Please bring %d.%02d with you.%n", cents / 100, cents % 100));
		}
		return text.append("\nYour library\n").toString();
	}

	void send(int most) {
		for (int i = 0; i < most; i++) {
			Reminder reminder = waiting.poll();
			if (reminder == null) {
				return;
			}
			count.decrementAndGet();
			sum.update(letter(reminder).getBytes(StandardCharsets.UTF_8));
			sent++;
		}
	}

	String report() {
		return "sum " + HexFormat.of().formatHex(sum.digest()) + ": " + sent + " sent";
	}

	static Reminder reminder(Random random) {
		int reader = 10000 + random.nextInt(40000);
		return new Reminder(reader, "Volume " + random.nextInt(3000), 1 + random.nextInt(60));
	}

	public static void main(String[] arguments) throws NoSuchAlgorithmException {
		Outbox outbox = new Outbox(arguments[0].equals("counter"));
		Random random = new Random(17);
		int refused = 0;
		for (int minute = 0; minute < 400; minute++) {
			// More than are sent in a minute, so that the outbox is soon nearly full.
			int overdue = 440 + random.nextInt(120);
			for (int i = 0; i < overdue; i++) {
				if (!outbox.accept(reminder(random))) {
					refused++;
				}
			}
			outbox.send(400);
		}
		System.out.println(outbox.report() + ", " + refused + " refused");
	}
}
