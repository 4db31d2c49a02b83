// SPDX-License-Identifier: MIT
//
// stock copy|hold FILE: four threads check whether what customers order is in stock, and book some
// of it. Until they are done, a fifth saves the stock every few milliseconds, and forgets then
// which articles were changed: for this it locks the others out. It copies the articles and writes
// them to the file after that, or it writes them while it holds the lock.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

static const unsigned articles = 80000, threads = 4, orders = 31000;

struct Article {
	unsigned number, pieces;
	double price;
	bool is_changed;
};

class Stock
{
      public:
	Stock();
	bool find(unsigned number, Article &found) const;
	void book(unsigned number, unsigned pieces);
	void save(const char *file);
	void copy_and_save(const char *file);

      private:
	mutable std::shared_mutex lock_;
	std::unordered_map<unsigned, Article> articles_;
};

Stock::Stock()
{
	for (unsigned i = 0; i < articles; i++)
		articles_[i] = { i, 1000 + i % 77, i * 7919 % 9973 / 100.0, true };
}

__attribute__((noinline)) bool Stock::find(unsigned number, Article &found) const
{
	std::shared_lock<std::shared_mutex> guard(lock_);
	const auto article = articles_.find(number);
	if (article == articles_.end())
		return false;
	found = article->second;
	return true;
}

__attribute__((noinline)) void Stock::book(unsigned number, unsigned pieces)
{
	std::unique_lock<std::shared_mutex> guard(lock_);
	Article &article = articles_.at(number);
	article.pieces = article.pieces > pieces ? article.pieces - pieces : 1000;
	article.is_changed = true;
}

// A line of JSON for each article, and their sum at the end.
static void write_articles(const std::unordered_map<unsigned, Article> &all, const char *file)
{
	std::string text;
	double sum = 0;
	for (const auto &[number, article] : all) {
		char line[128];
		std::snprintf(
			line, sizeof(line),
			"{\"article\": %u, \"pieces\": %u, \"price\": %.2f, \"changed\": %s},\n",
			number, article.pieces, article.price,
			article.is_changed ? "true" : "false");
		text += line;
		sum += article.pieces * article.price;
	}
	std::ofstream(file) << text << "{\"sum\": " << sum << "}\n";
}

__attribute__((noinline)) void Stock::save(const char *file)
{
	std::unique_lock<std::shared_mutex> guard(lock_);
	write_articles(articles_, file);
	for (auto &article : articles_)
		article.second.is_changed = false;
}

__attribute__((noinline)) void Stock::copy_and_save(const char *file)
{
	std::unique_lock<std::shared_mutex> guard(lock_);
	const auto copy = articles_;
	for (auto &article : articles_)
		article.second.is_changed = false;
	guard.unlock();
	write_articles(copy, file);
}

// The price of an order by a table of rebates: each line of it may be the cheapest.
static double cheapest(const Article &article, unsigned pieces)
{
	double best = article.price * pieces;
	for (unsigned rebate = 1; rebate < 4000; rebate++) {
		const double price = article.price * pieces * (1 - rebate % 31 / 100.0) +
				     rebate * 7919 % 613 / 10.0;
		if (price < best)
			best = price;
	}
	return best;
}

static void take_orders(Stock &stock, unsigned thread, double &turnover)
{
	for (unsigned i = 0; i < orders; i++) {
		const unsigned number = (thread * orders + i) * 7919 % articles;
		const unsigned pieces = i % 9 + 1;
		Article article;
		if (!stock.find(number, article) || article.pieces < pieces)
			continue;
		turnover += cheapest(article, pieces);
		if (i % 40 == 0)
			stock.book(number, pieces);
	}
}

int main(int, char **argv)
{
	const bool hold = std::strcmp(argv[1], "hold") == 0;
	std::array<double, threads> turnover = {};
	std::atomic<bool> is_done = false;
	std::vector<std::thread> takers;
	Stock stock;

	std::thread saver([&] {
		while (!is_done) {
			hold ? stock.save(argv[2]) : stock.copy_and_save(argv[2]);
			std::this_thread::sleep_for(std::chrono::milliseconds(2));
		}
	});
	for (unsigned i = 0; i < threads; i++)
		takers.emplace_back(take_orders, std::ref(stock), i, std::ref(turnover[i]));
	for (auto &taker : takers)
		taker.join();
	is_done = true;
	saver.join();

	double sum = 0;
	for (const double part : turnover)
		sum += part;
	std::printf("%.2f EUR\n", sum);
}
