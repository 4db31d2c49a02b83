// SPDX-License-Identifier: MIT
//
// Latencies asked|always: four threads answer requests, and note how long each took. The median of
// these is found when somebody asks for it, or whenever one is added.

import java.security.MessageDigest;
import java.util.Arrays;

final class Latencies {
	private final long[] values = new long[8000];
	private final boolean always;
	private int count;
	private long median;

	Latencies(boolean always) {
		this.always = always;
	}

	synchronized void add(long value) {
		values[count++] = value;
		if (always) {
			findMedian();
		}
	}

	synchronized long median() {
		findMedian();
		return median;
	}

	private void findMedian() {
		long[] sorted = Arrays.copyOf(values, count);
		Arrays.sort(sorted);
		median = sorted[count / 2];
	}

	static byte[] answer(MessageDigest digest, byte[] page) {
		for (int i = 0; i < 20; i++) {
			page = Arrays.copyOf(digest.digest(page), page.length);
		}
		return page;
	}

	static void serve(Latencies latencies) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-512");
			byte[] page = new byte[2048];
			for (int i = 0; i < 2000; i++) {
				long start = System.nanoTime();
				page = answer(digest, page);
				latencies.add(System.nanoTime() - start);
			}
		} catch (java.security.NoSuchAlgorithmException e) {
			throw new IllegalStateException(e);
		}
	}

	public static void main(String[] arguments) throws InterruptedException {
		Latencies latencies = new Latencies(arguments[0].equals("always"));
		Thread[] threads = new Thread[4];
		for (int i = 0; i < threads.length; i++) {
			threads[i] = new Thread(() -> serve(latencies));
			threads[i].start();
		}
		for (Thread thread : threads) {
			thread.join();
		}
		System.out.println("median " + latencies.median() + " ns");
	}
}
