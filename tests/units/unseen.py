# SPDX-License-Identifier: MIT
"""Eight servers that nobody had seen recorded when they were written down, with programs and structures that none
of those before has: three with a queue and a pool of workers, one that has each connection served by a process of
its own, one asynchronous in Python, one in Go, one on the virtual machine of Erlang, and one whose requests go
through three processes. Each is asked by one client, and then by four at once.
"""
from fresh import both, http
from servers import UNTIL_IT_LISTENS, Server, serve

# One thread receives, three look up and answer; nothing is kept from one query to the next.
PDNS = r"""
cat >pdns.conf <<END
launch=bind
bind-config=$PWD/zones.conf
local-address=127.0.0.1
local-port=$port
socket-dir=$PWD
receiver-threads=1
distributor-threads=3
cache-ttl=0
query-cache-ttl=0
negquery-cache-ttl=0
version-string=anonymous
security-poll-suffix=
END
echo "zone \"local\" { type master; file \"$PWD/local.zone\"; };" >zones.conf
printf '$TTL 60\n$ORIGIN local.\n@ IN SOA here here 1 60 60 60 60\n@ IN NS here\nhere IN A 127.0.0.1\n' >local.zone
"""

# The first thread waits for connections that have something to say, and a pool of four serves them.
GTHREAD = """
cat >app.py <<END
import hashlib

def application(request, begin):
    text = hashlib.pbkdf2_hmac("sha256", request["PATH_INFO"].encode(), b"salt", 800).hex().encode()
    begin("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(text)))])
    return [text]
END
"""

# The main loop reads lines, and the threads of the pool compute and answer.
GLIB = r"""
cat >server.c <<'END'
#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	GSocketConnection *connection;
	char *text;
} Job;

static GThreadPool *pool;

static void compute(gpointer data, gpointer unused)
{
	Job *job = data;
	(void)unused;
	for (int i = 0; i < 400; i++) {
		char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, job->text, -1);
		g_free(job->text);
		job->text = sum;
	}
	char *line = g_strconcat(job->text, "\n", NULL);
	g_socket_send(g_socket_connection_get_socket(job->connection), line, strlen(line), NULL, NULL);
	g_free(line);
	g_free(job->text);
	g_object_unref(job->connection);
	g_free(job);
}

static void read_line(GDataInputStream *input, GSocketConnection *connection);

static void has_read(GObject *source, GAsyncResult *result, gpointer connection)
{
	GDataInputStream *input = G_DATA_INPUT_STREAM(source);
	char *text = g_data_input_stream_read_line_finish(input, result, NULL, NULL);
	if (!text) {
		g_object_unref(input);
		g_object_unref(connection);
		return;
	}
	Job *job = g_new(Job, 1);
	job->connection = g_object_ref(connection);
	job->text = text;
	g_thread_pool_push(pool, job, NULL);
	read_line(input, connection);
}

static void read_line(GDataInputStream *input, GSocketConnection *connection)
{
	g_data_input_stream_read_line_async(input, G_PRIORITY_DEFAULT, NULL, has_read, connection);
}

static gboolean has_come(GSocketService *service, GSocketConnection *connection, GObject *source, gpointer unused)
{
	(void)service, (void)source, (void)unused;
	GDataInputStream *input = g_data_input_stream_new(g_io_stream_get_input_stream(G_IO_STREAM(connection)));
	read_line(input, g_object_ref(connection));
	return TRUE;
}

int main(void)
{
	pool = g_thread_pool_new(compute, NULL, 4, TRUE, NULL);
	GSocketService *service = g_socket_service_new();
	GInetAddress *here = g_inet_address_new_loopback(G_SOCKET_FAMILY_IPV4);
	GSocketAddress *address = g_inet_socket_address_new(here, atoi(g_getenv("port")));
	if (!g_socket_listener_add_address(G_SOCKET_LISTENER(service), address, G_SOCKET_TYPE_STREAM,
					   G_SOCKET_PROTOCOL_TCP, NULL, NULL, NULL))
		return 1;
	g_signal_connect(service, "incoming", G_CALLBACK(has_come), NULL);
	g_main_loop_run(g_main_loop_new(NULL, FALSE));
}
END
gcc -O2 -g server.c -o glibpool $(pkg-config --cflags --libs gio-2.0)
"""

# Both halves of a request wait for a timer at the same time, as do those of other connections.
STARLETTE = """
cat >app.py <<END
import functools, hashlib, sys
import trio
from hypercorn.config import Config
from hypercorn.trio import serve
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

async def half(name, seconds, found):
    await trio.sleep(seconds)
    found[name] = hashlib.pbkdf2_hmac("sha256", name.encode(), b"salt", 300).hex()

async def page(request):
    found = {}
    async with trio.open_nursery() as nursery:
        nursery.start_soon(half, "first", 0.002, found)
        nursery.start_soon(half, "second", 0.004, found)
    return PlainTextResponse(found["first"] + found["second"])

config = Config()
config.bind = ["127.0.0.1:" + sys.argv[1]]
trio.run(functools.partial(serve, Starlette(routes=[Route("/page", page)]), config))
END
"""

UNTIL_IT_IS_READY = """
until bash -c "exec 3<>/dev/tcp/127.0.0.1/$port; printf 'GET /-/ready HTTP/1.0\\r\\n\\r\\n' >&3; grep -q ' 200 ' <&3" 2>/dev/null; do
    kill -0 $! || exit 1
    sleep 0.1
done
"""

