# SPDX-License-Identifier: MIT
"""Ten servers that are asked for two to five kinds of things, in an order that chance has made.

Is the type of a unit the kind of the request? The adjusted Rand index tells how well two ways of dividing
the same things agree (Hubert and Arabie 1985): 1 where they are the same, 0 where they agree as two that
have nothing to do with each other.
"""
import collections
import math
import os
import statistics

import fresh_kinds
import times
from client import Ask
from fresh import POOL
from recording import known, name_of_directory, record
from servers import APACHE, NGINX, SERVERS, Server, serve

# An index from here on says that types are kinds, up to some requests that took a way of their own.
LEAST_INDEX = 0.95
# Of the mean: a unit that takes twice as long is then more than three standard deviations off, PerfGuard's limit.
EVEN = 0.3


def http(kinds, **more):
    return [Ask("http", {kind: (path, count) for kind, path, count in kinds}, **more)]


FILES = """
mkdir -p folder
for i in {1..20}; do seq 1 500 >folder/$i.html; done
seq 1 20000 >text.html
chmod -R a+rX .
"""

NGINX_KINDS = NGINX.replace("server { listen", """server { listen 127.0.0.1:$((port + 1)); return 200 "hello"; }
    server { listen""").replace("root $PWD;", """root $PWD;
        location /folder/ { autoindex on; }
        location /text.html { gzip on; }
        location /behind/ { proxy_pass http://127.0.0.1:$((port + 1)); }
       """) + FILES

APACHE_KINDS = APACHE % ("mpm_event", "mpm_event") + """
for module in mime autoindex filter deflate authz_host; do
    echo "LoadModule ${module}_module /usr/lib/apache2/modules/mod_$module.so" >>apache.conf
done
echo 'TypesConfig /etc/mime.types
<Location /text.html>
SetOutputFilter DEFLATE
</Location>
<Location /folder/>
Options +Indexes
</Location>' >>apache.conf
""" + FILES

PYTHON_APP = """
cat >app.py <<'END'
import hashlib, http.server, json, os, sys

class Handler(http.server.BaseHTTPRequestHandler):
    def hashed(self):
        return hashlib.pbkdf2_hmac("sha256", b"word", b"salt", 3000).hex()

    def counted(self):
        words = {}
        for i in range(6000):
            words[i % 17] = words.get(i % 17, 0) + i
        return json.dumps(words)

    def listed(self):
        return "\\n".join("%s %d" % (name, os.stat("/etc/" + name).st_size) for name in sorted(os.listdir("/etc"))[:20])

    def do_GET(self):
        text = getattr(self, self.path[1:])().encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass

http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
END
"""

PERL_APP = """
cat >server.pl <<'END'
use IO::Socket::INET;
my $listener = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => $ENV{port}, Listen => 9, ReuseAddr => 1);
my %kinds = (
    sorted => sub { join " ", (sort { $a <=> $b } map { ($_ * 7919) % 4001 } 1 .. 3000)[0 .. 5] },
    listed => sub { opendir(my $folder, "/etc"); my @names = readdir($folder); scalar(@names) },
    read => sub { open(my $file, "<", "/etc/services"); my @lines = <$file>; scalar(@lines) },
);
while (my $client = $listener->accept()) {
    my $line = <$client>;
    next unless defined $line;
    chomp $line; $line =~ s/\\r//;
    print $client $kinds{$line}->() . "\\n";
    close($client);
}
END
"""

PHP_APP = """
cat >hashed.php <<'END'
<?php $text = "word"; for ($i = 0; $i < 3000; $i++) { $text = md5($text); } echo $text;
END
cat >sorted.php <<'END'
<?php $all = []; for ($i = 0; $i < 8000; $i++) { $all[] = ($i * 7919) % 10007; } sort($all); echo $all[3];
END
cat >listed.php <<'END'
<?php foreach (glob("/etc/*.conf") as $name) { echo $name, " ", filesize($name), "\\n"; }
END
"""

