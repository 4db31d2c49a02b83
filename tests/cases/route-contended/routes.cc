// SPDX-License-Identifier: MIT
// routes BRANCHES: the shortest ways between so many branches, by the algorithm of Floyd and Warshall.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

class Routes {
public:
	explicit Routes(int branches) : branches(branches), metres(branches * branches, far)
	{
		for (int from = 0; from < branches; from++) {
			metres[from * branches + from] = 0;
			for (int road = 1; road <= 6; road++) {
				connect(from, (from * 31 + road * 7919) % branches, 500 + from * road % 977);
			}
		}
	}

	// Takes ways by `over` where they are shorter.
	__attribute__((noinline)) void shorten(int over)
	{
		for (int from = 0; from < branches; from++) {
			long first = metres[from * branches + over];

			for (int to = 0; to < branches; to++) {
				long way = first + metres[over * branches + to];

				if (way < metres[from * branches + to]) {
					metres[from * branches + to] = way;
				}
			}
		}
	}

	long longest() const
	{
		return *std::max_element(metres.begin(), metres.end());
	}

private:
	static constexpr long far = 1000000000;

	void connect(int from, int to, long length)
	{
		metres[from * branches + to] = length;
		metres[to * branches + from] = length;
	}

	int branches;
	std::vector<long> metres;
};

int main(int argc, char **argv)
{
	int branches = argc > 1 ? std::atoi(argv[1]) : 10;
	Routes routes(branches);

	for (int over = 0; over < branches; over++) {
		routes.shorten(over);
	}
	std::printf("%d branches, %ld m\n", branches, routes.longest());
	return 0;
}
