# SPDX-License-Identifier: MIT
"""Eight more servers, written down before any of them was recorded: four with a queue and a pool of workers,
one that forks for each connection, one whose requests overlap in one thread, one in Go, and one whose
requests go through three processes; and, twice later, three more: one with a pool of threads, one
asynchronous, and one that forks. Each is asked by one client, and then by four at once.
"""
import os

from client import Ask
from servers import APACHE, UNTIL_IT_LISTENS, Server, serve

POOL = f"gcc -O2 -g -pthread {os.path.dirname(os.path.abspath(__file__))}/pool.c -o pool"


def both(protocol, kinds, **more):
    """The kinds once by one client, and once by four at once."""
    return [Ask(protocol, kinds, clients=clients, **more) for clients in (1, 4)]


def http(path, times, **more):
    return both("http", {"all": (path, times)}, **more)


WAITRESS = """
cat >app.py <<END
import hashlib, sys, waitress

def application(request, begin):
    text = hashlib.pbkdf2_hmac("sha256", b"word", b"salt", 2000).hex().encode()
    begin("200 OK", [("Content-Length", str(len(text)))])
    return [text]

waitress.serve(application, listen="127.0.0.1:" + sys.argv[1], threads=4)
END
"""

# Most of a request waits for timers, while those of other connections go on.
AIOHTTP = """
cat >app.py <<END
import asyncio, hashlib, sys
from aiohttp import web

async def answer(request):
    await asyncio.sleep(0.004)
    text = hashlib.pbkdf2_hmac("sha256", b"word", b"salt", 500).hex()
    await asyncio.sleep(0.002)
    return web.Response(text=text)

app = web.Application()
app.router.add_get("/{name}", answer)
web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), access_log=None)
END
"""

GO_POOL = """
cat >server.go <<'END'
package main

import ("crypto/sha256"; "fmt"; "net/http"; "os")

type job struct { text string; done chan string }

func work(jobs chan job) {
	for one := range jobs {
		sum := sha256.Sum256([]byte(one.text))
		for i := 0; i < 3000; i++ { sum = sha256.Sum256(sum[:]) }
		one.done <- fmt.Sprintf("%x", sum)
	}
}

func main() {
	jobs := make(chan job, 64)
	for i := 0; i < 3; i++ { go work(jobs) }
	http.HandleFunc("/", func(answer http.ResponseWriter, request *http.Request) {
		one := job{request.URL.Path, make(chan string)}
		jobs <- one
		fmt.Fprintln(answer, <-one.done)
	})
	http.ListenAndServe("127.0.0.1:"+os.Getenv("port"), nil)
}
END
GO111MODULE=off GOCACHE=$PWD/cache go build -o gopool server.go
"""

VARNISH = """
cat >default.vcl <<END
vcl 4.1;
backend none none;
sub vcl_recv { return (synth(200)); }
END
"""

# nginx hands over to uwsgi, which asks redis.
THREE = """
cat >nginx.conf <<END
user root; worker_processes 1; daemon off; pid $PWD/nginx.pid; error_log $PWD/error.log;
events { worker_connections 64; }
http {
    access_log off;
    server { listen 127.0.0.1:$port; keepalive_requests 100000;
             location / { uwsgi_pass unix:$PWD/uwsgi.socket; include /etc/nginx/uwsgi_params; } }
}
END
cat >app.py <<END
import redis
store = redis.Redis(unix_socket_path="$PWD/redis.socket")

def application(request, begin):
    text = b"%d" % store.incr("count")
    store.lpush("last", text)
    store.ltrim("last", 0, 99)
    begin("200 OK", [("Content-Length", str(len(text)))])
    return [text]
END
"""

THREE_RUN = f"""
redis-server --port 0 --unixsocket $PWD/redis.socket --save "" & redis=$!
until [ -S redis.socket ]; do sleep 0.1; done
uwsgi --plugin python3 --socket $PWD/uwsgi.socket --wsgi-file app.py --master --processes 2 --die-on-term & uwsgi=$!
until [ -S uwsgi.socket ]; do sleep 0.1; done
nginx -c $PWD/nginx.conf & server=$!
{UNTIL_IT_LISTENS}
ask
kill $server; wait $server
kill $uwsgi; wait $uwsgi
kill $redis; wait $redis
"""

CHEROOT = """
cat >app.py <<END
import hashlib, sys
from cheroot import wsgi

def application(request, begin):
    text = hashlib.pbkdf2_hmac("sha256", b"word", b"salt", 1000).hex().encode()
    begin("200 OK", [("Content-Length", str(len(text)))])
    return [text]

wsgi.Server(("127.0.0.1", int(sys.argv[1])), application, numthreads=4).start()
END
"""

