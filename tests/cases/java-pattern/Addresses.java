// SPDX-License-Identifier: MIT
//
// Addresses once|each: counts the fields of addresses that hold nothing but letters, and prints how many
// there are. The expression for that is compiled once, or for each field.

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

final class Addresses {
	static final String PLAIN = "(?:[A-Z][a-z]{1,20}|von|de la|[0-9]{1,4}[a-f]?)(?: (?:[A-Z][a-z]*|[IVX]+))*";
	static final Pattern COMPILED = Pattern.compile(PLAIN);

	static List<String[]> addresses(int town) {
		List<String[]> addresses = new ArrayList<>();
		for (int i = 0; i < 2500; i++) {
			addresses.add(new String[] { "Family" + i * 31 % 977, "Street " + (char) ('A' + i % 26),
					Integer.toString(i * 7919 % 9973), "Town" + town });
		}
		return addresses;
	}

	static boolean isPlain(String field, boolean each) {
		return each ? field.matches(PLAIN) : COMPILED.matcher(field).matches();
	}

	static int countPlain(List<String[]> addresses, boolean each) {
		int count = 0;
		for (String[] address : addresses) {
			for (String field : address) {
				if (isPlain(field, each)) {
					count++;
				}
			}
		}
		return count;
	}

	static void sign(MessageDigest digest, List<String[]> addresses) {
		for (String[] address : addresses) {
			for (int i = 0; i < 3; i++) {
				digest.update(String.join(", ", address).getBytes(StandardCharsets.UTF_8));
			}
		}
	}

	public static void main(String[] arguments) throws NoSuchAlgorithmException {
		boolean each = arguments[0].equals("each");
		MessageDigest digest = MessageDigest.getInstance("SHA-512");
		int count = 0;
		for (int town = 0; town < 260; town++) {
			List<String[]> addresses = addresses(town);
			sign(digest, addresses);
			count += countPlain(addresses, each);
		}
		System.out.println("plain " + count + ", " + digest.digest()[0]);
	}
}
