# SPDX-License-Identifier: MIT
# A client sends readings to a broker and waits for each to be acknowledged. In the slow run the
# broker has a long list of rules, with wildcards, about which topics the client may use, and goes
# through them for each message; in the base the list is short. All messages are allowed in both.

about="a broker with a long list of access rules"
cause=real
traits="mosquitto and mosquitto_pub: a broker and a client, C, several processes"
packages=(dpkg-dev gcc make)
half=fresh
says="the cause is mosquitto_acl_check_default in mosquitto: for each message that mosquitto_pub waits to have acknowledged, it tries the client's whole list of rules"
told='mosquitto_acl_check_default'

build() {
	fetch_source mosquitto
	make -j"$(nproc)" CFLAGS="$stock_flags -I$PWD -I$PWD/include -I$PWD/lib -I$PWD/deps -I$PWD/src" \
		WITH_TLS=no WITH_DOCS=no WITH_CJSON=no WITH_SYSTEMD=no WITH_SRV=no WITH_WEBSOCKETS=no \
		WITH_STATIC_LIBRARIES=yes WITH_SHARED_LIBRARIES=no WITH_STRIP=no WITH_BUNDLED_DEPS=yes binary
}

# send COUNT: with so many rules.
send() {
	local port
	port=$(free_port)
	{
		echo 'user meter'
		seq -f 'topic readwrite sites/+/floor%.0f/+/state' "$1"
		echo 'topic readwrite sites/+/rooms/+/state'
	} > rules
	printf '%s\n' "listener $port 127.0.0.1" 'allow_anonymous true' "acl_file $PWD/rules" \
		'user root' 'max_inflight_messages 1' 'set_tcp_nodelay true' > broker.conf
	awk 'BEGIN { for (i = 0; i < 7000; i++) print "temperature " i * 7919 % 997 / 10 }' > readings
	record "$case_dir/send" "$built" "$port"
}

base() {
	send 5
}

slow() {
	send 15000
}

truth() {
	echo '^mosquitto_acl_check_default$' '^mosquitto$'
}
