#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""vortex.py N PECLET FILE [--central] [--shuffle]: writes a matrix of convection and diffusion whose streamlines close.

-Laplace u + PECLET w grad u on N by N points of the unit square, upwind or by central differences, u given at the boundary, times
the square of the mesh width; w is one vortex, whose speed is 1 in the middle of each side (Elman, Silvester,
Wathen, Finite Elements and Fast Iterative Solvers, example 6.1.4): `vortex` of tests/support/flows.hpp.
--shuffle numbers the points by chance, the same for the same N. FILE is in the Matrix Market's format.
"""
import argparse
import random

from matrix_file import write_matrix


def entries(n, peclet, is_central=False):
    """(row, column, value), rows counted from 0."""
    h = 1.0 / (n + 1)
    for row in range(n * n):
        i, j = row % n, row // n
        x, y = 2 * h * (i + 1) - 1, 2 * h * (j + 1) - 1
        speed = h * peclet * y * (1 - x * x), -h * peclet * x * (1 - y * y)
        before, after = ([s / 2 if is_central else max(s, 0.0) for s in (sign * speed[0], sign * speed[1])] for sign in (1, -1))
        yield row, row, 4 + sum(before) + sum(after)
        for inside, column, value in (
            (j > 0, row - n, before[1]),
            (i > 0, row - 1, before[0]),
            (i + 1 < n, row + 1, after[0]),
            (j + 1 < n, row + n, after[1]),
        ):
            if inside:
                yield row, column, -1 - value


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("n", type=int)
    parser.add_argument("peclet", type=float)
    parser.add_argument("file")
    parser.add_argument("--central", action="store_true", help="differences")
    parser.add_argument("--shuffle", action="store_true", help="number the points by chance")
    asked = parser.parse_args()
    number = list(range(asked.n * asked.n))
    if asked.shuffle:
        random.Random(1).shuffle(number)
    numbered = ((number[i], number[j], a) for i, j, a in entries(asked.n, asked.peclet, asked.central))
    write_matrix(asked.file, asked.n**2, numbered)


if __name__ == "__main__":
    main()
