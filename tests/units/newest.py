# SPDX-License-Identifier: MIT
"""Eight servers more, written down before any of them was recorded, and looked at last: three with a queue and
a pool of workers, one that forks for each connection, one asynchronous in Python, one in Go, one whose requests
go through three processes, and one that serves datagrams. Each is asked by one client, and then by four at once.
"""
import client
from fresh import both, http
from servers import UNTIL_IT_LISTENS, Server, serve


class Rsync(client.Connection):
    """Sends the version and what it wants at once, without awaiting the greeting; a connection is one request."""

    def send(self, text, number):
        self.socket.sendall(f"@RSYNCD: 31.0\n{text}\n".encode())

    def answer(self):
        self.until(b"@RSYNCD: EXIT\n")

    def end(self):
        while self.socket.recv(1 << 16):
            pass
        self.socket.close()


client.PROTOCOLS["rsync"] = Rsync

JAVA = """
cat >Pool.java <<'END'
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.concurrent.Executors;

public class Pool {
	static byte[] sum(byte[] text) throws IOException {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			for (int i = 0; i < 1000; i++) { text = digest.digest(text); }
			return text;
		} catch (GeneralSecurityException error) {
			throw new IOException(error);
		}
	}

	public static void main(String[] arguments) throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 0);
		server.setExecutor(Executors.newFixedThreadPool(4));
		server.createContext("/", exchange -> {
			byte[] answer = sum(exchange.getRequestURI().getPath().getBytes());
			exchange.sendResponseHeaders(200, answer.length);
			exchange.getResponseBody().write(answer);
			exchange.getResponseBody().close();
		});
		server.start();
	}
}
END
javac Pool.java
"""

# A thread for each connection reads lines, and four workers take these from a queue and answer.
RUST = """
cat >server.rs <<'END'
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{mpsc, Arc, Mutex};
use std::{env, thread};

fn compute(text: &str) -> u64 {
    let mut sum: u64 = 1;
    for round in 0..3000u64 {
        for byte in text.bytes() {
            sum = (sum ^ u64::from(byte) ^ round).wrapping_mul(1099511628211);
        }
    }
    sum
}

fn work(jobs: Arc<Mutex<mpsc::Receiver<(String, TcpStream)>>>) {
    loop {
        let (text, mut stream) = jobs.lock().unwrap().recv().unwrap();
        let _ = stream.write_all(format!("{}\\n", compute(&text)).as_bytes());
    }
}

fn main() {
    let (sender, receiver) = mpsc::channel();
    let receiver = Arc::new(Mutex::new(receiver));
    for _ in 0..4 {
        let jobs = Arc::clone(&receiver);
        thread::spawn(move || work(jobs));
    }
    let listener = TcpListener::bind(format!("127.0.0.1:{}", env::var("port").unwrap())).unwrap();
    for stream in listener.incoming() {
        let (stream, sender) = (stream.unwrap(), sender.clone());
        thread::spawn(move || {
            for line in BufReader::new(stream.try_clone().unwrap()).lines() {
                match line {
                    Ok(text) => sender.send((text, stream.try_clone().unwrap())).unwrap(),
                    Err(_) => break,
                }
            }
        });
    }
}
END
rustc -g -O server.rs -o rustpool
"""

# One thread reads and answers, three compute in between.
ASIO = """
cat >server.cc <<'END'
#include <boost/asio.hpp>
#include <cstdlib>
#include <memory>
#include <string>

using boost::asio::ip::tcp;

static boost::asio::io_context context;
static boost::asio::thread_pool workers(3);

struct Session : std::enable_shared_from_this<Session> {
	tcp::socket socket;
	boost::asio::streambuf input;
	std::string answer;

	explicit Session(tcp::socket from) : socket(std::move(from)) {}

	void read() {
		boost::asio::async_read_until(socket, input, '\\n', [self = shared_from_this()](auto error, size_t size) {
			if (!error) {
				self->input.consume(size);
				boost::asio::post(workers, [self] { self->compute(); });
			}
		});
	}

	void compute() {
		volatile unsigned sum = 1;
		for (int i = 0; i < 200000; i++) { sum = sum * 1103515245u + 12345u; }
		answer = std::to_string(sum) + "\\n";
		boost::asio::post(context, [self = shared_from_this()] { self->write(); });
	}

	void write() {
		boost::asio::async_write(socket, boost::asio::buffer(answer), [self = shared_from_this()](auto error, size_t) {
			if (!error) { self->read(); }
		});
	}
};

static void await(tcp::acceptor &acceptor) {
	acceptor.async_accept([&acceptor](auto error, tcp::socket socket) {
		if (!error) { std::make_shared<Session>(std::move(socket))->read(); }
		await(acceptor);
	});
}

int main() {
	unsigned short port = atoi(getenv("port"));
	tcp::acceptor acceptor(context, tcp::endpoint(boost::asio::ip::make_address("127.0.0.1"), port));
	await(acceptor);
	context.run();
}
END
g++ -std=c++17 -O2 -g -pthread server.cc -o asiopool
"""

