#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""vortex.py N PECLET FILE [--central | --space] [--shuffle]: writes a matrix of convection and diffusion whose streamlines close.

-Laplace u + PECLET w grad u on N by N points of the unit square, upwind or by central differences, u given at the boundary, times
the square of the mesh width; w is one vortex, whose speed is 1 in the middle of each side (Elman, Silvester,
Wathen, Finite Elements and Fast Iterative Solvers, example 6.1.4): `vortex` of tests/support/flows.hpp.
--space has N by N by N points of the unit cube, upwind, and a flow that recirculates in all directions (Notay, SIAM J. Sci. Comput. 34,
2012, A2288-A2316).
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


def speed_in_space(x, y, z):
    """Its divergence is 0, and none of it leaves the cube."""
    return 2 * x * (1 - x) * (2 * y - 1) * z, -(2 * x - 1) * y * (1 - y), -(2 * x - 1) * (2 * y - 1) * z * (1 - z)


def entries_in_space(n, peclet):
    """(row, column, value), rows counted from 0; upwind."""
    h = 1.0 / (n + 1)
    for row in range(n**3):
        place = row % n, row // n % n, row // n**2
        speed = [h * peclet * w for w in speed_in_space(*(h * (p + 1) for p in place))]
        yield row, row, 6 + sum(map(abs, speed))
        for p, step, w in zip(place, (1, n, n * n), speed):
            if p > 0:
                yield row, row - step, -1 - max(w, 0.0)
            if p + 1 < n:
                yield row, row + step, -1 - max(-w, 0.0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("n", type=int)
    parser.add_argument("peclet", type=float)
    parser.add_argument("file")
    parser.add_argument("--central", action="store_true", help="differences")
    parser.add_argument("--space", action="store_true", help="three dimensions")
    parser.add_argument("--shuffle", action="store_true", help="number the points by chance")
    asked = parser.parse_args()
    if asked.central and asked.space:
        parser.error("--central is of the plane alone")
    rows = asked.n ** (3 if asked.space else 2)
    made = entries_in_space(asked.n, asked.peclet) if asked.space else entries(asked.n, asked.peclet, asked.central)
    number = list(range(rows))
    if asked.shuffle:
        random.Random(1).shuffle(number)
    write_matrix(asked.file, rows, ((number[i], number[j], a) for i, j, a in made))


if __name__ == "__main__":
    main()
