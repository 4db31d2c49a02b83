# SPDX-License-Identifier: MIT
# A night's job encrypts files with a passphrase, by gpg, one after the other. In the slow run
# s2k-count is set to the most that there is, so that the key is made of the passphrase with a thousand
# times more work, for each file again; in the base it has a small value. The passphrase is long and
# random, and needs none of this.

about="a passphrase made into a key with much work"
cause=real
traits="gpg, started by a shell script: client, C, many short processes"
packages=(gpg)
half=fresh
says="the cause is gcry_kdf_derive, called by gpg, which makes the key of the passphrase with much work (s2k-count)"
told='gcry_kdf_derive|s2k'

build() {
	echo 'hV5kq0Zr2WmXc8tYbN4sLd7gPj3uEa9f' > passphrase
	mkdir files
	for ((i = 0; i < 14; i++)); do
		awk -v i="$i" 'BEGIN {
			srand(i)
			for (j = 0; j < 24000; j++)
				printf "order %d, article %d, %d pieces, %d.%02d\n", i * 100000 + j, rand() * 100000,
					rand() * 100, rand() * 1000, rand() * 100
		}' > "files/orders-$i"
	done
}

# encrypt COUNT
encrypt() {
	mkdir -m 700 keys
	record "$case_dir/encrypt-all" "$built" "$1"
}

base() {
	encrypt 65536
}

slow() {
	encrypt 65011712
}

truth() {
	echo '^gcry_kdf_derive$' '^libgcrypt\.so'
}
