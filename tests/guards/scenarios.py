# SPDX-License-Identifier: MIT
"""Thirteen servers that are asked for various things, and what makes each of them slow: a real cause, in the
same build, brought in by a setting, by data, or by what is asked for.

Each script is one of bash, run in a directory of the server's own, with $port to listen on, $variant, which
is good or slow. `prepare` runs first; `serve` is the server, in the foreground; `ask` asks it $count times,
in an order that depends on $seed, and twice evaluates $rest, which takes a while, with its connection open.
"""
import dataclasses


@dataclasses.dataclass
class Scenario:
    name: str
    about: str
    process: str
    packages: list
    # Regular expression of the function that a developer would have to open.
    truth: str
    serve: str
    ask: str
    prepare: str = ":"
    count: int = 3000
    slow_count: int = 1000


# asking.numbers(): 0 to $count, with a rest before two of these.
NUMBERS = """
cat >asking.py <<'END'
import os, random
random.seed(int(os.environ["seed"]))
count = int(os.environ["count"])
RESTS_BEFORE = (count // 3, 2 * count // 3)
def numbers():
    for i in range(count):
        if i in RESTS_BEFORE:
            os.system(os.environ["rest"])
        yield i
END
"""

# client.py PATH…: asks for these, in random order, over connections of 50 requests each.
HTTP_CLIENT = NUMBERS + """
cat >client.py <<'END'
import base64, http.client, os, random, sys
from asking import numbers
headers = {"Accept-Encoding": "gzip", "Authorization": "Basic " + base64.b64encode(b"user:word").decode()}
for i in numbers():
    if i % 50 == 0:
        server = http.client.HTTPConnection("127.0.0.1", int(os.environ["port"]), timeout=60)
    server.request("GET", random.choice(sys.argv[1:]), headers=headers)
    server.getresponse().read()
END
"""

NGINX = HTTP_CLIENT + """
mkdir -p html
for size in 10 1000 30000; do seq $size >html/$size.txt; done
cat >nginx.conf <<END
user root; worker_processes 1; daemon off; master_process off; pid $PWD/nginx.pid;
error_log $PWD/error.log; events { worker_connections 64; }
http {
    access_log $PWD/access.log; keepalive_requests 100000; keepalive_timeout 600; types { text/plain txt; }
    server { listen 127.0.0.1:$port; root $PWD/html; SETTINGS }
}
END
"""
SERVE_NGINX = "nginx -e error.log -c $PWD/nginx.conf"

APACHE = HTTP_CLIENT + """
path=html
mkdir -p html
for i in {1..12}; do
    path+=/level$i
    mkdir -p $path
    printf 'AddType text/x-kind-%d .kind%d\\n' {1..400} >$path/.htaccess
done
for size in 10 1000 30000; do seq $size >$path/$size.txt; done
[ $variant = slow ] && override=All || override=None
cat >apache.conf <<END
ServerRoot $PWD
ServerName localhost
Listen 127.0.0.1:$port
PidFile $PWD/apache.pid
ErrorLog $PWD/error.log
DocumentRoot $PWD/html
LoadModule mpm_prefork_module /usr/lib/apache2/modules/mod_mpm_prefork.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule mime_module /usr/lib/apache2/modules/mod_mime.so
TypesConfig /dev/null
StartServers 1
MaxRequestWorkers 2
KeepAlive Off
<Directory />
AllowOverride $override
</Directory>
END
chmod -R a+rX .
"""
DEEP = "/".join(f"level{i}" for i in range(1, 13))

REDIS_CLIENT = NUMBERS + """
cat >client.py <<'END'
import os, random, socket, sys
from asking import numbers
server = socket.create_connection(("127.0.0.1", int(os.environ["port"]))).makefile("rwb", buffering=0)
def ask(*words):
    server.write(b"*%d\\r\\n" % len(words) + b"".join(b"$%d\\r\\n%s\\r\\n" % (len(word), word) for word in words))
    line = server.readline()
    for _ in range(int(line[1:]) * 2 if line[:1] == b"*" else 1 if line[:1] == b"$" and line[1:2] != b"-" else 0):
        server.readline()
for i in range(30000 if sys.argv[1] == "keys" else 0):
    ask(b"set", b"user:%d" % i, b"name-%d" % i)
for i in numbers():
    key = b"user:%d" % random.randrange(30000)
    if random.random() < 0.3:
        ask(b"set", key, b"x" * random.randrange(1, 200))
    elif sys.argv[1] == "keys" and os.environ["variant"] == "slow" and random.random() < 0.2:
        ask(b"keys", b"user:77*7")
    else:
        ask(b"get", key)
END
"""

