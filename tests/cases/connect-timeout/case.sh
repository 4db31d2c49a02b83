# SPDX-License-Identifier: MIT
# A script copies logs by ssh to the first of two servers that takes them. In the slow run the first
# of its list does not answer any more: for each log ssh waits until its ConnectTimeout is over, and
# the script then takes the second. In the base the one that answers comes first.

about="a server that does not answer, tried first"
cause=real
traits="ssh from a script: client, C, several processes"
packages=(autoconf automake dpkg-dev gcc libssl-dev make python3 zlib1g-dev)
stack_bytes=4096
half=fresh
says="the cause is that ssh waits in timeout_connect for a server that does not answer, until the time is out, before the other one is tried"
told='timeout_connect'

build() {
	mkdir source empty
	(
		cd source
		fetch_source openssh
		autoreconf -fi
		./configure --without-hardening --with-privsep-path="$built/empty" --with-privsep-user=nobody CFLAGS="$stock_flags"
		make -j"$(nproc)" ssh sshd ssh-keygen
		cp ssh sshd ssh-keygen ..
	)
	rm -r source
	chmod 755 empty
	for log in shop blog wiki; do
		awk -v site="$log" 'BEGIN {
			for (i = 0; i < 300000; i++)
				print "10.0." i % 7 "." i % 251 " " site " GET /page/" i * 7919 % 100003 " took " i * i % 977 " ms"
		}' > "$log.log"
	done
}

# copy_logs ADDRESS…: to the first of these that answers.
copy_logs() {
	local port server silent
	[ "$(id -u)" -eq 0 ] || fail "only root may log in at this server"
	port=$(free_port)
	"$built/ssh-keygen" -q -t ed25519 -N '' -f key
	cp key.pub allowed
	cat > sshd_config <<-CONF
		ListenAddress 127.11.22.1:$port
		HostKey $PWD/key
		AuthorizedKeysFile $PWD/allowed
		StrictModes no
		PasswordAuthentication no
		PermitRootLogin prohibit-password
		PidFile none
		Compression yes
	CONF
	cat > ssh_config <<-CONF
		Port $port
		User $(id -un)
		IdentityFile $PWD/key
		IdentitiesOnly yes
		UserKnownHostsFile $PWD/known
		StrictHostKeyChecking accept-new
		BatchMode yes
		Compression yes
		ConnectTimeout 2
	CONF
	"$built/sshd" -D -e -r -f sshd_config 2> server &
	server=$!
	python3 "$case_dir/silent.py" 127.11.22.2 "$port" &
	silent=$!
	# shellcheck disable=SC2064 # these processes
	trap "kill $server $silent 2>/dev/null || true; wait; clean_up" EXIT
	for ((i = 0; i < 200; i++)); do
		if (: < "/dev/tcp/127.11.22.1/$port") 2>/dev/null && [ -e silent ]; then
			break
		fi
		sleep 0.05
	done
	record bash "$case_dir/copy_logs.sh" "$built/ssh" "$PWD" "$*" "$built"/*.log
	for log in "$built"/*.log; do
		cmp "$log" "copy-${log##*/}"
	done
}

base() {
	copy_logs 127.11.22.1 127.11.22.2
}

slow() {
	copy_logs 127.11.22.2 127.11.22.1
}

truth() {
	echo '^timeout_connect$' '^ssh$'
}
