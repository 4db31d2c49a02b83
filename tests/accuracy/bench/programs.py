# SPDX-License-Identifier: MIT
"""What is measured: programs, how they are built with instrumentation, and what they do.

Build and setup are shell commands; $CC, $CXX and $CFLAGS carry the compiler and its flags, $SMALL
the folder of the small programs. A build runs in a copy of the sources; setup, the program and
its client run in a fresh directory of the run. $PROGRAM is the built executable, $TEXT
a file that is the same in every run, $WORK how many times as much work there is to be.
"""

from dataclasses import dataclass, field

# The kernel's and perf's view needs no frame pointers: stacks are unwound by their tables. Sibling
# calls would run the tracer's exit hook in a frame that is gone.
CFLAGS = "-O2 -g -finstrument-functions -fno-optimize-sibling-calls"


@dataclass
class Program:
    name: str
    about: str
    build: str
    executable: str
    arguments: list = field(default_factory=list)
    # A package with sources for real programs, None for the small ones.
    package: str = None
    # Packages that the build or the client needs.
    needs: list = field(default_factory=list)
    setup: str = ":"
    # For servers: a script that waits until the server is up, uses it, and ends it.
    client: str = None
    # How much perf copies of the stack: more where the program's frames are larger.
    stack_bytes: int = 8192
    # With few hooks it ends too soon for a timer's samples: so many times as much work then.
    own_work: int = 1
    # The exact trace holds all of the CPU time.
    has_own_time: bool = True
    # Parameters of the inference were chosen without it: own CPU time was looked at only then.
    is_fresh: bool = False


def small(name, about, source=None, compiler="$CC", **more):
    source = source or f"{name}.c"
    return Program(name=name, about=about, executable=name, **more,
                   build=f"{compiler} $CFLAGS -fno-inline -pthread -o {name} $SMALL/{source}")


SMALL = [
    small("handler", "a request handler called 1600 times from one loop"),
    small("recursion", "direct and mutual recursion"),
    small("jumps", "longjmp out of five functions"),
    small("signals", "a signal handler on top of everything", arguments=["$WORK"], own_work=6),
    small("exceptions", "C++ exceptions through frames with and without clean-up", "exceptions.cc",
          "$CXX", arguments=["$WORK"], own_work=2),
    # What swapcontext takes is in no call of the trace.
    small("coroutines", "four stacks in one thread, by swapcontext", has_own_time=False),
    small("threads", "threads that come and go and share a lock"),
    small("processes", "fork, vfork and exec", arguments=["$WORK"], own_work=4),
]

LUA_SCRIPT = r"""
cat > work.lua <<'END'
local words, lines = {}, 0
local function count(line)
  for word in line:gmatch("%a+") do words[word] = (words[word] or 0) + 1 end
end
local function report(name)
  local list = {}
  for word, n in pairs(words) do list[#list + 1] = { word, n } end
  table.sort(list, function(a, b) return a[2] > b[2] or a[2] == b[2] and a[1] < b[1] end)
  local out = assert(io.open(name, "w"))
  out:setvbuf("no")
  for i = 1, math.min(40, #list) do out:write(("%6d %s\n"):format(list[i][2], list[i][1])) end
  out:close()
end
for line in io.lines(arg[1]) do
  count(line)
  lines = lines + 1
  if lines % 50 == 0 then report("report." .. lines // 50 % 4) end
end
END
"""

SQL = r"""
{
  echo 'pragma journal_mode=wal; pragma cache_size=200;'
  echo 'create table word (id integer primary key, text text, line integer);'
  insert='{ print "insert into word (text, line) values (\047" $2 "\047, " NR ");" }'
  head -n 400 $TEXT | awk "$insert"
  echo 'begin;'
  head -n 6000 $TEXT | awk "$insert"
  echo 'commit; create index by_text on word (text);'
  for i in $(seq $((12 * WORK))); do
    echo 'select text, count(*) as n from word group by text order by n desc limit 5;'
    echo "select count(*) from word where text like '%a%' and line % $i = 0;"
  done
  echo 'update word set line = line + 1 where id % 7 = 0;'
  echo 'delete from word where id % 11 = 0; vacuum;'
} > work.sql
"""

# A port on loopback that nothing else is likely to use, and how to wait for a server there.
PORT = "17391"
WAIT = f"""for ((i = 0; i < 200; i++)); do
                (: < /dev/tcp/127.0.0.1/{PORT}) 2>/dev/null && break
                sleep 0.05
            done"""