MARIADB = NUMBERS + """
mariadb-install-db --no-defaults --datadir=$PWD/data --auth-root-authentication-method=normal \\
    --skip-test-db --user=root >install.log 2>&1
[ $variant = slow ] && column=total || column=customer
cat >tables.sql <<END
create database shop; use shop;
create table orders (id integer primary key, customer integer, total integer);
insert into orders select seq, seq * 7919 % 20011, seq % 97 from seq_1_to_50000;
create index by_it on orders ($column);
END
"""
SQL_QUESTIONS = """
/usr/bin/python3 -c '
import random
from asking import RESTS_BEFORE, count
for i in range(count):
    if i in RESTS_BEFORE:
        print("\\\\! eval $rest")
    if random.random() < 0.3:
        print("select total from orders where id = %d;" % random.randrange(1, 40000))
    else:
        print("select sum(total) from orders where customer = %d;" % random.randrange(1, 20000))' >questions.sql
"""

POSTGRESQL = NUMBERS + """
chmod 777 .
binaries=$(echo /usr/lib/postgresql/*/bin)
as_user="setpriv --reuid=65534 --regid=65534 --clear-groups"
$as_user $binaries/initdb -D $PWD/data -U test -A trust --no-sync >initdb.log
[ $variant = slow ] && column=total || column=customer
cat >tables.sql <<END
create table orders (id integer primary key, customer integer, total integer);
insert into orders select x, x * 7919 % 20011, x % 97 from generate_series(1, 40000) x;
create index by_it on orders ($column);
vacuum analyze orders;
END
"""

HAPROXY = HTTP_CLIENT + """
[ $variant = slow ] && { converter=map_reg; beginning=^; end='[.]html$'; } || { converter=map; beginning=; end=.html; }
awk -v beginning=$beginning -v end=$end 'BEGIN {
    for (i = 0; i < 30000; i++)
        print beginning "/article" i * 7919 % 30000 end " /articles/" i * 7919 % 30000 }' >moved
cat >haproxy.cfg <<END
global
    nbthread 1
defaults
    mode http
    timeout connect 5s
    timeout client 600s
    timeout server 60s
frontend shop
    bind 127.0.0.1:$port
    http-request set-var(txn.moved) path,$converter($PWD/moved)
    http-request redirect location %[var(txn.moved)] code 301 if { var(txn.moved) -m found }
    http-request return status 404
END
"""

MOSQUITTO = """
[ $variant = slow ] && rules=15000 || rules=5
{
    echo 'user meter'
    seq -f 'topic readwrite sites/+/floor%.0f/+/state' $rules
    echo 'topic readwrite sites/+/rooms/+/state'
} >rules
printf '%s\\n' "listener $port 127.0.0.1" 'allow_anonymous true' "acl_file $PWD/rules" 'user root' \\
    'max_inflight_messages 1' 'set_tcp_nodelay true' >broker.conf
chmod 600 rules
"""

APACHE_WORKER = HTTP_CLIENT + """
mkdir -p html
for size in 10 1000 30000; do seq $size >html/$size.txt; done
[ $variant = slow ] && level=9 || level=1
cat >apache.conf <<END
ServerRoot $PWD
ServerName localhost
Listen 127.0.0.1:$port
PidFile $PWD/apache.pid
ErrorLog $PWD/error.log
DocumentRoot $PWD/html
LoadModule mpm_worker_module /usr/lib/apache2/modules/mod_mpm_worker.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule filter_module /usr/lib/apache2/modules/mod_filter.so
LoadModule deflate_module /usr/lib/apache2/modules/mod_deflate.so
StartServers 1
ServerLimit 1
ThreadsPerChild 4
MaxRequestWorkers 4
MinSpareThreads 1
MaxSpareThreads 4
KeepAliveTimeout 600
DeflateCompressionLevel $level
SetOutputFilter DEFLATE
END
chmod -R a+rX .
"""

