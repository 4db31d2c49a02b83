# SPDX-License-Identifier: MIT
"""Requests that go through several processes, and what each of these writes down about them.

Every request has a number, which is in its path, and which each process logs with its own id: `PID …/NUMBER`.
"""
import dataclasses

from client import Ask
from fresh import POOL
from servers import SERVERS, UNTIL_IT_LISTENS


@dataclasses.dataclass
class Hop:
    process: str
    # One for each of its processes; without any, there is only one process of that name.
    logs: tuple = ()


@dataclasses.dataclass
class Fault:
    """Where the time goes in the requests that `log` has, or in all."""
    process: str
    functions: tuple
    log: str = ""


@dataclasses.dataclass
class Chain:
    name: str
    packages: list
    asks: list
    run: str
    prepare: str
    hops: list
    fault: Fault = None


POSTGRES = next(server for server in SERVERS if server.name == "PostgreSQL")

NGINX_TO_UWSGI = """
cat >nginx.conf <<END
user root; worker_processes 1; daemon off; pid $PWD/nginx.pid; error_log $PWD/error.log;
events { worker_connections 64; }
http {
    log_format numbers '\\$pid \\$request_uri';
    access_log $PWD/nginx.log numbers;
    server { listen 127.0.0.1:$port; keepalive_requests 100000;
             location / { uwsgi_pass unix:$PWD/uwsgi.socket; include /etc/nginx/uwsgi_params; } }
}
END
cat >app.py <<END
import os, psycopg2
log = open("app.log", "a", buffering=1)
store = None

def application(request, begin):
    global store
    if not store:
        store = psycopg2.connect(host="$PWD", port=$((port + 1)), user="postgres", dbname="bench")
        store.autocommit = True
    log.write("%d %s\\n" % (os.getpid(), request["PATH_INFO"]))
    cursor = store.cursor()
    cursor.execute("QUERY /* %s */" % request["PATH_INFO"])
    text = b"%d" % cursor.fetchone()[0]
    begin("200 OK", [("Content-Length", str(len(text)))])
    return [text]
END
"""


def web(query, tables=""):
    """nginx, two uwsgi and PostgreSQL: what runs, and what comes before."""
    run = f"""
bin=$(echo /usr/lib/postgresql/*/bin)
setpriv --reuid postgres --regid postgres --clear-groups $bin/postgres -D $PWD/data -p $((port + 1)) -k $PWD \
    -c log_statement=all -c log_line_prefix='%p ' -c max_parallel_workers_per_gather=0 2>postgres.log & postgres=$!
until $bin/pg_isready -q -h $PWD -p $((port + 1)); do sleep 0.1; done
uwsgi --plugin python3 --socket $PWD/uwsgi.socket --wsgi-file app.py --master --processes 2 --die-on-term & uwsgi=$!
until [ -S uwsgi.socket ]; do sleep 0.1; done
nginx -c $PWD/nginx.conf & server=$!
{UNTIL_IT_LISTENS}
ask
kill $server; wait $server
kill $uwsgi; wait $uwsgi
kill -INT $postgres; wait $postgres
"""
    made = POSTGRES.prepare.replace("as $bin/pg_ctl -D $PWD/data -w stop", f"""
as $bin/psql -q -h $PWD -p $port -c "{tables}" bench
as $bin/pg_ctl -D $PWD/data -w stop""")
    return run, made + NGINX_TO_UWSGI.replace("QUERY", query)


def by_gunicorn(run, made):
    """The same, with gunicorn in place of uwsgi."""
    begin, end = run.index("uwsgi --plugin"), run.index("until [ -S uwsgi.socket ]")
    return (run[:begin] + "gunicorn -w 2 -b unix:$PWD/uwsgi.socket app & uwsgi=$!\n" + run[end:],
            made.replace("uwsgi_pass unix:$PWD/uwsgi.socket; include /etc/nginx/uwsgi_params;", "proxy_pass http://unix:$PWD/uwsgi.socket;"))


WEB_HOPS = [Hop("nginx", ("nginx.log",)), Hop("uwsgi", ("app.log",)), Hop("postgres", ("postgres.log",))]

