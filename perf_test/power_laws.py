#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""power_laws.py KIND FILE [options]: writes the Laplacian of a random graph whose degrees follow a power law.

KIND is one of
  attachment      each new vertex is tied to --ties others, picked as often as they have ties (Barabasi and Albert)
  configuration   degrees of at least --ties with --exponent, their ends joined at random
  rmat            2 * --ties edges a vertex by recursive quadrants of weights 0.57, 0.19, 0.19 and 0.05
  plane           points in a square, tied within radii that follow a power law of --exponent
  communities     40 graphs of attachment, one edge from each to the next
  whiskers        attachment, and chains of 20 vertices from every 20th vertex
  grid            a square grid of n vertices, and attachment among a tenth of them

Of a configuration and rmat the largest connected part is left. FILE is in the Matrix Market's format. The same words
give the same matrix.

  -n              vertices
  --ground        what each vertex has on the diagonal besides
  --decades       weights of 10^-d to 10^d at random instead of 1
"""
import argparse
import random

from matrix_file import write_matrix


def attachment(n, ties, chance):
    ends, edges = [], []
    for v in range(n):
        chosen = set(range(v)) if v <= ties else set()
        while v > ties and len(chosen) < ties:
            chosen.add(chance.choice(ends))
        for other in sorted(chosen):
            edges.append((v, other))
            ends += [v, other]
    return n, edges


def configuration(n, ties, exponent, chance):
    ends = []
    for v in range(n):
        degree = int(ties * (1 - chance.random()) ** (-1 / (exponent - 1)))
        ends += [v] * min(degree, int(20 * n**0.5), n // 2)
    chance.shuffle(ends)
    return largest_part(n, zip(ends[::2], ends[1::2]))


def rmat(n, ties, chance):
    levels = (n - 1).bit_length()
    edges = []
    for _ in range(2 * ties << levels):
        a = b = 0
        for _ in range(levels):
            at = chance.random()
            a = 2 * a + (at >= 0.76)
            b = 2 * b + (0.57 <= at < 0.76 or at >= 0.95)
        edges.append((a, b))
    return largest_part(1 << levels, edges)


def plane(n, exponent, chance):
    points = [(chance.random(), chance.random()) for _ in range(n)]
    cells, side = {}, int(n**0.5)
    for i, (x, y) in enumerate(points):
        cells.setdefault((int(x * side), int(y * side)), []).append(i)
    edges = []
    for i, (x, y) in enumerate(points):
        radius = min(0.2, n**-0.5 * (1 - chance.random()) ** (-1 / exponent))
        reach, cx, cy = int(radius * side) + 1, int(x * side), int(y * side)
        for a in range(cx - reach, cx + reach + 1):
            for b in range(cy - reach, cy + reach + 1):
                for j in cells.get((a, b), ()):
                    if (points[j][0] - x) ** 2 + (points[j][1] - y) ** 2 < radius**2:
                        edges.append((i, j))
    return n, edges


def communities(n, ties, chance):
    edges, size = [], n // 40
    for first in range(0, 40 * size, size):
        edges += [(first + a, first + b) for a, b in attachment(size, ties, chance)[1]]
        if first:
            edges.append((first + size // 2, first - size // 2))
    return 40 * size, edges


def whiskers(n, ties, chance):
    _, edges = attachment(n, ties, chance)
    for first in range(0, n, 20):
        edges += [(n + first + k, n + first + k - 1 if k else first) for k in range(20)]
    return n + 20 * len(range(0, n, 20)), edges


def grid(n, ties, chance):
    side = int(n**0.5)
    edges = [(v, v + 1) for v in range(side * side) if (v + 1) % side]
    edges += [(v, v + side) for v in range(side * side - side)]
    places = chance.sample(range(side * side), side * side // 10)
    edges += [(places[a], places[b]) for a, b in attachment(len(places), ties, chance)[1]]
    return side * side, edges


def largest_part(n, edges):
    edges = list(edges)
    parent = list(range(n))

    def root(v):
        while parent[v] != v:
            parent[v] = parent[parent[v]]
            v = parent[v]
        return v

    for a, b in edges:
        parent[root(a)] = root(b)
    roots = [root(v) for v in range(n)]
    sizes = [0] * n
    for v in roots:
        sizes[v] += 1
    largest = sizes.index(max(sizes))
    number = {v: k for k, v in enumerate(v for v in range(n) if roots[v] == largest)}
    return len(number), [(number[a], number[b]) for a, b in edges if a in number]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    kinds = ["attachment", "configuration", "rmat", "plane", "communities", "whiskers", "grid"]
    parser.add_argument("kind", choices=kinds)
    parser.add_argument("file")
    parser.add_argument("-n", type=int, default=20000)
    parser.add_argument("--ties", type=int, default=4)
    parser.add_argument("--exponent", type=float, default=2.5)
    parser.add_argument("--ground", type=float, default=0.01)
    parser.add_argument("--decades", type=float, default=0.0)
    asked = parser.parse_args()
    chance = random.Random(5)
    n, edges = {
        "attachment": lambda: attachment(asked.n, asked.ties, chance),
        "configuration": lambda: configuration(asked.n, asked.ties, asked.exponent, chance),
        "rmat": lambda: rmat(asked.n, asked.ties, chance),
        "plane": lambda: plane(asked.n, asked.exponent, chance),
        "communities": lambda: communities(asked.n, asked.ties, chance),
        "whiskers": lambda: whiskers(asked.n, asked.ties, chance),
        "grid": lambda: grid(asked.n, asked.ties, chance),
    }[asked.kind]()
    couplings = sorted({(max(edge), min(edge)) for edge in edges if edge[0] != edge[1]})
    diagonal, entries = [asked.ground] * n, []
    for i, j in couplings:
        weight = 10 ** chance.uniform(-asked.decades, asked.decades) if asked.decades else 1.0
        diagonal[i] += weight
        diagonal[j] += weight
        entries.append((i, j, -weight))
    entries += [(i, i, value) for i, value in enumerate(diagonal)]
    write_matrix(asked.file, n, entries, "symmetric")


if __name__ == "__main__":
    main()