# Its child looks for the password of each request for what is private.
MINI_HTTPD = HTTP_CLIENT + """
[ $variant = slow ] && rounds=100000 || rounds=1000
mkdir -p html/private
for size in 10 1000 30000; do seq $size >html/$size.txt; done
seq 1000 >html/private/1000.txt
echo "user:$(perl -e 'print crypt("word", "\\$6\\$rounds=$ARGV[0]\\$salt\\$")' $rounds)" >html/private/.htpasswd
"""

# client.py KIND…: four clients, each over a connection of its own.
POOL = NUMBERS + """
gcc -O2 -pthread -o pool $units/pool.c
cat >client.py <<'END'
import os, random, socket, sys
import asking
clients = 4
asking.count //= clients
asking.RESTS_BEFORE = tuple(i // clients for i in asking.RESTS_BEFORE)
me = 0
while me < clients - 1 and os.fork() == 0:
    me += 1
random.seed(int(os.environ["seed"]) * clients + me)
server = socket.create_connection(("127.0.0.1", int(os.environ["port"]))).makefile("rwb", buffering=0)
for i in asking.numbers():
    server.write(random.choice(sys.argv[1:]).encode() + b"\\n")
    server.readline()
if me < clients - 1:
    sys.exit(os.wait()[1] != 0)
END
"""