RSYNC = """
mkdir -p files
cat >rsyncd.conf <<END
pid file = $PWD/pid
log file = $PWD/log
reverse lookup = no
[files]
path = $PWD/files
comment = those that are here
END
"""

# A request waits for a timer, then for a thread of the loop's pool, while those of other connections go on.
TORNADO = """
cat >app.py <<END
import asyncio, hashlib, sys
import tornado.web

def compute():
    return hashlib.pbkdf2_hmac("sha256", b"word", b"salt", 1000).hex()

class Page(tornado.web.RequestHandler):
    async def get(self):
        await asyncio.sleep(0.002)
        self.write(await asyncio.get_running_loop().run_in_executor(None, compute))

async def main():
    tornado.web.Application([("/page", Page)]).listen(int(sys.argv[1]), "127.0.0.1")
    await asyncio.Event().wait()

asyncio.run(main())
END
"""

# nginx hands over to one of two processes of PHP, which asks memcached.
THREE = """
cat >nginx.conf <<END
user root; worker_processes 1; daemon off; pid $PWD/nginx.pid; error_log $PWD/error.log;
events { worker_connections 64; }
http {
    access_log off;
    server { listen 127.0.0.1:$port; keepalive_requests 100000;
             location / { fastcgi_pass unix:$PWD/fpm.socket; include /etc/nginx/fastcgi_params;
                          fastcgi_param SCRIPT_FILENAME $PWD/app.php; fastcgi_param STORE $PWD/memcached.socket; } }
}
END
cat >fpm.conf <<END
[global]
error_log = $PWD/fpm.log
[www]
user = root
group = root
listen = $PWD/fpm.socket
pm = static
pm.max_children = 2
END
cat >app.php <<'END'
<?php
$store = new Memcached("kept");
if (!$store->getServerList()) {
    $store->addServer($_SERVER["STORE"], 0);
}
$store->add("count", 0);
$text = "";
for ($i = 0; $i < 3; $i++) {
    $text .= hash("sha256", $store->increment("count"));
}
header("Content-Length: " . strlen($text));
echo $text;
END
"""

THREE_RUN = f"""
memcached -u root -s $PWD/memcached.socket & memcached=$!
until [ -S memcached.socket ]; do sleep 0.1; done
$(echo /usr/sbin/php-fpm*) -F -R -y $PWD/fpm.conf & fpm=$!
until [ -S fpm.socket ]; do sleep 0.1; done
nginx -c $PWD/nginx.conf & server=$!
{UNTIL_IT_LISTENS}
ask
kill $server; wait $server
kill $fpm; wait $fpm
kill $memcached; wait $memcached
"""

NAMED = r"""
cat >named.conf <<END
options {
    directory "$PWD";
    listen-on port $port { 127.0.0.1; };
    listen-on-v6 { none; };
    pid-file "$PWD/pid";
    session-keyfile "$PWD/session.key";
    recursion no;
    dnssec-validation no;
};
controls { };
zone "local" { type primary; file "$PWD/local.zone"; };
END
printf '$TTL 60\n$ORIGIN local.\n@ IN SOA here here 1 60 60 60 60\n@ IN NS here\nhere IN A 127.0.0.1\n' >local.zone
"""

NEWEST = [
    Server("com.sun.net.httpserver, four threads", "java", ["openjdk-17-jdk-headless"], http("/page", 300),
           serve("java -Dsun.net.httpserver.nodelay=true -cp . Pool $port"), JAVA, is_fresh=True),
    Server("a queue and four workers in Rust", "rustpool", ["rustc"], both("line", {"all": ("word " * 20, 300)}),
           serve("port=$port ./rustpool"), RUST, is_whole_loop=True, is_fresh=True),
    Server("Boost.Asio, a thread and three workers", "asiopool", ["libboost-dev", "g++"],
           both("line", {"all": ("word", 300)}), serve("port=$port ./asiopool"), ASIO, is_fresh=True),
    Server("rsync's daemon, a fork each", "rsync", ["rsync"], both("rsync", {"all": ("#list", 300)}, keep=False),
           serve("rsync --daemon --no-detach --config=$PWD/rsyncd.conf --address=127.0.0.1 --port=$port"), RSYNC,
           is_fresh=True),
    Server("tornado, asynchronous", "python3", ["python3-tornado"], http("/page", 200),
           serve("/usr/bin/python3 app.py $port"), TORNADO, is_whole_loop=True, is_fresh=True),
    Server("rclone serve http (Go)", "rclone", ["rclone"], http("/page.html", 500),
           serve("HOME=$PWD rclone serve http --addr 127.0.0.1:$port $PWD/files"),
           "mkdir files; echo hello >files/page.html", is_whole_loop=True, is_fresh=True),
    Server("nginx, php-fpm and memcached", "nginx", ["nginx-light", "php-fpm", "php-memcached", "memcached"],
           http("/", 500), THREE_RUN, THREE, is_fresh=True),
    Server("named", "named", ["bind9"], both("dns", {"all": ("here.local", 500)}),
           serve("named -f -c $PWD/named.conf", "sleep 2"), NAMED, "query", is_fresh=True),
]