HAPROXY_TO_TWO = """
for i in 1 2; do
cat >nginx$i.conf <<END
user root; worker_processes 1; daemon off; pid $PWD/nginx$i.pid; error_log $PWD/error$i.log;
events { worker_connections 64; }
http {
    log_format numbers '\\$pid \\$request_uri';
    access_log $PWD/nginx$i.log numbers;
    server { listen 127.0.0.1:$((port + i)); keepalive_requests 100000; location / { return 200 "hello"; } }
}
END
done
cat >haproxy.conf <<END
global
    log stdout format raw local0
defaults
    mode http
    log global
    log-format "%pid %HU"
    timeout client 5s
    timeout server 5s
    timeout connect 5s
frontend all
    bind 127.0.0.1:$port
    default_backend both
backend both
    balance roundrobin
    server one 127.0.0.1:$((port + 1))
    server two 127.0.0.1:$((port + 2))
END
"""

HAPROXY_TO_TWO_RUN = f"""
nginx -c $PWD/nginx1.conf & one=$!
nginx -c $PWD/nginx2.conf & two=$!
haproxy -db -f $PWD/haproxy.conf >haproxy.log & server=$!
{UNTIL_IT_LISTENS}
ask
kill $server; wait $server
kill $one $two; wait $one $two
"""

QUEUE = """
cat >app.py <<END
import os, redis
store = redis.Redis(unix_socket_path="$PWD/redis.socket")
log = open("app.log", "a", buffering=1)

def application(request, begin):
    name = request["PATH_INFO"]
    log.write("%d %s\\n" % (os.getpid(), name))
    store.lpush("jobs", name)
    text = store.brpop("reply:" + name)[1]
    begin("200 OK", [("Content-Length", str(len(text)))])
    return [text]
END
cat >worker.py <<END
import hashlib, os, redis
store = redis.Redis(unix_socket_path="$PWD/redis.socket")
log = open("worker.log", "a", buffering=1)
while True:
    name = store.brpop("jobs")[1].decode()
    log.write("%d %s\\n" % (os.getpid(), name))
    store.lpush("reply:" + name, hashlib.pbkdf2_hmac("sha256", name.encode(), b"salt", 2000).hex())
END
"""

QUEUE_RUN = f"""
redis-server --port 0 --unixsocket $PWD/redis.socket --save "" & redis=$!
until [ -S redis.socket ]; do sleep 0.1; done
for i in 1 2 3; do /usr/bin/python3 worker.py & workers="$workers $!"; done
gunicorn -w 2 -b 127.0.0.1:$port app & server=$!
{UNTIL_IT_LISTENS}
ask
kill $server; wait $server
kill $workers; wait $workers
kill $redis; wait $redis
"""

# The same by beanstalkd, whose answers to who waits are of another protocol, and which answers in another order.
TUBES = """
cat >tubes.py <<END
import socket

class Queue:
    def __init__(self):
        self.lines = socket.create_connection(("127.0.0.1", $((port + 1)))).makefile("rwb")

    def ask(self, line, body=b""):
        self.lines.write(line.encode() + b"\\r\\n" + body)
        self.lines.flush()
        return self.lines.readline().split()

    def put(self, tube, text):
        self.ask("use " + tube)
        self.ask("put 0 0 60 %d" % len(text), text.encode() + b"\\r\\n")

    def take(self):
        _, job, size = self.ask("reserve")
        text = self.lines.read(int(size) + 2)[:-2].decode()
        self.ask("delete " + job.decode())
        return text
END
cat >app.py <<END
import os, tubes
store = None
log = open("app.log", "a", buffering=1)

def application(request, begin):
    global store
    if not store:
        store = tubes.Queue()
        store.ask("watch reply%d" % os.getpid())
    name = request["PATH_INFO"]
    log.write("%d %s\\n" % (os.getpid(), name))
    store.put("jobs", "%d %s" % (os.getpid(), name))
    text = store.take().encode()
    begin("200 OK", [("Content-Length", str(len(text)))])
    return [text]
END
cat >worker.py <<END
import hashlib, os, tubes
store = tubes.Queue()
store.ask("watch jobs")
log = open("worker.log", "a", buffering=1)
while True:
    asker, name = store.take().split()
    log.write("%d %s\\n" % (os.getpid(), name))
    store.put("reply" + asker, hashlib.pbkdf2_hmac("sha256", name.encode(), b"salt", 2000).hex())
END
"""

