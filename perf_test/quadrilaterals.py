#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""quadrilaterals.py N FILE [--epsilon 1e-2] [--degrees 30]: writes a matrix of rotated anisotropic diffusion on an
unstructured mesh of quadrilaterals.

The squares of an N by N grid of the unit square, whose inner vertices are moved by chance, are cut into
triangles along one of their diagonals, by chance, too. Each triangle is cut into three quadrilaterals by its
centre and the middles of its edges, with bilinear elements and 2 by 2 Gauss points. Values on the boundary are
fixed and left out: 6 N^2 - 4 N + 1 rows, numbered vertices first, then middles, then centres. FILE is in
the Matrix Market's format. The same N gives the same matrix.
"""
import argparse
import math
import random

from matrix_file import write_matrix


def mesh(n):
    """Coordinates of the nodes, whether each is on the boundary, and quadrilaterals as four nodes each."""
    chance = random.Random(1)
    points, on_boundary, middles, cells = [], [], {}, []

    def node(x, y, fixed):
        points.append((x, y))
        on_boundary.append(fixed)
        return len(points) - 1

    for j in range(n + 1):
        for i in range(n + 1):
            inside = 0 < i < n and 0 < j < n
            dx, dy = ((chance.random() - 0.5) * 0.5 if inside else 0.0 for _ in range(2))
            node((i + dx) / n, (j + dy) / n, not inside)
    triangles = []
    for j in range(n):
        for i in range(n):
            a, b = j * (n + 1) + i, j * (n + 1) + i + 1
            c, d = a + n + 1, b + n + 1
            triangles += [(a, b, d), (a, d, c)] if chance.random() < 0.5 else [(a, b, c), (b, d, c)]

    def is_outer(a, b):
        (xa, ya), (xb, yb) = points[a], points[b]
        return any(u == v and u in (0.0, 1.0) for u, v in ((xa, xb), (ya, yb)))

    for corners in triangles:
        for a, b in zip(corners, corners[1:] + corners[:1]):
            key = min(a, b), max(a, b)
            if key not in middles:
                (xa, ya), (xb, yb) = points[a], points[b]
                middles[key] = node((xa + xb) / 2, (ya + yb) / 2, is_outer(a, b))
    for corners in triangles:
        x, y = (sum(points[c][d] for c in corners) / 3 for d in (0, 1))
        centre = node(x, y, False)
        for k, corner in enumerate(corners):
            after, before = (middles[min(corner, o), max(corner, o)] for o in (corners[(k + 1) % 3], corners[k - 1]))
            cells.append((corner, after, centre, before))
    return points, on_boundary, cells


def element(corners, tensor):
    """The element matrix of the quadrilateral with these corners, in order around it."""
    (kxx, kxy), (_, kyy) = tensor
    at = 1 / math.sqrt(3)
    matrix = [[0.0] * 4 for _ in range(4)]
    for s in (-at, at):
        for t in (-at, at):
            ds = [-(1 - t) / 4, (1 - t) / 4, (1 + t) / 4, -(1 + t) / 4]
            dt = [-(1 - s) / 4, -(1 + s) / 4, (1 + s) / 4, (1 - s) / 4]
            xs, xt, ys, yt = (sum(d[k] * corners[k][e] for k in range(4)) for e in (0, 1) for d in (ds, dt))
            area = xs * yt - xt * ys
            gx = [(yt * ds[k] - ys * dt[k]) / area for k in range(4)]
            gy = [(xs * dt[k] - xt * ds[k]) / area for k in range(4)]
            for i in range(4):
                for j in range(4):
                    matrix[i][j] += area * (gx[i] * (kxx * gx[j] + kxy * gy[j]) + gy[i] * (kxy * gx[j] + kyy * gy[j]))
    return matrix


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("n", type=int)
    parser.add_argument("file")
    parser.add_argument("--epsilon", type=float, default=1e-2)
    parser.add_argument("--degrees", type=float, default=30)
    asked = parser.parse_args()
    c, s = math.cos(math.radians(asked.degrees)), math.sin(math.radians(asked.degrees))
    kxy = (1 - asked.epsilon) * c * s
    tensor = ((c * c + asked.epsilon * s * s, kxy), (kxy, s * s + asked.epsilon * c * c))
    points, on_boundary, cells = mesh(asked.n)
    rows = {}
    for v, fixed in enumerate(on_boundary):
        if not fixed:
            rows[v] = len(rows)
    entries = {}
    for nodes in cells:
        matrix = element([points[v] for v in nodes], tensor)
        for i in range(4):
            for j in range(4):
                if nodes[i] in rows and nodes[j] in rows and rows[nodes[i]] >= rows[nodes[j]]:
                    key = rows[nodes[i]], rows[nodes[j]]
                    entries[key] = entries.get(key, 0.0) + matrix[i][j]
    lower = ((i, j, value) for (i, j), value in sorted(entries.items()))
    write_matrix(asked.file, len(rows), lower, "symmetric")


if __name__ == "__main__":
    main()
