#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""shop.py DIRECTORY: a pool of threads makes offers for customers. Until all are made, another thread
finds out again and again which articles are similar, with a module in C from the directory."""

import concurrent.futures
import sys
import threading

sys.path.insert(0, sys.argv[1])
import similar  # pylint: disable=import-error,wrong-import-position

ARTICLES = 3600
CUSTOMERS = 600
WORDS = ["small", "large", "blue", "green", "wooden", "metal", "round", "folding", "outdoor", "cheap"]


class Catalogue:
    """The articles, and for each a similar one."""

    def __init__(self):
        self.texts = [
            " ".join(WORDS[article * step % 9973 % len(WORDS)] for step in (31, 87, 541))
            + f" article {article * 7919 % 100003}"
            for article in range(ARTICLES)
        ]
        self.prices = [article * 31 % 977 + 0.95 for article in range(ARTICLES)]
        self.similar = list(range(ARTICLES))
        self.rounds = 0

    def refresh(self, done):
        """Articles change all day."""
        while not done.wait(0.05):
            self.similar = similar.similar_articles(self.texts)
            self.rounds += 1


def make_offer(catalogue, customer):
    """The cheapest articles with a word that the customer looks for, or similar ones."""
    word = WORDS[customer % len(WORDS)]
    best = []
    for article, text in enumerate(catalogue.texts):
        if word in text.split():
            other = catalogue.similar[article]
            rebate = 1 - (customer * article % 31) / 100
            best.append((catalogue.prices[article] * rebate, article))
            best.append((catalogue.prices[other] * rebate, other))
    best.sort()
    return best[:10]


def main():
    catalogue = Catalogue()
    done = threading.Event()
    refreshing = threading.Thread(target=catalogue.refresh, args=(done,))
    refreshing.start()
    with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
        offers = list(pool.map(lambda customer: make_offer(catalogue, customer), range(CUSTOMERS)))
    done.set()
    refreshing.join()
    print(f"{len(offers)} offers, the articles were compared {catalogue.rounds} times")


main()
