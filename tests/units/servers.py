# SPDX-License-Identifier: MIT
"""Servers whose requests are counted by who asks them.

Each `run` is a script of bash: it starts the server in the current directory, on the port $port, asks
it as often as `requests` says, one after the other, and ends it by its number. `prepare` runs before,
and is not recorded. `process` is the name of the program that answers.
"""
import dataclasses


@dataclasses.dataclass
class Server:
    name: str
    process: str
    packages: list
    requests: int
    run: str
    prepare: str = ":"
    # What a request is, where that does not go without saying.
    unit: str = "request"
    # A function by which the type of the requests is told from others; the one that took most time.
    tells: str = ""
    # All units of the loop are such requests, whatever their types.
    is_whole_loop: bool = False
    # Written down before it was recorded for the first time, when the rules stood.
    is_fresh: bool = False


UNTIL_IT_LISTENS = """
until bash -c "exec 3<>/dev/tcp/127.0.0.1/$port" 2>/dev/null; do
    kill -0 $! || exit 1
    sleep 0.1
done
"""

NGINX = """
cat >nginx.conf <<END
user root; worker_processes 1; daemon off; pid $PWD/nginx.pid; error_log $PWD/error.log;
events { worker_connections 64; }
http {
    access_log $PWD/access.log;
    server { listen 127.0.0.1:$port; root $PWD; keepalive_requests 100000; }
}
END
echo hello >page.html
"""

APACHE = """
cat >apache.conf <<END
ServerRoot $PWD
ServerName localhost
Listen 127.0.0.1:$port
PidFile $PWD/apache.pid
ErrorLog $PWD/error.log
LoadModule %s_module /usr/lib/apache2/modules/mod_%s.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
DocumentRoot $PWD
StartServers 1
MaxKeepAliveRequests 0
END
echo hello >page.html
chmod a+rx . ; chmod a+r page.html
"""

MEMCACHED_CLIENT = """
cat >client.py <<END
import socket, sys
server = socket.create_connection(("127.0.0.1", int(sys.argv[1]))).makefile("rwb", buffering=0)
for i in range(1000):
    server.write(b"set key%d 0 0 5\\r\\nhello\\r\\n" % i)
    server.readline()
for i in range(1000):
    server.write(b"get key%d\\r\\n" % i)
    while server.readline() != b"END\\r\\n":
        pass
END
"""

NODE = """
cat >server.js <<END
require("http").createServer((request, answer) => answer.end("hello")).listen(process.env.port, "127.0.0.1");
END
"""

LIGHTTPD = """
cat >lighttpd.conf <<END
server.document-root = "$PWD"
server.bind = "127.0.0.1"
server.port = $port
END
echo hello >page.html
"""

# Names that it knows itself.
DNS_CLIENT = """
cat >client.py <<END
import socket, sys
query = bytes(2) + bytes([1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 4]) + b"here" + bytes([5]) + b"local" + bytes([0, 0, 1, 0, 1])
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.connect(("127.0.0.1", int(sys.argv[1])))
for i in range(1000):
    server.send(bytes([i >> 8, i & 255]) + query[2:])
    server.recv(512)
END
"""

BEANSTALK_CLIENT = """
cat >client.py <<END
import socket, sys
server = socket.create_connection(("127.0.0.1", int(sys.argv[1]))).makefile("rwb", buffering=0)
for i in range(1000):
    server.write(b"put 1 0 60 5\\r\\nhello\\r\\n")
    server.readline()
END
"""

PERL_SERVER = """
cat >server.pl <<'END'
use IO::Socket::INET;
my $listener = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => $ENV{port}, Listen => 9, ReuseAddr => 1);
while (my $client = $listener->accept()) {
    my $line = <$client>;
    print $client "you said $line" if defined $line;
    close($client);
}
END
cat >client.py <<END
import socket, sys
for i in range(500):
    with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as server:
        server.sendall(b"hello\\n")
        server.makefile("rb").readline()
END
"""

GO_SERVER = """
cat >server.go <<END
package main

import ("fmt"; "net/http"; "os")

func main() {
	http.HandleFunc("/", func(answer http.ResponseWriter, request *http.Request) { fmt.Fprintln(answer, "hello") })
	http.ListenAndServe("127.0.0.1:"+os.Getenv("port"), nil)
}
END
GO111MODULE=off GOCACHE=$PWD/cache go build -o goserver server.go
"""

GO_RUN = f"""
GOMAXPROCS=%d port=$port ./goserver & server=$!
{UNTIL_IT_LISTENS}
ab -q -k -n 1000 -c 1 http://127.0.0.1:$port/
kill $server; wait $server
"""

