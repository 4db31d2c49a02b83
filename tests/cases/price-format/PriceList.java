// SPDX-License-Identifier: MIT
// Writes a price list of many articles in many currencies.

public class PriceList {
    static final int ARTICLES = 90000;
    static final double[] RATES = {1, 1.08, 0.86, 11.6, 7.46, 25.3, 4.3, 157.2, 0.96, 1.64};

    static String cell(long cents, boolean formatted) {
        if (formatted) {
            return String.format("%d.%02d", cents / 100, cents % 100);
        }
        long rest = cents % 100;
        return cents / 100 + (rest < 10 ? ".0" : ".") + rest;
    }

    static int row(StringBuilder line, int article, boolean formatted) {
        line.setLength(0);
        line.append("article ").append(article);
        for (double rate : RATES) {
            long cents = Math.round((100 + article * 7919L % 99991) * rate);
            line.append(';').append(cell(cents, formatted));
        }
        return line.length();
    }

    static int checkDigit(CharSequence line) {
        int sum = 0;
        for (int round = 0; round < 36; round++) {
            for (int i = 0; i < line.length(); i++) {
                sum = (sum * 31 + line.charAt(i)) % 97;
            }
        }
        return sum;
    }

    public static void main(String[] arguments) {
        boolean formatted = arguments[0].equals("format");
        StringBuilder line = new StringBuilder();
        long characters = 0, digits = 0;

        for (int article = 0; article < ARTICLES; article++) {
            characters += row(line, article, formatted);
            digits += checkDigit(line);
        }
        System.out.println("characters: " + characters + ", digits: " + digits);
    }
}
