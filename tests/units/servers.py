# SPDX-License-Identifier: MIT
"""Servers whose requests are counted by who asks them.

Each `run` is a script of bash: it starts the server in the current directory, on the port $port, and ends
it by its number. In between, `ask` has it asked as `asks` says, by client.py outside of the recording.
`prepare` runs before, and is not recorded. `process` is the name of the program that answers.
"""
import dataclasses

from client import Ask


@dataclasses.dataclass
class Server:
    name: str
    process: str
    packages: list
    # How it is asked, one way after the other; or how often, when it is asked by its own script.
    asks: list | int
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

    @property
    def requests(self):
        return self.asks if isinstance(self.asks, int) else sum(ask.count for ask in self.asks)


def asked(protocol, text, times, **more):
    return [Ask(protocol, {"all": (text, times)}, **more)]


def http(times, path="/page.html", **more):
    return asked("http", path, times, **more)


UNTIL_IT_LISTENS = """
until bash -c "exec 3<>/dev/tcp/127.0.0.1/$port" 2>/dev/null; do
    kill -0 $! || exit 1
    sleep 0.1
done
"""


def serve(command, until=UNTIL_IT_LISTENS):
    return f"{command} & server=$!\n{until}\nask\nkill $server; wait $server\n"


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

GO_RUN = serve("GOMAXPROCS=%d port=$port ./goserver")

# Files of one size, each of which a thread packs.
FILES = """
mkdir files
head -c 20000000 /dev/urandom | base64 | head -c 20000000 | split -b 100000 -a 3 - files/
"""

KEYS = asked("keys", "1", 300)

# A program for a screen that is none, which has the port's number.
TYPE_KEYS = """
export HOME=$PWD NO_AT_BRIDGE=1 GSETTINGS_BACKEND=memory XDG_RUNTIME_DIR=$PWD
Xvfb :$port -nolisten tcp -screen 0 640x480x24 & screen=$!
until [ -S /tmp/.X11-unix/X$port ]; do sleep 0.1; done
export DISPLAY=:$port
%s & program=$!
window=$(timeout 30 xdotool search --sync --onlyvisible --pid $program | tail -1)
xdotool windowfocus $window
sleep 1
ask
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

UNBOUND = """
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

MOSQUITTO = """
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
"""

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
"""

NSD = """
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

KNOT = """
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
    Server("nginx, a connection each", "nginx", ["nginx-light"], http(2000, keep=False),
           serve("nginx -c $PWD/nginx.conf"), NGINX),
    Server("nginx, one connection", "nginx", ["nginx-light"], http(2000), serve("nginx -c $PWD/nginx.conf"), NGINX),
    Server("Apache, event", "apache2", ["apache2"], http(1000, keep=False),
           serve("setsid apache2 -DFOREGROUND -f $PWD/apache.conf"), APACHE % ("mpm_event", "mpm_event")),
    Server("Apache, prefork", "apache2", ["apache2"], http(1000, keep=False),
           serve("setsid apache2 -DFOREGROUND -f $PWD/apache.conf"), APACHE % ("mpm_prefork", "mpm_prefork")),
    Server("redis", "redis-server", ["redis-server"], asked("redis", "SET key xxx", 3000),
           serve("redis-server --port $port --bind 127.0.0.1 --save ''")),
    Server("memcached", "memcached", ["memcached"],
           [Ask("memcached", {"set": ("set keyNUMBER 0 0 5\r\nhello", 1000), "get": ("get keyNUMBER", 1000)})],
           serve("memcached -u root -l 127.0.0.1 -p $port -t 2")),
    Server("PostgreSQL", "postgres", ["postgresql"],
           asked("postgres", "select abalance from pgbench_accounts where aid = NUMBER + 1", 1000), """
