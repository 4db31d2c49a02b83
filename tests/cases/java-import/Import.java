// SPDX-License-Identifier: MIT
//
// Import once|each: reads lists of companies, which it makes up, leaves those out that have a field
// which is not as it should be, writes the others by country as another system wants them, and
// prints a sum of this. The fields' expressions are compiled once, or for each field.

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

final class Import {
	record Company(String number, String mail, String since, String code, String tax) {
		static Company parse(String line) {
			String[] fields = line.split(";");
			return new Company(fields[0], fields[1], fields[2], fields[3], fields[4]);
		}

		String country() {
			return tax.substring(0, 2);
		}
	}

	private static final String NUMBER_RULE = "[A-Z]{2}-[0-9]{6}";
	private static final String MAIL_RULE = "[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+[.][A-Za-z]{2,}";
	private static final String SINCE_RULE =
			"(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";
	private static final String CODE_RULE =
			"[0-9]{4,5}|[0-9]{3} [0-9]{2}|[0-9]{4} ?[A-Z]{2}|[A-Z]{1,2}[0-9]{1,2} ?[0-9][A-Z]{2}";
	private static final String TAX_RULE =
			"ATU[0-9]{8}|BE[01][0-9]{9}|CZ[0-9]{8,10}|DE[0-9]{9}|DK[0-9]{8}|ES[A-Z][0-9]{7}[A-Z]"
			+ "|FI[0-9]{8}|FR[0-9A-Z]{2}[0-9]{9}|HU[0-9]{8}|IT[0-9]{11}|NL[0-9]{9}B[0-9]{2}"
			+ "|PL[0-9]{10}|PT[0-9]{9}|SE[0-9]{12}|SI[0-9]{8}|SK[0-9]{10}";

	private static final Pattern NUMBER = Pattern.compile(NUMBER_RULE);
	private static final Pattern MAIL = Pattern.compile(MAIL_RULE);
	private static final Pattern SINCE = Pattern.compile(SINCE_RULE);
	private static final Pattern CODE = Pattern.compile(CODE_RULE);
	private static final Pattern TAX = Pattern.compile(TAX_RULE);

	private static final String[] NAMES = {
		"baker", "carter", "fischer", "garcia", "jansen", "keller", "moreau", "novak", "rossi"
	};

	private static final String[] TAXES = {"ATU1", "DE12", "DK1", "FI2", "HU3", "PT20", "SI4"};

	private final boolean compiled;
	private final Map<String, StringBuilder> lines = new TreeMap<>();
	private int count;
	private int leftOut;

	Import(boolean compiled) {
		this.compiled = compiled;
	}

	static String list(int branch) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < 4000; i++) {
			int number = (branch * 4000 + i) * 739 % 900000;
			text.append("CO-").append(100000 + number).append(";office").append(i)
					.append(i % 50 == 3 ? "(at)" : "@").append(NAMES[number % NAMES.length])
					.append(".example.com;").append(1950 + number % 73).append('-')
					.append(10 + number % 3).append('-').append(10 + number % 19).append(';')
					.append(10000 + number / 13).append(';').append(TAXES[number % TAXES.length])
					.append(1000000 + number).append(i % 70 == 9 ? "?" : "").append('\n');
		}
		return text.toString();
	}

	boolean isValid(Company company) {
		if (compiled) {
			return NUMBER.matcher(company.number()).matches()
					&& MAIL.matcher(company.mail()).matches()
					&& SINCE.matcher(company.since()).matches()
					&& CODE.matcher(company.code()).matches()
					&& TAX.matcher(company.tax()).matches();
		}
		return company.number().matches(NUMBER_RULE) && company.mail().matches(MAIL_RULE)
				&& company.since().matches(SINCE_RULE) && company.code().matches(CODE_RULE)
				&& company.tax().matches(TAX_RULE);
	}

	void read(String list) {
		for (String line : list.split("\n")) {
			Company company = Company.parse(line);
			if (isValid(company)) {
				write(company);
				count++;
			} else {
				leftOut++;
			}
		}
	}

	void write(Company company) {
		lines.computeIfAbsent(company.country(), country -> new StringBuilder())
				.append(company.tax()).append('\t').append(company.number()).append('\t')
				.append(company.mail()).append('\t').append(company.code()).append('\t')
				.append(company.since()).append('\n');
	}

	public static void main(String[] arguments) {
		boolean compiled = arguments[0].equals("once");
		CRC32 sum = new CRC32();
		int count = 0;
		int leftOut = 0;
		for (int branch = 0; branch < 180; branch++) {
			Import companies = new Import(compiled);
			companies.read(list(branch));
			for (StringBuilder text : companies.lines.values()) {
				sum.update(text.toString().getBytes(StandardCharsets.UTF_8));
			}
			count += companies.count;
			leftOut += companies.leftOut;
		}
		System.out.println("sum " + Long.toHexString(sum.getValue()) + ": " + count
				+ " companies, " + leftOut + " left out");
	}
}