# Files of one size, each of which a thread packs.
FILES = """
mkdir files
head -c 20000000 /dev/urandom | base64 | head -c 20000000 | split -b 100000 -a 3 - files/
"""

# A program for a screen that is none, to which 200 keys are typed.
TYPE_KEYS = """
export HOME=$PWD NO_AT_BRIDGE=1 GSETTINGS_BACKEND=memory XDG_RUNTIME_DIR=$PWD
Xvfb -displayfd 3 -screen 0 640x480x24 3>display & screen=$!
until [ -s display ]; do sleep 0.1; done
export DISPLAY=:$(cat display)
%s & program=$!
window=$(timeout 30 xdotool search --sync --onlyvisible --pid $program | tail -1)
xdotool windowfocus $window
sleep 1
xdotool type --delay 80 $(printf '1%%.0s' {1..200})
sleep 1
kill $program; wait $program
kill $screen; wait $screen
"""

HAPROXY = """
cat >haproxy.conf <<END
defaults
    mode http
    timeout client 5s
frontend all
    bind 127.0.0.1:$port
    http-request return status 200 content-type text/plain string hello
END
"""

UNBOUND = DNS_CLIENT + """
cat >unbound.conf <<END
server:
    interface: 127.0.0.1
    port: $port
    chroot: ""
    username: ""
    directory: "$PWD"
    pidfile: "$PWD/pid"
    use-syslog: no
    local-data: "here.local. A 127.0.0.1"
END
"""

# Messages, each of which is acknowledged.
MQTT_CLIENT = """
cat >client.py <<'END'
import socket, sys
server = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
server.sendall(bytes([0x10, 13, 0, 4]) + b"MQTT" + bytes([4, 2, 0, 60, 0, 1]) + b"c")
assert server.recv(4)[0] == 0x20
for i in range(1, 1001):
    server.sendall(bytes([0x32, 12, 0, 3]) + b"top" + bytes([i >> 8, i & 255]) + b"hello")
    assert server.recv(4)[0] == 0x40
END
printf 'listener %d 127.0.0.1\nallow_anonymous true\nuser root\n' $port >mosquitto.conf
"""

VSFTPD = """
mkdir -p empty files
cat >vsftpd.conf <<END
listen=YES
listen_address=127.0.0.1
listen_port=$port
background=NO
anonymous_enable=YES
anon_root=$PWD/files
secure_chroot_dir=$PWD/empty
seccomp_sandbox=NO
END
cat >client.py <<END
import ftplib, sys
server = ftplib.FTP()
server.connect("127.0.0.1", int(sys.argv[1]))
server.login()
for i in range(500):
    server.voidcmd("NOOP")
END
"""

# The client must register first; each line is answered by one.
NGIRCD = """
cat >ngircd.conf <<END
[Global]
Name = irc.local
Info = test
Listen = 127.0.0.1
Ports = $port
ServerUID = 0
ServerGID = 0
[Limits]
PingTimeout = 600
[Options]
DNS = no
Ident = no
PAM = no
END
cat >client.py <<END
import socket, sys
server = socket.create_connection(("127.0.0.1", int(sys.argv[1]))).makefile("rwb", buffering=0)
server.write(b"NICK me\\r\\nUSER me 0 * :me\\r\\nPING first\\r\\n")
while b"PONG" not in server.readline():
    pass
for i in range(1000):
    server.write(b"PING again\\r\\n")
    server.readline()
END
"""

NSD = DNS_CLIENT + """
cat >nsd.conf <<END
server:
    ip-address: 127.0.0.1@$port
    username: ""
    server-count: 1
    rrl-ratelimit: 0
    zonesdir: "$PWD"
    database: ""
    pidfile: "$PWD/pid"
    zonelistfile: "$PWD/zones"
    xfrdfile: "$PWD/xfrd"
    logfile: "$PWD/log"
remote-control:
    control-enable: no
zone:
    name: local
    zonefile: local.zone
END
printf '$ORIGIN local.\n@ 60 IN SOA here here 1 60 60 60 60\n@ 60 IN NS here\nhere 60 IN A 127.0.0.1\n' >local.zone
"""

UVICORN = """
cat >app.py <<END
async def app(scope, receive, send):
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
        await send({"type": "http.response.body", "body": b"hello"})
END
"""