bin=$(echo /usr/lib/postgresql/*/bin)
setpriv --reuid postgres --regid postgres --clear-groups $bin/postgres -D $PWD/data -p $port -k $PWD & server=$!
until $bin/pg_isready -q -h $PWD -p $port; do sleep 0.1; done
ask
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
    Server("MariaDB", "mariadbd", ["mariadb-server"],
           asked("mysql", "select count(*) from mysql.help_topic where name like '%A%'", 1000), """
mariadbd --no-defaults --user=root --datadir=$PWD/data --bind-address=127.0.0.1 --port=$port --socket=$PWD/socket \
    --pid-file=$PWD/pid --log-error=$PWD/error.log & server=$!
until mariadb-admin --socket=$PWD/socket ping >log.txt 2>&1; do sleep 0.1; done
ask
kill $server; wait $server
""", "mariadb-install-db --no-defaults --user=root --datadir=$PWD/data --auth-root-authentication-method=normal >log.txt",
           "query"),
    Server("Python's http.server", "python3", ["python3"], http(300, keep=False),
           serve("/usr/bin/python3 -m http.server --bind 127.0.0.1 $port"), "echo hello >page.html"),
    Server("node", "node", [], http(1000), serve("port=$port node server.js"), NODE),
    Server("Go, two processors", "goserver", ["golang-go"], http(1000), GO_RUN % 2, GO_SERVER),
    Server("Go, one processor", "goserver", ["golang-go"], http(1000), GO_RUN % 1, GO_SERVER),
    Server("7z a, two threads", "7z", ["p7zip-full"], 200, """
7z a -tzip -mmt=2 -mx=1 all.zip files
""", FILES, "file", is_whole_loop=True),
    Server("l3afpad (GTK)", "l3afpad", ["l3afpad", "xvfb", "xdotool", "python3-xlib"], KEYS, TYPE_KEYS % "l3afpad", ":", "key",
           tells="gdk_x11_window_set_user_time"),
    Server("featherpad (Qt)", "featherpad", ["featherpad", "xvfb", "xdotool", "python3-xlib"], KEYS, TYPE_KEYS % "featherpad", ":",
           "key", tells="QWindowSystemInterface::sendWindowSystemEvents"),
    Server("lighttpd", "lighttpd", ["lighttpd"], http(1000), serve("lighttpd -D -f $PWD/lighttpd.conf"), LIGHTTPD),
    Server("dnsmasq", "dnsmasq", ["dnsmasq-base"], asked("dns", "here.local", 1000), """
dnsmasq -k -C /dev/null --port=$port --listen-address=127.0.0.1 --bind-interfaces --no-resolv --no-hosts \
    --user=root --pid-file=$PWD/pid --address=/here.local/127.0.0.1 & server=$!
sleep 1
ask
kill $server; wait $server
""", unit="query"),
    Server("beanstalkd", "beanstalkd", ["beanstalkd"], asked("beanstalk", "put 1 0 60 5\r\nhello\r\n", 1000),
           serve("beanstalkd -l 127.0.0.1 -p $port"), unit="job"),
    Server("php -S", "php", ["php-cli"], http(500, keep=False), serve("php -S 127.0.0.1:$port"),
           "echo hello >page.html"),
    Server("a server in Perl", "perl", ["perl"], asked("line", "hello", 500, keep=False),
           serve("port=$port perl server.pl"), PERL_SERVER, "connection"),
    Server("haproxy", "haproxy", ["haproxy"], http(1000), serve("haproxy -db -f $PWD/haproxy.conf"), HAPROXY),
    Server("unbound", "unbound", ["unbound"], asked("dns", "here.local", 1000),
           serve("unbound -d -c $PWD/unbound.conf", "sleep 2"), UNBOUND, "query"),
    Server("mosquitto", "mosquitto", ["mosquitto"], asked("mqtt", "hello", 1000),
           serve("mosquitto -c $PWD/mosquitto.conf"), MOSQUITTO, "message"),
    Server("vsftpd", "vsftpd", ["vsftpd"], asked("ftp", "NOOP", 500), serve("vsftpd $PWD/vsftpd.conf"), VSFTPD,
           "command"),
    Server("slapd", "slapd", ["slapd"], asked("ldap", "objectClass", 500),
           serve("slapd -d 0 -h ldap://127.0.0.1:$port -f $PWD/slapd.conf"),
           "echo 'include /etc/ldap/schema/core.schema' >slapd.conf", "search"),
    Server("gunicorn", "gunicorn", ["gunicorn"], http(500, keep=False), serve("gunicorn -b 127.0.0.1:$port app"),
           WSGI),
    Server("puma", "puma", ["puma"], http(500, keep=False), serve("puma -q -b tcp://127.0.0.1:$port -t 1:1 app.ru"),
           """echo 'run ->(request) { [200, {"Content-Length" => "5"}, ["hello"]] }' >app.ru"""),
    Server("galculator (GTK)", "galculator", ["galculator", "xvfb", "xdotool", "python3-xlib"], KEYS, TYPE_KEYS % "galculator", ":",
           "key", tells="gdk_x11_window_set_user_time"),
    Server("caddy (Go)", "caddy", ["caddy"], http(1000),
           serve("HOME=$PWD caddy respond --listen 127.0.0.1:$port --body hello"), is_whole_loop=True),
    Server("nsd", "nsd: main", ["nsd"], asked("dns", "here.local", 1000), serve("nsd -d -c $PWD/nsd.conf", "sleep 2"),
           NSD, "query"),
    Server("ngircd", "ngircd", ["ngircd"], asked("irc", "PING again", 200), serve("ngircd -n -f $PWD/ngircd.conf"),
           NGIRCD, "PING"),
    Server("uvicorn", "uvicorn", ["uvicorn"], http(1000),
           serve("uvicorn --host 127.0.0.1 --port $port --no-access-log app:app"), UVICORN),
    Server("webhook (Go)", "webhook", ["webhook"], http(500, "/hooks/hello"),
           serve("webhook -hooks $PWD/hooks.json -ip 127.0.0.1 -port $port"),
           """echo '[{"id": "hello", "execute-command": "/bin/true", "response-message": "hello"}]' >hooks.json""",
           is_fresh=True, is_whole_loop=True),
    Server("h2o", "h2o", ["h2o"], http(1000), serve("h2o -c $PWD/h2o.conf"), H2O, is_fresh=True),
    Server("knotd", "knotd", ["knot"], asked("dns", "here.local", 1000), serve("knotd -c $PWD/knot.conf", "sleep 2"),
           KNOT, "query", is_fresh=True),
    Server("uwsgi", "uwsgi", ["uwsgi-core", "uwsgi-plugin-python3"], http(500, keep=False),
           serve("uwsgi --plugin python3 --http-socket 127.0.0.1:$port --wsgi-file app.py --die-on-term"), WSGI,
           is_fresh=True),
]