TUBES_RUN = f"""
beanstalkd -l 127.0.0.1 -p $((port + 1)) & queue=$!
until (: </dev/tcp/127.0.0.1/$((port + 1))) 2>/dev/null; do sleep 0.1; done
for i in 1 2 3; do /usr/bin/python3 worker.py & workers="$workers $!"; done
gunicorn -w 2 -b 127.0.0.1:$port app & server=$!
{UNTIL_IT_LISTENS}
ask
kill $server; wait $server
kill $workers; wait $workers
kill $queue; wait $queue
"""

# haproxy hands connections over to two of pool.c, the second of which computes ten times as long.
TO_POOLS = POOL + """
cat >haproxy.conf <<END
defaults
    mode tcp
    timeout client 5s
    timeout server 5s
    timeout connect 5s
listen all
    bind 127.0.0.1:$port
    balance roundrobin
    server one 127.0.0.1:$((port + 1))
    server two 127.0.0.1:$((port + 2))
END
"""


def to_pools(times):
    return f"""
./pool $((port + 1)) 4 1 one.log & one=$!
./pool $((port + 2)) 4 {times} two.log & two=$!
haproxy -db -f $PWD/haproxy.conf & server=$!
{UNTIL_IT_LISTENS}
ask
kill $server; wait $server
kill $one $two; wait $one $two
"""


POOL_HOPS = [Hop("haproxy"), Hop("pool", ("one.log", "two.log"))]
# As many rows that to go through them takes as long as what else is slow here, and by one process.
UNINDEXED = "create table goods as select i as id, i % 97 as kind, md5(i::text) as name from generate_series(1, 300000) i"


def paths(times, **more):
    return [Ask("http", {"all": ("/NUMBER", times)}, clients=4, **more)]


def lines(text, times, **more):
    return [Ask("line", {"all": (f"{text} /NUMBER", times)}, keep=False, clients=4, **more)]


WEB = ["nginx-light", "uwsgi-core", "uwsgi-plugin-python3", "python3-psycopg2", "postgresql"]

QUERY = "select abalance from pgbench_accounts where aid = 7"

CHAINS = [
    Chain("nginx, uwsgi, PostgreSQL", WEB, paths(1000), *web(QUERY), WEB_HOPS),
    Chain("haproxy, two of nginx", ["haproxy", "nginx-light"], paths(1000), HAPROXY_TO_TWO_RUN, HAPROXY_TO_TWO,
          [Hop("haproxy", ("haproxy.log",)), Hop("nginx", ("nginx1.log", "nginx2.log"))]),
    Chain("a queue with three workers", ["redis-server", "gunicorn", "python3-redis"], paths(1000, keep=False), QUEUE_RUN, QUEUE,
          [Hop("gunicorn", ("app.log",)), Hop("redis-server"), Hop("python3", ("worker.log",))]),
    Chain("one backend is slow", ["haproxy", "gcc"], lines("search", 200), to_pools(10), TO_POOLS, POOL_HOPS,
          Fault("pool", ("search", "search_once"), "two.log")),
    Chain("a lock in the application", ["haproxy", "gcc"], lines("update", 400), to_pools(1), TO_POOLS, POOL_HOPS,
          Fault("pool", ("update_shared",))),
    Chain("a missing index", WEB, paths(200), *web("select count(*) from goods where id = 4711", UNINDEXED), WEB_HOPS,
          Fault("postgres", ("ExecSeqScan", "SeqNext", "heap_getnextslot", "table_scan_getnextslot", "heapgettup_pagemode",
                             "heapgetpage", "ExecScan", "ExecInterpExpr"))),
    Chain("nginx, gunicorn, PostgreSQL", ["nginx-light", "gunicorn", "python3-psycopg2", "postgresql"], paths(1000),
          *by_gunicorn(*web(QUERY)), [Hop("nginx", ("nginx.log",)), Hop("gunicorn", ("app.log",)), Hop("postgres", ("postgres.log",))]),
    Chain("beanstalkd with three workers", ["beanstalkd", "gunicorn"], paths(1000, keep=False), TUBES_RUN, TUBES,
          [Hop("gunicorn", ("app.log",)), Hop("beanstalkd"), Hop("python3", ("worker.log",))]),
]