H2O = """
cat >h2o.conf <<END
user: root
num-threads: 1
pid-file: $PWD/pid
error-log: $PWD/error.log
listen:
  host: 127.0.0.1
  port: $port
hosts:
  default:
    paths:
      /:
        file.dir: $PWD
END
echo hello >page.html
"""

KNOT = DNS_CLIENT + """
cat >knot.conf <<END
server:
    listen: 127.0.0.1@$port
    rundir: "$PWD"
    udp-workers: 1
database:
    storage: "$PWD"
template:
  - id: default
    storage: "$PWD"
zone:
  - domain: local
    file: local.zone
END
printf '$ORIGIN local.\\n@ 60 IN SOA here here 1 60 60 60 60\\n@ 60 IN NS here\\nhere 60 IN A 127.0.0.1\\n' >local.zone
"""

WSGI = """
cat >app.py <<END
def application(request, begin):
    begin("200 OK", [("Content-Length", "5")])
    return [b"hello"]
END
"""

SERVERS = [
    Server("nginx, a connection each", "nginx", ["nginx-light", "apache2-utils"], 2000, f"""
nginx -c $PWD/nginx.conf & server=$!
{UNTIL_IT_LISTENS}
ab -q -n 2000 -c 1 http://127.0.0.1:$port/page.html
kill $server; wait $server
""", NGINX),
    Server("nginx, one connection", "nginx", ["nginx-light", "apache2-utils"], 2000, f"""
nginx -c $PWD/nginx.conf & server=$!
{UNTIL_IT_LISTENS}
ab -q -k -n 2000 -c 1 http://127.0.0.1:$port/page.html
kill $server; wait $server
""", NGINX),
    Server("Apache, event", "apache2", ["apache2", "apache2-utils"], 1000, f"""
# It ends all of its process group.
setsid apache2 -DFOREGROUND -f $PWD/apache.conf & server=$!
{UNTIL_IT_LISTENS}
ab -q -n 1000 -c 1 http://127.0.0.1:$port/page.html
kill $server; wait $server
""", APACHE % ("mpm_event", "mpm_event")),
    Server("Apache, prefork", "apache2", ["apache2", "apache2-utils"], 1000, f"""
# It ends all of its process group.
setsid apache2 -DFOREGROUND -f $PWD/apache.conf & server=$!
{UNTIL_IT_LISTENS}
ab -q -n 1000 -c 1 http://127.0.0.1:$port/page.html
kill $server; wait $server
""", APACHE % ("mpm_prefork", "mpm_prefork")),
    Server("redis", "redis-server", ["redis-server", "redis-tools"], 3000, f"""
redis-server --port $port --bind 127.0.0.1 --save "" & server=$!
{UNTIL_IT_LISTENS}
redis-benchmark -p $port -c 1 -n 3000 -t set -q
kill $server; wait $server
"""),
    Server("memcached", "memcached", ["memcached"], 2000, f"""
memcached -u root -l 127.0.0.1 -p $port -t 2 & server=$!
{UNTIL_IT_LISTENS}
/usr/bin/python3 client.py $port
kill $server; wait $server
""", MEMCACHED_CLIENT),
    Server("PostgreSQL", "postgres", ["postgresql"], 1000, """
bin=$(echo /usr/lib/postgresql/*/bin)
setpriv --reuid postgres --regid postgres --clear-groups $bin/postgres -D $PWD/data -p $port -k $PWD & server=$!
until $bin/pg_isready -q -h $PWD -p $port; do sleep 0.1; done
setpriv --reuid postgres --regid postgres --clear-groups $bin/pgbench -h $PWD -p $port -n -S -t 1000 bench
kill -INT $server; wait $server
""", """
bin=$(echo /usr/lib/postgresql/*/bin)
chmod a+rwx .
as() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
as $bin/initdb -D $PWD/data -A trust >log.txt
as $bin/pg_ctl -D $PWD/data -o "-p $port -k $PWD" -w -l $PWD/data/log.txt start
as $bin/createdb -h $PWD -p $port bench
as $bin/pgbench -h $PWD -p $port -i bench
as $bin/pg_ctl -D $PWD/data -w stop
""", "transaction of one SELECT"),
    Server("MariaDB", "mariadbd", ["mariadb-server"], 1000, """
mariadbd --no-defaults --user=root --datadir=$PWD/data --skip-networking --socket=$PWD/socket \
    --pid-file=$PWD/pid --log-error=$PWD/error.log & server=$!
until mariadb-admin --socket=$PWD/socket ping >log.txt 2>&1; do sleep 0.1; done
mysqlslap --no-defaults --socket=$PWD/socket --concurrency=1 --iterations=1 --number-of-queries=1000 \
    --create-schema=mysql --query="select count(*) from help_topic where name like '%A%'"
kill $server; wait $server
""", "mariadb-install-db --no-defaults --user=root --datadir=$PWD/data --auth-root-authentication-method=normal >log.txt",
           "query"),
    Server("Python's http.server", "python3", ["python3", "apache2-utils"], 300, f"""
/usr/bin/python3 -m http.server --bind 127.0.0.1 $port & server=$!
{UNTIL_IT_LISTENS}
ab -q -n 300 -c 1 http://127.0.0.1:$port/page.html
kill $server; wait $server
""", "echo hello >page.html"),
    Server("node", "node", ["apache2-utils"], 1000, f"""
port=$port node server.js & server=$!
{UNTIL_IT_LISTENS}
ab -q -k -n 1000 -c 1 http://127.0.0.1:$port/
kill $server; wait $server
""", NODE),
    Server("Go, two processors", "goserver", ["golang-go", "apache2-utils"], 1000, GO_RUN % 2, GO_SERVER),
    Server("Go, one processor", "goserver", ["golang-go", "apache2-utils"], 1000, GO_RUN % 1, GO_SERVER),
    Server("7z a, two threads", "7z", ["p7zip-full"], 200, """
7z a -tzip -mmt=2 -mx=1 all.zip files
""", FILES, "file", is_whole_loop=True),
    Server("l3afpad (GTK)", "l3afpad", ["l3afpad", "xvfb", "xdotool"], 200, TYPE_KEYS % "l3afpad", ":", "key",
           tells="gdk_x11_window_set_user_time"),
    Server("featherpad (Qt)", "featherpad", ["featherpad", "xvfb", "xdotool"], 200, TYPE_KEYS % "featherpad", ":",
           "key", tells="QWindowSystemInterface::sendWindowSystemEvents"),
    Server("lighttpd", "lighttpd", ["lighttpd", "apache2-utils"], 1000, f"""
lighttpd -D -f $PWD/lighttpd.conf & server=$!
{UNTIL_IT_LISTENS}
ab -q -k -n 1000 -c 1 http://127.0.0.1:$port/page.html
kill $server; wait $server
""", LIGHTTPD),
    Server("dnsmasq", "dnsmasq", ["dnsmasq-base"], 1000, """
dnsmasq -k -C /dev/null --port=$port --listen-address=127.0.0.1 --bind-interfaces --no-resolv --no-hosts \
    --user=root --pid-file=$PWD/pid --address=/here.local/127.0.0.1 & server=$!
sleep 1
/usr/bin/python3 client.py $port
kill $server; wait $server
""", DNS_CLIENT, "query"),
    Server("beanstalkd", "beanstalkd", ["beanstalkd"], 1000, f"""
beanstalkd -l 127.0.0.1 -p $port & server=$!
{UNTIL_IT_LISTENS}
/usr/bin/python3 client.py $port
kill $server; wait $server
""", BEANSTALK_CLIENT, "job"),
    Server("php -S", "php", ["php-cli", "apache2-utils"], 500, f"""
php -S 127.0.0.1:$port & server=$!
{UNTIL_IT_LISTENS}
ab -q -n 500 -c 1 http://127.0.0.1:$port/page.html
kill $server; wait $server
""", "echo hello >page.html"),
    Server("a server in Perl", "perl", ["perl"], 500, f"""
port=$port perl server.pl & server=$!
{UNTIL_IT_LISTENS}
/usr/bin/python3 client.py $port
kill $server; wait $server
""", PERL_SERVER, "connection"),
    Server("haproxy", "haproxy", ["haproxy", "apache2-utils"], 1000, f"""
haproxy -db -f $PWD/haproxy.conf & server=$!
{UNTIL_IT_LISTENS}
ab -q -k -n 1000 -c 1 http://127.0.0.1:$port/
kill $server; wait $server
""", HAPROXY),
    Server("unbound", "unbound", ["unbound"], 1000, """
unbound -d -c $PWD/unbound.conf & server=$!
sleep 2
/usr/bin/python3 client.py $port
kill $server; wait $server
""", UNBOUND, "query"),
    Server("mosquitto", "mosquitto", ["mosquitto"], 1000, f"""
mosquitto -c $PWD/mosquitto.conf & server=$!
{UNTIL_IT_LISTENS}
/usr/bin/python3 client.py $port
kill $server; wait $server
""", MQTT_CLIENT, "message"),
    Server("vsftpd", "vsftpd", ["vsftpd"], 500, f"""
vsftpd $PWD/vsftpd.conf & server=$!
{UNTIL_IT_LISTENS}
/usr/bin/python3 client.py $port
kill $server; wait $server
""", VSFTPD, "command"),
    Server("slapd", "slapd", ["slapd", "ldap-utils"], 500, f"""
slapd -d 0 -h ldap://127.0.0.1:$port -f $PWD/slapd.conf & server=$!
{UNTIL_IT_LISTENS}
ldapsearch -x -H ldap://127.0.0.1:$port -b "" -s base -f lines "(objectClass=%s)"
kill $server; wait $server
""", "echo 'include /etc/ldap/schema/core.schema' >slapd.conf; printf '*\\n%.0s' {1..500} >lines", "search"),
    Server("gunicorn", "gunicorn", ["gunicorn", "apache2-utils"], 500, f"""
gunicorn -b 127.0.0.1:$port app & server=$!
{UNTIL_IT_LISTENS}
ab -q -n 500 -c 1 http://127.0.0.1:$port/
kill $server; wait $server
""", WSGI),
    Server("puma", "puma", ["puma", "apache2-utils"], 500, f"""
puma -q -b tcp://127.0.0.1:$port -t 1:1 app.ru & server=$!
{UNTIL_IT_LISTENS}
ab -q -n 500 -c 1 http://127.0.0.1:$port/
kill $server; wait $server
""", """echo 'run ->(request) { [200, {"Content-Length" => "5"}, ["hello"]] }' >app.ru"""),
    Server("galculator (GTK)", "galculator", ["galculator", "xvfb", "xdotool"], 200, TYPE_KEYS % "galculator", ":",
           "key", tells="gdk_x11_window_set_user_time"),
    Server("caddy (Go)", "caddy", ["caddy", "apache2-utils"], 1000, f"""
HOME=$PWD caddy respond --listen 127.0.0.1:$port --body hello & server=$!
{UNTIL_IT_LISTENS}
ab -q -k -n 1000 -c 1 http://127.0.0.1:$port/
kill $server; wait $server
""", is_whole_loop=True),
    Server("nsd", "nsd: main", ["nsd"], 1000, """
nsd -d -c $PWD/nsd.conf & server=$!
sleep 2
/usr/bin/python3 client.py $port
kill $server; wait $server
""", NSD, "query"),
    Server("ngircd", "ngircd", ["ngircd"], 1000, f"""
ngircd -n -f $PWD/ngircd.conf & server=$!
{UNTIL_IT_LISTENS}
/usr/bin/python3 client.py $port
kill $server; wait $server
""", NGIRCD, "PING"),
    Server("uvicorn", "uvicorn", ["uvicorn", "apache2-utils"], 1000, f"""
uvicorn --host 127.0.0.1 --port $port --no-access-log app:app & server=$!
{UNTIL_IT_LISTENS}
ab -q -k -n 1000 -c 1 http://127.0.0.1:$port/
kill $server; wait $server
""", UVICORN),
    Server("webhook (Go)", "webhook", ["webhook", "apache2-utils"], 500, f"""
webhook -hooks $PWD/hooks.json -ip 127.0.0.1 -port $port & server=$!
{UNTIL_IT_LISTENS}
ab -q -k -n 500 -c 1 http://127.0.0.1:$port/hooks/hello
kill $server; wait $server
""", """echo '[{"id": "hello", "execute-command": "/bin/true", "response-message": "hello"}]' >hooks.json""",
           is_fresh=True, is_whole_loop=True),
    Server("h2o", "h2o", ["h2o", "apache2-utils"], 1000, f"""
h2o -c $PWD/h2o.conf & server=$!
{UNTIL_IT_LISTENS}
ab -q -k -n 1000 -c 1 http://127.0.0.1:$port/page.html
kill $server; wait $server
""", H2O, is_fresh=True),
    Server("knotd", "knotd", ["knot"], 1000, """
knotd -c $PWD/knot.conf & server=$!
sleep 2
/usr/bin/python3 client.py $port
kill $server; wait $server
""", KNOT, "query", is_fresh=True),
    Server("uwsgi", "uwsgi", ["uwsgi-core", "uwsgi-plugin-python3", "apache2-utils"], 500, f"""
uwsgi --plugin python3 --http-socket 127.0.0.1:$port --wsgi-file app.py --die-on-term & server=$!
{UNTIL_IT_LISTENS}
ab -q -n 500 -c 1 http://127.0.0.1:$port/
kill $server; wait $server
""", WSGI, is_fresh=True),
]
