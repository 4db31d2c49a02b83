# SPDX-License-Identifier: MIT
# A list of orders is fetched from an FTP server each night, and compressed on the way. In the slow run
# the server's configuration still limits the rate of a transfer (TransferRate), as when its line was
# slow: it sleeps after each piece that it has sent. In the base there is no limit.

about="a server's limit of the rate, left over"
cause=real
traits="ProFTPD, curl and gzip: C, several processes"
packages=(curl dpkg-dev gcc gzip make)
half=fresh
says="the cause is pr_throttle_pause of proftpd, which sleeps after each piece of the file so as not to exceed the rate that its configuration allows (TransferRate)"
told='pr_throttle_|TransferRate|throttl'

build() {
	fetch_source proftpd-dfsg
	./configure --prefix="$PWD/installed" --disable-auth-pam --disable-cap --disable-ident \
		--disable-nls CFLAGS="$stock_flags"
	make -j"$(nproc)" proftpd
	awk 'BEGIN {
		srand(1)
		for (i = 0; i < 420000; i++)
			printf "%d;customer %d;article %d;%d pieces;%.2f;Aachen;sent\n", i, rand() * 100000,
				rand() * 1000, rand() * 30, rand() * 200
	}' > orders.csv
}

# fetch_orders [SETTING]
fetch_orders() {
	local port
	port=$(free_port)
	chmod 755 .
	mkdir -m 755 pub run
	cp "$built/orders.csv" pub/
	chmod 444 pub/orders.csv
	cat > proftpd.conf <<-END
		ServerName orders
		ServerType standalone
		DefaultAddress 127.0.0.1
		SocketBindTight on
		Port $port
		UseIPv6 off
		UseReverseDNS off
		User nobody
		Group nogroup
		PidFile $PWD/run/pid
		ScoreboardFile $PWD/run/scoreboard
		SystemLog $PWD/run/log
		WtmpLog off
		TransferLog none
		DelayEngine off
		RequireValidShell off
		UseFtpUsers off
		<Anonymous $PWD/pub>
			User nobody
			Group nogroup
			UserAlias anonymous nobody
			$*
		</Anonymous>
	END
	record "$case_dir/fetch.sh" "$built/proftpd" "$port"
	[ "$(zcat copy.gz | wc -l)" = 420000 ]
}

base() {
	fetch_orders
}

slow() {
	fetch_orders TransferRate RETR 10000
}

truth() {
	echo '^pr_throttle_pause$' '^proftpd$'
}
