#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""species.py N FILE [options]: writes a matrix of species that spread over a grid and react with each other.

N by N points, or N by N by N, with a 5- or 7-point stencil for each species. At each point every two species pass
into each other at the same rate. Rows are numbered point by point. FILE is in the Matrix Market's format. The same
words give the same matrix.

  --diffusion 1,10,0.1   of each species, and so how many there are
  --rate                 of the reactions, over the diffusion from point to point
  --spread               by chance a hundredth to a hundred times that rate, at each point
  --cycle                species pass into the next one alone, the last into the first
  --flow                 flow with upwind differences in a vortex, so many times the diffusion from point to point at its rim
  --space                N by N by N points
"""
import argparse
import itertools
import random

from matrix_file import write_matrix


def neighbours(point, n):
    for direction in range(len(point)):
        for step in (-1, 1):
            moved = list(point)
            moved[direction] += step
            yield direction, step, tuple(moved), 0 <= moved[direction] < n


def towards(point, n, direction):
    """The speed of the vortex in a direction of the first two."""
    place = [(x + 0.5) / n - 0.5 for x in point[:2]]
    return (-2 * place[1], 2 * place[0], 0.0)[direction]


def spreading(point, n, flow):
    """The diagonal, and the coupling to each neighbour, of one species with a diffusion of 1."""
    diagonal, couplings = 0.0, []
    for direction, step, other, is_inside in neighbours(point, n):
        inflow = max(0.0, -step * towards(point, n, direction)) * flow
        diagonal += 1 + inflow
        if is_inside:
            couplings.append((other, -1 - inflow))
    return diagonal, couplings


def reaction(species, asked, rate):
    """What the species at a point are coupled by there, as rows."""
    if asked.cycle:
        return [[rate * ((i == j) - (j == (i + 1) % species)) for j in range(species)] for i in range(species)]
    return [[rate * ((species if i == j else 0) - 1) for j in range(species)] for i in range(species)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("n", type=int)
    parser.add_argument("file")
    parser.add_argument("--diffusion", default="1,1,1")
    parser.add_argument("--rate", type=float, default=1)
    parser.add_argument("--flow", type=float, default=0)
    for flag in ("--spread", "--cycle", "--space"):
        parser.add_argument(flag, action="store_true")
    asked = parser.parse_args()
    diffusion, n = [float(d) for d in asked.diffusion.split(",")], asked.n
    species, chance = len(diffusion), random.Random(1)
    number = {point: i for i, point in enumerate(itertools.product(range(n), repeat=3 if asked.space else 2))}
    entries = []
    for point, i in number.items():
        diagonal, couplings = spreading(point, n, asked.flow)
        rate = asked.rate * (10 ** chance.uniform(-2, 2) if asked.spread else 1)
        here = reaction(species, asked, rate)
        for k in range(species):
            here[k][k] += diffusion[k] * diagonal
            row = i * species + k
            entries += [(row, i * species + j, value) for j, value in enumerate(here[k]) if value != 0]
            entries += [(row, number[other] * species + k, diffusion[k] * value) for other, value in couplings]
    write_matrix(asked.file, len(number) * species, entries)


if __name__ == "__main__":
    main()