ERLANG = """
cat >page.erl <<'END'
-module(page).
-export([start/0, do/1]).

sum(Text, 0) -> Text;
sum(Text, Times) -> sum(crypto:hash(sha256, Text), Times - 1).

do(_Request) ->
    Text = binary_to_list(base64:encode(sum(<<"word">>, 200))),
    Head = [{code, 200}, {content_type, "text/plain"}, {content_length, integer_to_list(length(Text))}],
    {proceed, [{response, {response, Head, Text}}]}.

start() ->
    ok = inets:start(),
    {ok, _} = inets:start(httpd, [{port, list_to_integer(os:getenv("port"))}, {bind_address, {127, 0, 0, 1}},
                                  {server_name, "here"}, {server_root, "."}, {document_root, "."},
                                  {max_keep_alive_request, 100000}, {modules, [page]}]).
END
erlc page.erl
"""

# lighttpd hands over to one of two threads of a program in C, which asks redis.
THREE = r"""
cat >lighttpd.conf <<END
server.modules = ("mod_fastcgi")
server.document-root = "$PWD"
server.bind = "127.0.0.1"
server.port = $port
server.max-keep-alive-requests = 100000
fastcgi.server = ("/" => ((
    "socket" => "$PWD/app.socket",
    "check-local" => "disable"
)))
END
cat >app.c <<'END'
#include <fcgiapp.h>
#include <hiredis/hiredis.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static unsigned compute(unsigned sum)
{
	for (volatile int i = 0; i < 100000; i++)
		sum = sum * 1103515245u + 12345u;
	return sum;
}

static void *work(void *store_path)
{
	redisContext *store = redisConnectUnix(store_path);
	FCGX_Request request;
	if (!store || store->err || FCGX_InitRequest(&request, 0, 0) != 0)
		exit(1);
	for (;;) {
		pthread_mutex_lock(&turn);
		int error = FCGX_Accept_r(&request);
		pthread_mutex_unlock(&turn);
		if (error < 0)
			exit(0);
		redisReply *reply = redisCommand(store, "INCR count");
		if (!reply || reply->type != REDIS_REPLY_INTEGER)
			exit(1);
		unsigned sum = compute(reply->integer);
		freeReplyObject(reply);
		freeReplyObject(redisCommand(store, "SET last %u", sum));
		FCGX_FPrintF(request.out, "Content-Type: text/plain\r\nContent-Length: 8\r\n\r\n%08x", sum);
		FCGX_Finish_r(&request);
	}
}

int main(void)
{
	pthread_t other;
	char *path = getenv("store");
	FCGX_Init();
	pthread_create(&other, NULL, work, path);
	work(path);
}
END
gcc -O2 -g -pthread app.c -o fcgiapp -lfcgi -lhiredis
"""

THREE_RUN = f"""
redis-server --port 0 --unixsocket $PWD/redis.socket --save "" & redis=$!
until [ -S redis.socket ]; do sleep 0.1; done
store=$PWD/redis.socket spawn-fcgi -n -s $PWD/app.socket -- $PWD/fcgiapp & app=$!
until [ -S app.socket ]; do sleep 0.1; done
lighttpd -D -f $PWD/lighttpd.conf & server=$!
{UNTIL_IT_LISTENS}
ask
kill $server; wait $server
# libfcgi takes other signals for a sign to end behind the next request.
kill -KILL $app; wait $app
kill $redis; wait $redis
"""

UNSEEN = [
    Server("PowerDNS, a queue and three threads", "pdns_server", ["pdns-server", "pdns-backend-bind"],
           both("dns", {"all": ("here.local", 500)}), serve("pdns_server --config-dir=$PWD", "sleep 2"), PDNS, "query",
           is_fresh=True),
    Server("gunicorn, a pool of threads", "gunicorn", ["gunicorn"], http("/page", 300),
           serve("gunicorn -b 127.0.0.1:$port -k gthread --threads 4 app"), GTHREAD, is_fresh=True),
    Server("GThreadPool, a loop and four threads", "glibpool", ["gcc", "libglib2.0-dev", "pkg-config"],
           both("line", {"all": ("word", 300)}), serve("port=$port ./glibpool"), GLIB, is_whole_loop=True,
           is_fresh=True),
    Server("tcpserver and micro-httpd, a process each", "micro-httpd", ["ucspi-tcp", "micro-httpd"],
           http("/page.html", 300, keep=False), serve("tcpserver -H -R -l 0 127.0.0.1 $port micro-httpd $PWD/files"),
           "mkdir files; echo hello >files/page.html", is_fresh=True),
    Server("starlette and trio, asynchronous", "python3", ["python3-hypercorn", "python3-starlette", "python3-trio"],
           http("/page", 200), serve("/usr/bin/python3 app.py $port"), STARLETTE, is_whole_loop=True, is_fresh=True),
    Server("prometheus (Go)", "prometheus", ["prometheus"],
           http("/api/v1/query_range?query=vector(1)&start=0&end=200&step=1", 300),
           serve("prometheus --config.file=$PWD/prometheus.yml --storage.tsdb.path=$PWD/data"
                 " --web.listen-address=127.0.0.1:$port", UNTIL_IT_IS_READY),
           "echo 'global: {}' >prometheus.yml", is_whole_loop=True, is_fresh=True),
    Server("Erlang's inets", "beam.smp", ["erlang-base", "erlang-inets", "erlang-crypto"], http("/page", 300),
           serve("HOME=$PWD port=$port erl -noinput -kernel inet_default_listen_options '[{nodelay,true}]' -s page start"), ERLANG, is_fresh=True),
    Server("lighttpd, FastCGI and redis", "lighttpd",
           ["lighttpd", "gcc", "libfcgi-dev", "spawn-fcgi", "libhiredis-dev", "redis-server"], http("/", 300),
           THREE_RUN, THREE, is_fresh=True),
]
