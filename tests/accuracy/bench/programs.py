# SPDX-License-Identifier: MIT
"""What is measured: programs, how they are built with instrumentation, and what they do.

Build and setup are shell commands; $CC, $CXX and $CFLAGS carry the compiler and its flags, $SMALL
the folder of the small programs. A build runs in a copy of the sources; setup, the program and
its client run in a fresh directory of the run. $PROGRAM is the built executable, $TEXT and $JSON
are files that are the same in every run.
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
    environment: dict = field(default_factory=dict)
    # How much perf copies of the stack.
    stack_bytes: int = 8192


def small(name, about, source=None, compiler="$CC"):
    return Program(name=name, about=about, executable=name,
                   build=f"{compiler} $CFLAGS -fno-inline -pthread -o {name} $SMALL/{source or name + '.c'}")


SMALL = [
    small("handler", "a request handler called 400 times from one loop"),
    small("recursion", "direct and mutual recursion"),
    small("jumps", "longjmp out of five functions"),
    small("signals", "a signal handler on top of everything"),
    small("exceptions", "C++ exceptions through frames with and without clean-up", "exceptions.cc",
          "$CXX"),
    small("coroutines", "four stacks in one thread, by swapcontext"),
    small("threads", "threads that come and go and share a lock"),
    small("processes", "fork, vfork and exec"),
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

REAL = [
    Program(
        name="lua", package="lua5.4",
        about="Lua 5.4 counts the words of a text and writes a sorted report every 50 lines",
        build="""cd src
            echo '#define DEB_HOST_MULTIARCH ""' > lua5.4-deb-multiarch.h
            $CC $CFLAGS -I. -DLUA_USE_LINUX -o ../lua $(ls *.c | grep -v '^luac\\.c$') \
                -lm -ldl -Wl,-E""",
        executable="lua", arguments=["work.lua", "text"],
        setup=LUA_SCRIPT + "head -n 1000 $TEXT > text"),
    Program(
        name="bzip2", package="bzip2", about="bzip2 compresses a text",
        build="""$CC $CFLAGS -D_FILE_OFFSET_BITS=64 -o bzip2 blocksort.c huffman.c crctable.c \
            randtable.c compress.c decompress.c bzlib.c bzip2.c""",
        executable="bzip2", arguments=["-k", "-9", "text"], setup="for n in 1 2 3; do cat $TEXT; done > text"),
]

PROGRAMS = SMALL + REAL