SCENARIOS = [
    Scenario("nginx-regex", "regular expression that backtracks", "nginx", ["nginx-light", "python3"],
             "^(ngx_http_regex_exec|ngx_regex_exec)$",
             prepare="[ $variant = slow ] && expression='^/(a+)+[.]html$' || expression='^/a+[.]html$'\n" +
             NGINX.replace("SETTINGS", "location ~ $expression { return 403; }"),
             serve=SERVE_NGINX, slow_count=200,
             ask="/usr/bin/python3 client.py /10.txt /1000.txt /30000.txt " +
             " ".join("/" + "a" * length + ".xhtml" for length in (12, 15, 18))),
    Scenario("nginx-gzip", "highest level of compression", "nginx", ["nginx-light", "python3"],
             "^deflate$",
             prepare="[ $variant = slow ] && level=9 || level=1\n" +
             NGINX.replace("SETTINGS", "gzip on; gzip_min_length 1; gzip_types *; gzip_comp_level $level;"),
             serve=SERVE_NGINX, slow_count=1000,
             ask="/usr/bin/python3 client.py /10.txt /1000.txt /30000.txt"),
    Scenario("apache-htaccess", ".htaccess files read for each request", "apache2",
             ["apache2-bin", "python3"], "^ap_parse_htaccess$", prepare=APACHE,
             serve="apache2 -d . -f $PWD/apache.conf -D FOREGROUND",
             ask=f"/usr/bin/python3 client.py /{DEEP}/10.txt /{DEEP}/1000.txt /{DEEP}/30000.txt"),
    Scenario("redis-keys", "KEYS, an O(N) command", "redis-server", ["redis-server", "python3"],
             "^keysCommand$", prepare=REDIS_CLIENT,
             serve="redis-server --port $port --bind 127.0.0.1 --save '' >server.log",
             ask="/usr/bin/python3 client.py keys"),
    Scenario("redis-fsync", "fsync for every command", "redis-server", ["redis-server", "python3"],
             "^flushAppendOnlyFile$",
             prepare="[ $variant = slow ] && echo always >when || echo no >when\n" + REDIS_CLIENT,
             serve="redis-server --port $port --bind 127.0.0.1 --save '' --appendonly yes "
             "--appendfsync $(cat when) >server.log",
             ask="/usr/bin/python3 client.py few"),
    Scenario("mariadb-index", "missing index", "mariadbd", ["mariadb-server-core", "mariadb-client-core"],
             "^handler::ha_rnd_next", prepare=MARIADB, slow_count=200,
             serve="mariadbd --no-defaults --datadir=$PWD/data --port=$port --bind-address=127.0.0.1 "
             "--socket=$PWD/socket --innodb-flush-log-at-trx-commit=0 --user=root >server.log 2>&1",
             ask="client='mariadb --no-defaults -h 127.0.0.1 -P '$port' -u root'\n"
             "[ -e made ] || $client <tables.sql; touch made\n" + SQL_QUESTIONS +
             "$client shop <questions.sql >sums"),
    Scenario("postgresql-index", "missing index", "postgres", ["postgresql", "postgresql-client"],
             "^(heap_getnextslot|heapgettup_pagemode|ExecSeqScan|SeqNext)$", prepare=POSTGRESQL, slow_count=300,
             serve="setpriv --reuid=65534 --regid=65534 --clear-groups $(echo /usr/lib/postgresql/*/bin)/postgres "
             "-D $PWD/data -p $port -h 127.0.0.1 -c unix_socket_directories= "
             "-c max_parallel_workers_per_gather=0 -c jit=off -c autovacuum=off >server.log 2>&1",
             ask="client=\"psql -q -h 127.0.0.1 -p $port -U test postgres\"\n"
             "until $client -c '' 2>/dev/null; do sleep 0.1; done\n"
             "[ -e made ] || $client <tables.sql; touch made\n" + SQL_QUESTIONS +
             "$client <questions.sql >sums"),
    Scenario("haproxy-map", "a list of regular expressions", "haproxy", ["haproxy", "python3"],
             "^pat_match_reg$", prepare=HAPROXY, serve="haproxy -db -f haproxy.cfg >server.log 2>&1",
             ask="/usr/bin/python3 client.py $(seq -f '/article%.0f.html' 0 271 29999)"),
    Scenario("mosquitto-rules", "a long list of access rules", "mosquitto",
             ["mosquitto", "mosquitto-clients"], "^mosquitto_acl_check", prepare=MOSQUITTO, slow_count=3000,
             serve="mosquitto -c broker.conf >server.log 2>&1",
             ask="awk -v seed=$seed -v count=$count 'BEGIN { srand(seed); for (i = 0; i < count; i++) { "
             "if (i == int(count / 3) || i == int(2 * count / 3)) { fflush(); system(ENVIRON[\"rest\"]) } "
             "print \"temperature \" rand() * 40 substr(\"" + "-" * 200 + "\", 1, rand() * 200) } }' | "
             "mosquitto_pub -p $port -u meter -q 1 -t sites/north/rooms/12/state -l"),
    Scenario("price-service", "a list that is read for each question", "priced",
             ["gcc", "libmicrohttpd-dev", "python3"], "^load_prices$",
             prepare=HTTP_CLIENT + "[ $variant = slow ] && echo always >when || echo once >when\n"
             "gcc -O2 -o priced $cases/price-service/priced.c -lmicrohttpd\n"
             "awk 'BEGIN { for (i = 0; i < 10000; i++) print \"article\" i, i * 31 % 9973 }' >prices\n",
             serve="./priced $port prices $(cat when) >server.log 2>&1",
             ask="/usr/bin/python3 client.py $(seq -f '/article%.0f' 0 97 9999)"),
    Scenario("apache-worker-deflate", "highest level of compression", "apache2", ["apache2-bin", "python3"],
             "^deflate$", prepare=APACHE_WORKER, serve="apache2 -d . -f $PWD/apache.conf -D FOREGROUND",
             ask="/usr/bin/python3 client.py /10.txt /1000.txt /30000.txt"),
    Scenario("mini-httpd-password", "passwords hashed many times", "mini_httpd", ["mini-httpd", "perl", "python3"],
             "^crypt(_r|_rn)?$", prepare=MINI_HTTPD, slow_count=300,
             serve="mini_httpd -D -h 127.0.0.1 -p $port -d $PWD/html -u root >server.log 2>&1",
             ask="/usr/bin/python3 client.py /10.txt /1000.txt /30000.txt /private/1000.txt"),
    Scenario("pool-search", "a search that is ten times as long", "pool", ["gcc", "python3"],
             "^search(_once)?$", prepare=POOL + "[ $variant = slow ] && echo 10 >times || echo 1 >times\n",
             serve="./pool $port 4 $(cat times) >server.log 2>&1",
             ask="/usr/bin/python3 client.py search nap file folder", slow_count=600),
]
