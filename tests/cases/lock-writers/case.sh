# SPDX-License-Identifier: MIT
# Four threads take orders, and look the articles up under a lock that many may read under. A fifth
# saves all articles again and again, which needs the lock alone, as it marks them as saved. In the
# slow run it holds the lock while it writes them to a file; in the base it copies them first.

about="lock for writing held while a file is written"
cause=real
traits="a program with std::shared_mutex: C++, several threads"
packages=(g++)
stack_bytes=4096
half=fresh
says="the cause is that threads that take orders wait for a lock, which Stock::save holds while it writes all articles to a file"
told='Stock::save'

build() {
	g++ $stock_flags -std=c++17 -pthread -o stock "$case_dir/stock.cc"
}

base() {
	record "$built/stock" copy stock.json
}

slow() {
	record "$built/stock" hold stock.json
}

truth() {
	echo '^Stock::save' '^stock$'
}