POSTGRES = next(server for server in SERVERS if server.name == "PostgreSQL")

KINDS = [
    Server("nginx", "nginx", ["nginx-light"],
           http([("file", "/page.html", 200), ("gzip", "/text.html", 200), ("folder", "/folder/", 200),
                 ("missing", "/none", 200), ("proxy", "/behind/", 200)]), serve("nginx -c $PWD/nginx.conf"), NGINX_KINDS),
    Server("Apache", "apache2", ["apache2"],
           http([("file", "/page.html", 150), ("gzip", "/text.html", 150), ("folder", "/folder/", 150),
                 ("missing", "/none", 150)]), serve("setsid apache2 -DFOREGROUND -f $PWD/apache.conf"), APACHE_KINDS),
    Server("redis", "redis-server", ["redis-server"],
           [Ask("redis", {"get": ("GET key", 300), "set": ("SET key xxx", 300), "push": ("LPUSH list NUMBER", 300),
                          "range": ("LRANGE list 0 300", 300), "sort": ("SORT list LIMIT 0 10", 300)})],
           serve("redis-server --port $port --bind 127.0.0.1 --save ''")),
    Server("PostgreSQL", "postgres", ["postgresql"],
           [Ask("postgres", {"one": ("select abalance from pgbench_accounts where aid = NUMBER + 1", 200),
                             "join": ("select count(*) from pgbench_tellers t join pgbench_branches b using (bid)", 200),
                             "sort": ("select aid from pgbench_accounts where aid < 2000 order by abalance, aid desc limit 5",
                                      200),
                             "insert": ("insert into pgbench_history (tid, bid, aid, delta) values (1, 1, NUMBER, 1)", 200)})],
           POSTGRES.run, POSTGRES.prepare),
    Server("memcached", "memcached", ["memcached"],
           [Ask("memcached", {"set": ("set key 0 0 5\r\nhello", 400), "get": ("get key", 600)})],
           serve("memcached -u root -l 127.0.0.1 -p $port -t 2")),
    Server("an application in Python", "python3", ["python3"],
           http([("hashed", "/hashed", 120), ("counted", "/counted", 120), ("listed", "/listed", 120)], keep=False),
           serve("/usr/bin/python3 app.py $port"), PYTHON_APP),
    Server("an application in Perl", "perl", ["perl"],
           [Ask("line", {kind: (kind, 150) for kind in ("sorted", "listed", "read")}, keep=False)],
           serve("port=$port perl server.pl"), PERL_APP),
    Server("an application in PHP", "php", ["php-cli"],
           http([(kind, f"/{kind}.php", 120) for kind in ("hashed", "sorted", "listed")], keep=False),
           serve("php -S 127.0.0.1:$port"), PHP_APP),
    Server("C, other system calls", "pool", ["gcc"],
           [Ask("line", {"file": ("file", 400), "folder": ("folder", 600)})], serve("./pool $port 0"), POOL),
    Server("C, no system call", "pool", ["gcc"],
           [Ask("line", {"search": ("search", 400), "sort": ("sort", 600)})], serve("./pool $port 0"), POOL),
]


def adjusted_rand(pairs):
    """Of things that were divided in two ways: a pair of names for each."""
    def together(names):
        return sum(math.comb(count, 2) for count in collections.Counter(names).values())
    both, first, second = together(pairs), together(a for a, _ in pairs), together(b for _, b in pairs)
    by_chance = first * second / max(math.comb(len(pairs), 2), 1)
    most = (first + second) / 2
    return 1.0 if most == by_chance else (both - by_chance) / (most - by_chance)