# What is computed waits for a timer first, as aiohttp's does.
TWISTED = """
cat >app.py <<END
import hashlib, sys
from twisted.internet import reactor, task
from twisted.web import resource, server

class Page(resource.Resource):
    isLeaf = True

    def render_GET(self, request):
        task.deferLater(reactor, 0.003, self.answer, request)
        return server.NOT_DONE_YET

    def answer(self, request):
        request.write(hashlib.pbkdf2_hmac("sha256", b"word", b"salt", 500).hex().encode())
        request.finish()

reactor.listenTCP(int(sys.argv[1]), server.Site(Page()), interface="127.0.0.1")
reactor.run()
END
"""

# Each connection is one request, which one of four threads takes from a queue.
HTTPLIB = """
cat >server.cc <<'END'
#include <httplib.h>
#include <cstdlib>

static std::string compute() {
	volatile unsigned sum = 1;
	for (int i = 0; i < 300000; i++) { sum = sum * 1103515245u + 12345u; }
	return std::to_string(sum);
}

int main() {
	httplib::Server server;
	server.new_task_queue = [] { return new httplib::ThreadPool(4); };
	server.Get("/page", [](const httplib::Request &, httplib::Response &answer) {
		answer.set_content(compute(), "text/plain");
	});
	return !server.listen("127.0.0.1", atoi(getenv("port")));
}
END
g++ -O2 -g -pthread server.cc -o cpphttplib -lcpp-httplib
"""

MOJOLICIOUS = """
cat >app.pl <<'END'
use Mojolicious::Lite;
use Mojo::IOLoop;
use Digest::SHA 'sha256_hex';

get '/page' => sub {
	my $request = shift;
	$request->render_later;
	Mojo::IOLoop->timer(0.003 => sub {
		my $text = 'word';
		$text = sha256_hex($text) for 1 .. 500;
		$request->render(text => $text);
	});
};
app->start;
END
"""

FRESH = [
    Server("Apache, worker", "apache2", ["apache2"], http("/page.html", 500, keep=False),
           serve("setsid apache2 -DFOREGROUND -f $PWD/apache.conf"), APACHE % ("mpm_worker", "mpm_worker"),
           is_fresh=True),
    Server("varnish", "varnishd", ["varnish"], http("/", 500),
           serve("varnishd -F -a 127.0.0.1:$port -f $PWD/default.vcl -n $PWD/varnish -j none"), VARNISH,
           is_fresh=True),
    Server("waitress", "python3", ["python3-waitress"], http("/", 300), serve("/usr/bin/python3 app.py $port"),
           WAITRESS, 
           is_fresh=True),
    Server("a queue and four workers in C", "pool", ["gcc"],
           both("line", {"search": ("search", 150), "nap": ("nap", 150), "file": ("file", 200)}),
           serve("./pool $port 4"), POOL, is_whole_loop=True, is_fresh=True),
    Server("mini-httpd, a fork each", "mini_httpd", ["mini-httpd"], http("/page.html", 300, keep=False),
           serve("mini_httpd -D -h 127.0.0.1 -p $port -d $PWD -u root"), "echo hello >page.html", is_fresh=True),
    Server("aiohttp, asynchronous", "python3", ["python3-aiohttp"], http("/page", 200),
           serve("/usr/bin/python3 app.py $port"), AIOHTTP, is_whole_loop=True, is_fresh=True),
    Server("a queue and three workers in Go", "gopool", ["golang-go"], http("/page", 500),
           serve("port=$port ./gopool"), GO_POOL, 
           is_whole_loop=True, is_fresh=True),
    Server("nginx, uwsgi and redis", "nginx",
           ["nginx-light", "uwsgi-core", "uwsgi-plugin-python3", "redis-server", "python3-redis"], 
           http("/", 500), THREE_RUN, THREE, is_fresh=True),
    Server("cheroot, a pool of threads", "python3", ["python3-cheroot"], http("/page", 300),
           serve("/usr/bin/python3 app.py $port"), CHEROOT, is_fresh=True),
    Server("twisted, asynchronous", "python3", ["python3-twisted"], http("/page", 200),
           serve("/usr/bin/python3 app.py $port"), TWISTED, is_whole_loop=True, is_fresh=True),
    Server("busybox httpd, a fork each", "busybox", ["busybox"], http("/page.html", 300, keep=False),
           serve("busybox httpd -f -p 127.0.0.1:$port -h $PWD"), "echo hello >page.html", is_fresh=True),
    Server("cpp-httplib, a pool of threads", "cpphttplib", ["libcpp-httplib-dev", "g++"],
           http("/page", 300, keep=False), serve("port=$port ./cpphttplib"), HTTPLIB, is_fresh=True),
    Server("Mojolicious, asynchronous", "perl", ["libmojolicious-perl"], http("/page", 200),
           serve("perl app.pl daemon -m production -r 100000 -l http://127.0.0.1:$port"), MOJOLICIOUS, is_whole_loop=True,
           is_fresh=True),
    Server("oidentd, a fork each", "oidentd", ["oidentd"], both("line", {"all": ("6195, 23", 300)}, keep=False),
           serve("oidentd --foreground --nosyslog --address 127.0.0.1 --port $port"), unit="question", is_fresh=True),
]