NGINX = f"""
mkdir -p logs html/many
for n in $(seq 60); do head -c $((n * 300)) $TEXT > html/many/$n.txt; done
head -c 200000 $TEXT > html/large.txt
cat > nginx.conf <<'END'
daemon off;
worker_processes 1;
pid nginx.pid;
error_log stderr error;
events {{ worker_connections 64; }}
http {{
    access_log logs/access.log;
    types {{ text/plain txt; }}
    gzip_types text/plain;
    server {{
        listen 127.0.0.1:{PORT};
        root html;
        location /many/ {{ autoindex on; }}
        location /packed/ {{ alias html/; gzip on; gzip_comp_level 1; }}
    }}
}}
END
cat > get.py <<'END'
import http.client, sys
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
for n in range(int(sys.argv[2])):
    path = ("/many/%d.txt" % (n % 60 + 1), "/packed/many/%d.txt" % (n % 60 + 1), "/many/",
            "/large.txt", "/packed/large.txt", "/none")[n % 7 % 6]
    connection.request("GET", path, headers={{"Accept-Encoding": "gzip"}})
    connection.getresponse().read()
END
"""

REAL = [
    Program(
        name="lua", package="lua5.4",
        about="Lua 5.4 counts the words of a text and writes a sorted report every 50 lines",
        build="""cd src
            echo '#define DEB_HOST_MULTIARCH ""' > lua5.4-deb-multiarch.h
            $CC $CFLAGS -I. -DLUA_USE_LINUX -o ../lua $(ls *.c | grep -v '^luac\\.c$') \
                -lm -ldl -Wl,-E""",
        executable="lua", arguments=["work.lua", "text"],
        # luaL_loadfilex() has a buffer of 8 KiB on the stack.
        setup=LUA_SCRIPT + "head -n $((1000 * WORK)) $TEXT > text", own_work=20,
        stack_bytes=16384),
    Program(
        name="bzip2", package="bzip2", about="bzip2 compresses a text",
        build="""$CC $CFLAGS -D_FILE_OFFSET_BITS=64 -o bzip2 blocksort.c huffman.c crctable.c \
            randtable.c compress.c decompress.c bzlib.c bzip2.c""",
        executable="bzip2", arguments=["-k", "-9", "text"],
        setup="for n in $(seq $((3 * WORK))); do cat $TEXT; done > text", own_work=5,
        stack_bytes=16384),
    Program(
        name="gzip", package="gzip", is_fresh=True,
        about="gzip compresses 400 files, one after the other",
        build="""./configure --quiet CFLAGS="$CFLAGS"
            make version.h
            make -j2 -C lib
            make -j2 gzip""",
        executable="gzip", arguments=["-r", "files"],
        setup="""mkdir files
            for n in $(seq $WORK); do cat $TEXT; done |
                split -b $((3000 * WORK)) -a 3 - files/part""",
        own_work=10),
    Program(
        name="xz", package="xz-utils", is_fresh=True, about="xz compresses a text with two threads",
        build="""./configure --quiet --disable-shared --disable-nls CFLAGS="$CFLAGS" && make -j2""",
        executable="src/xz/xz", arguments=["-k", "-1", "-T2", "--block-size=64KiB", "text"],
        setup="for n in $(seq $((2 * WORK))); do cat $TEXT; done > text", own_work=20),
    Program(
        name="sqlite3", package="sqlite3", is_fresh=True, needs=["tcl"],
        about="the SQLite shell fills a table in small and large transactions, indexes and asks it",
        build="""./configure --disable-tcl --disable-shared && make sqlite3.c shell.c
            $CC $CFLAGS -I. -DSQLITE_THREADSAFE=0 -o sqlite3 sqlite3.c shell.c -lm -ldl""",
        executable="sqlite3", arguments=["work.db", ".read work.sql"], setup=SQL, own_work=60,
        stack_bytes=32768),
    Program(
        name="redis", package="redis", is_fresh=True,
        about="redis-server answers redis-benchmark, single requests and pipelines",
        build="""make -C src -j2 redis-server redis-cli redis-benchmark MALLOC=libc USE_SYSTEMD=no \
            OPTIMIZATION=-O2""",
        executable="src/redis-server",
        arguments=["--port", PORT, "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes",
                   "--appendfsync", "no"],
        client=f"""{WAIT}
            tools=$(dirname $PROGRAM)
            benchmark="$tools/redis-benchmark -q -p {PORT} -c 3"
            $benchmark -n $((900 * WORK)) -r 500 -t set,get,incr,lpush,lpop,sadd,hset,zadd
            $benchmark -n $((60 * WORK)) -t lrange_100,mset
            $benchmark -n $((400 * WORK)) -P 16 -t set,get
            for i in $(seq $((5 * WORK))); do
                $tools/redis-cli -p {PORT} keys '*'
                $tools/redis-cli -p {PORT} sort mylist alpha limit 0 10
            done
            $tools/redis-cli -p {PORT} shutdown nosave || true""",
        own_work=3),
    Program(
        name="nginx", package="nginx", is_fresh=True,
        about="nginx (a master and a worker) serves files, compressed files and listings",
        build="""./configure --without-http_rewrite_module --without-pcre --prefix=. \
                --with-cc-opt="$CFLAGS"
            make -j2""",
        executable="objs/nginx", arguments=["-p", ".", "-c", "nginx.conf"], setup=NGINX,
        client=f"""{WAIT}
            python3 get.py {PORT} 2000
            kill -QUIT $(cat nginx.pid)"""),
]

PROGRAMS = SMALL + REAL
