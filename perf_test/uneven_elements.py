#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""uneven_elements.py N FILE [options]: writes a matrix of diffusion whose coefficient is uneven.

N by N rectangles of the unit square with elements of order 1 or 2, and one more Gauss point
per direction than the order. What jumps is sampled at the Gauss points, inside elements, too. Values on the boundary
are fixed and left out: (order N - 1)^2 rows, line by line. FILE is in the Matrix Market's format. The same
words give the same matrix.

  --jump discs       the contrast in 7 by 7 discs, 1 around them
  --jump points      the contrast to a power by chance between 0 and 1, at each Gauss point
  --epsilon, --degrees   diffusion that is weaker by this factor across that direction
  --half             such in the left half alone, in the right one the same in all directions
  --grading          the widest column and row of rectangles over the narrowest
"""
import argparse
import itertools
import math
import random

from matrix_file import write_matrix

# Gauss points and weights on (0, 1), by their number.
GAUSS = {
    2: [(0.5 - 0.5 / math.sqrt(3), 0.5), (0.5 + 0.5 / math.sqrt(3), 0.5)],
    3: [(0.5 - 0.5 * math.sqrt(0.6), 5 / 18), (0.5, 8 / 18), (0.5 + 0.5 * math.sqrt(0.6), 5 / 18)],
}


def shapes(order, t):
    """Values and derivatives at t of the polynomials that are 1 at one of equally spaced nodes of (0, 1)."""
    if order == 1:
        return [1 - t, t], [-1, 1]
    return [(1 - t) * (1 - 2 * t), 4 * t * (1 - t), t * (2 * t - 1)], [4 * t - 3, 4 - 8 * t, 4 * t - 1]


def widths(n, grading):
    relative = [grading ** (i / max(1, n - 1)) for i in range(n)]
    return [w / sum(relative) for w in relative]


class Coefficient:
    """The symmetric tensor (xx, xy, yy) at a place."""

    def __init__(self, asked):
        c, s = math.cos(math.radians(asked.degrees)), math.sin(math.radians(asked.degrees))
        self.tensor = (c * c + asked.epsilon * s * s, (1 - asked.epsilon) * c * s, s * s + asked.epsilon * c * c)
        self.asked, self.chance = asked, random.Random(1)

    def at(self, x, y):
        scale = 1.0
        if self.asked.jump == "discs" and math.hypot(x * 7.3 % 1 - 0.5, y * 7.3 % 1 - 0.5) < 0.35:
            scale = self.asked.contrast
        if self.asked.jump == "points":
            scale = self.asked.contrast ** self.chance.random()
        is_even = self.asked.half and x > 0.5
        return (scale, 0.0, scale) if is_even else tuple(scale * k for k in self.tensor)


def element(order, points, corner, size, coefficient):
    """The matrix of an element, node (i, j) of it being i * (order + 1) + j."""
    nodes = range((order + 1) ** 2)
    matrix = [[0.0] * len(nodes) for _ in nodes]
    for (s, ws, vs, ds), (t, wt, vt, dt) in itertools.product(points, points):
        kxx, kxy, kyy = coefficient.at(corner[0] + s * size[0], corner[1] + t * size[1])
        gx = [d * v / size[0] for d in ds for v in vt]
        gy = [v * d / size[1] for v in vs for d in dt]
        w = ws * wt * size[0] * size[1]
        for i in nodes:
            fx, fy = w * (kxx * gx[i] + kxy * gy[i]), w * (kxy * gx[i] + kyy * gy[i])
            row = matrix[i]
            for j in range(i + 1):
                row[j] += fx * gx[j] + fy * gy[j]
    return matrix


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("n", type=int)
    parser.add_argument("file")
    parser.add_argument("--order", type=int, default=2, choices=(1, 2))
    parser.add_argument("--jump", default="none", choices=("none", "discs", "points"))
    parser.add_argument("--contrast", type=float, default=1e3)
    parser.add_argument("--epsilon", type=float, default=1)
    parser.add_argument("--degrees", type=float, default=30)
    parser.add_argument("--half", action="store_true")
    parser.add_argument("--grading", type=float, default=1)
    asked = parser.parse_args()
    order, inner = asked.order, asked.order * asked.n - 1
    points = [(t, w, *shapes(order, t)) for t, w in GAUSS[order + 1]]
    sizes = widths(asked.n, asked.grading)
    begins = [0.0, *itertools.accumulate(sizes)]
    coefficient, entries = Coefficient(asked), {}
    for a, b in itertools.product(range(asked.n), repeat=2):
        matrix = element(order, points, (begins[a], begins[b]), (sizes[a], sizes[b]), coefficient)
        places = [(order * a + i - 1, order * b + j - 1) for i in range(order + 1) for j in range(order + 1)]
        rows = [x * inner + y if 0 <= x < inner and 0 <= y < inner else -1 for x, y in places]
        for i, row in enumerate(rows):
            for j, column in enumerate(rows[: i + 1]):
                if row >= 0 and column >= 0:
                    entries[row, column] = entries.get((row, column), 0.0) + matrix[i][j]
    lower = ((i, j, value) for (i, j), value in sorted(entries.items()))
    write_matrix(asked.file, inner**2, lower, "symmetric")


if __name__ == "__main__":
    main()
