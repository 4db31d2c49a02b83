// SPDX-License-Identifier: MIT
//
// Import look|parse: two threads read lists of articles, whose amount may be missing.

import java.security.MessageDigest;

public class Import {
    private final boolean look;
    private final MessageDigest digest;

    Import(boolean look) throws Exception {
        this.look = look;
        digest = MessageDigest.getInstance("SHA-256");
    }

    int amount(String field) {
        if (look && (field.isEmpty() || !Character.isDigit(field.charAt(0)))) {
            return 0;
        }
        try {
            return Integer.parseInt(field);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    // Shops have branches, which have branches.
    long shop(int depth, int number) {
        if (depth > 0) {
            return shop(depth - 1, number) + depth;
        }
        long total = 0;
        for (int article = 0; article < 60; article++) {
            String line = "article " + article + ";" + number + ";" + (article % 9 == 0 ? "n/a" : "" + article);
            String[] fields = line.split(";");
            digest.update(line.getBytes());
            total += amount(fields[2]);
        }
        return total;
    }

    long list(int shops) {
        long total = 0;
        for (int number = 0; number < shops; number++) {
            total += shop(12, number);
            for (int i = 0; i < 16; i++) {
                digest.update(digest.digest());
            }
        }
        return total;
    }

    public static void main(String[] arguments) throws Exception {
        boolean look = arguments[0].equals("look");
        long[] totals = new long[2];
        Thread[] threads = new Thread[totals.length];
        for (int i = 0; i < threads.length; i++) {
            int list = i;
            Import one = new Import(look);
            threads[i] = new Thread(() -> totals[list] = one.list(45000 + list), "list " + list);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(totals[0] + totals[1]);
    }
}
