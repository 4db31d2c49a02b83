# Estimates what each shop will sell in each week of the coming two years, from what it sold before.
# SPDX-License-Identifier: MIT
import sys

import numpy


def read_sales(path):
    """One row for each shop, one column for each article."""
    return numpy.loadtxt(path, delimiter=",")


def seasons(articles, weeks):
    """How well each article sells in each week, compared with its mean."""
    week = numpy.arange(weeks)
    phase = numpy.arange(articles)[:, None] * 0.37
    return 1 + 0.4 * numpy.sin(2 * numpy.pi * week / 52 + phase)


def smooth(sales, rounds):
    """Single weeks that stand out count for less."""
    for _ in range(rounds):
        sales = (numpy.roll(sales, 1, axis=0) + 2 * sales + numpy.roll(sales, -1, axis=0)) / 4
    return sales


def rank_articles(sales):
    """Articles by the median of their sales."""
    return numpy.argsort(numpy.median(sales, axis=0))


def estimate(sales, season):
    return sales @ season


def main():
    sales = read_sales(sys.argv[1])
    order = rank_articles(sales)
    sales = smooth(sales[:, order], 60)
    expected = numpy.zeros((sales.shape[0], 700))
    for year in range(4):
        expected += estimate(sales * (1 + 0.02 * year), seasons(sales.shape[1], 700))
    best = int(numpy.argmax(expected.sum(axis=1)))
    print(f"{sales.shape[0]} shops, best shop {best}, all sales {expected.sum():.0f}")


main()