def even_share(units):
    """In percent, how much of their time is spent in types of which the standard deviation is 30 % of the mean at
    most, without what they waited for a CPU, which is the machine's."""
    types = collections.defaultdict(list)
    for unit in units:
        types[unit.type].append(unit.end_ns - unit.begin_ns - unit.ready_ns)
    even = sum(sum(lengths) for lengths in types.values()
               if statistics.pstdev(lengths) <= EVEN * statistics.fmean(lengths))
    return 100 * even / max(sum(map(sum, types.values())), 1)


def deviation(groups_and_lengths):
    """In percent of the mean, the standard deviation in each group, on average over the time that groups take."""
    groups = collections.defaultdict(list)
    for group, length in groups_and_lengths:
        groups[group].append(length)
    return 100 * (sum(len(lengths) * statistics.pstdev(lengths) for lengths in groups.values()) /
                  max(sum(map(sum, groups.values())), 1))


def row(server, truths, count, units):
    own = [unit for unit in units if unit.type.process == server.process]
    units = times.by_thread(units)
    pairs = [(truth, times.unit_of(truth, units)) for truth in truths]
    index = adjusted_rand([(truth.request.kind, unit.type if unit else None) for truth, unit in pairs])
    pairs = [(truth, unit) for truth, unit in pairs if unit]
    of_types = deviation((unit.type, unit.end_ns - unit.begin_ns - unit.ready_ns) for _, unit in pairs)
    of_kinds = deviation((truth.request.kind, truth.end_ns - truth.begin_ns - unit.ready_ns) for truth, unit in pairs)
    holds = index >= LEAST_INDEX and len(pairs) >= 0.99 * count
    return (f"| {server.name} | {len(server.asks[0].kinds)} | {count} | {len(pairs)} | {len({unit.type for _, unit in pairs})} "
            f"| {round(index, 3) + 0.0:.3f} | {even_share(own):.0f} % | {of_types:.0f} %, {of_kinds:.0f} % "
            f"| {'yes' if holds else '**no**'} |"), holds


HEAD = """
## Are types kinds?

Servers that were asked for some kinds of things, in an order that chance has made: each request belongs to
the unit of its thread that shares most of its time. The adjusted Rand index compares its kind with that
unit's type; requests without a unit are of no type. Even is the time that is spent in types of which the
standard deviation is at most 30 % of the mean, without what units waited for a CPU. Behind that, how much units of one
type differ, and how much requests for one and the same thing do by the kernel's clock: standard deviations in percent
of the mean, without waiting for a CPU, on average over the time that types or kinds take. Where types are not even
although each is one kind, it is the requests that are not.
"""

LATER = """
These were written down before rules were changed by those above, and looked at once; rules were changed by them
later:
"""

ONCE = """
These were written down before rules were changed by any of those above, and no rule was changed by them:
"""

TABLE = """
| server | kinds | requests | with a unit | their types | index | even | c of types, of kinds | ≥ {least} |
| --- | --: | --: | --: | --: | --: | --: | --: | --- |
"""


def table(introperf, directory, names, servers):
    rows = []
    for server in servers:
        own = os.path.join(directory, name_of_directory(f"kinds-{server.name}"))
        if names and not any(name in server.name for name in names) or not record(introperf, server, own):
            continue
        try:
            truths, requests = known(own)[0]
            rows.append(row(server, truths, len(requests), times.spans(os.path.dirname(introperf), own)))
        except OSError as error:
            rows.append((f"| {server.name} | {len(server.asks[0].kinds)} | {error} | | | | | | **no** |", False))
        print(rows[-1][0], flush=True)
    held = sum(holds for _, holds in rows)
    return (TABLE.format(least=LEAST_INDEX) + "".join(text + "\n" for text, _ in rows) +
            f"\n{held} of {len(rows)} hold.\n")


def section(introperf, directory, names):
    """The text for doc/units.md."""
    return (HEAD + table(introperf, directory, names, KINDS) + LATER +
            table(introperf, directory, names, fresh_kinds.FRESH) + ONCE +
            table(introperf, directory, names, fresh_kinds.LAST))
