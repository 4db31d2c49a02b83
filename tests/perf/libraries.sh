# SPDX-License-Identifier: MIT
#
# For tests that record tests/perf/swapper: first_library.so and second_library.so, whose functions
# lie in the same place. Sourced after tests/lib/tap.sh.
# shellcheck shell=bash
# shellcheck disable=SC2154 # $tmp comes from tap.sh

# Makes them in $tmp.
make_libraries() {
	local name
	for name in first_library second_library; do
		gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -shared -fPIC -x c \
			-o "$tmp/$name.so" - <<-END || skip_all "gcc failed"
			static __attribute__((noinline)) void $name(void (*callee)(void))
			{
				callee();
				__asm__ volatile("");
			}
			void work(void (*callee)(void));
			void work(void (*callee)(void))
			{
				$name(callee);
				__asm__ volatile("");
			}
		END
	done
}
