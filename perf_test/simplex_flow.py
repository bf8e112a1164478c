#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""simplex_flow.py N PECLET FILE [--dimension 3] [--vortex] [--shuffle]: writes a matrix of convection and diffusion on
triangles or tetrahedra.

-Laplace u + PECLET w grad u by linear elements on the unit square or cube, u given at the boundary, (N - 1)^dimension
rows. The inner points of a grid of N cells in each direction are moved by chance; squares are cut in two along a diagonal by chance, cubes into
six by the order of the coordinates. Convection is made monotone by the least diffusion along each edge that leaves no positive
coupling (discrete upwinding: Kuzmin, Turek, J. Comput. Phys. 175, 2002, 525-558). w goes across the grid at an angle, or with --vortex
around its middle in the plane, as that of vortex.py. --shuffle numbers the points by chance, the same for the same number of
them. FILE is in the Matrix Market's format.
"""
import argparse
import itertools
import random

from matrix_file import write_matrix

STRAIGHT = (0.8, 0.5, 0.3)


def mesh(n, dimension):
    """Points, whether each is inside, and simplices as points' numbers."""
    chance = random.Random(1)
    points, inside = [], []
    for place in itertools.product(range(n + 1), repeat=dimension):
        is_inside = all(0 < p < n for p in place)
        moves = [(chance.random() - 0.5) * 0.4 if is_inside else 0.0 for _ in place]
        points.append(tuple((p + m) / n for p, m in zip(place, moves)))
        inside.append(is_inside)
    steps = [(n + 1) ** (dimension - 1 - d) for d in range(dimension)]
    cells = []
    for place in itertools.product(range(n), repeat=dimension):
        first = sum(p * s for p, s in zip(place, steps))
        if dimension == 2 and chance.random() < 0.5:
            a, b, c, d = first, first + steps[0], first + steps[1], first + steps[0] + steps[1]
            cells += [(a, b, c), (b, d, c)]
        else:
            for order in itertools.permutations(steps):
                cells.append(tuple(itertools.accumulate(order, initial=first)))
    return points, inside, cells


def gradients(corners):
    """(volume, gradients of the linear functions that are 1 at one corner and 0 at the others)"""
    first = corners[0]
    edges = [[a - b for a, b in zip(corner, first)] for corner in corners[1:]]
    if len(edges) == 2:
        (a, b), (c, d) = edges
        determinant = a * d - b * c
        rows = [(d / determinant, -c / determinant), (-b / determinant, a / determinant)]
    else:
        crossed = [cross(edges[1], edges[2]), cross(edges[2], edges[0]), cross(edges[0], edges[1])]
        determinant = dot(edges[0], crossed[0])
        rows = [tuple(x / determinant for x in row) for row in crossed]
    volume = abs(determinant) / (2 if len(edges) == 2 else 6)
    return volume, [tuple(-sum(column) for column in zip(*rows)), *rows]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def speed(point, is_vortex):
    if not is_vortex:
        return STRAIGHT[: len(point)]
    x, y = 2 * point[0] - 1, 2 * point[1] - 1
    return (y * (1 - x * x), -x * (1 - y * y), *(0.0 for _ in point[2:]))


def entries(n, peclet, dimension=2, is_vortex=False):
    """(row, column, value), rows counted from 0."""
    points, inside, cells = mesh(n, dimension)
    diffusion = [{} for _ in points]
    convection = [{} for _ in points]
    for cell in cells:
        corners = [points[c] for c in cell]
        volume, slopes = gradients(corners)
        middle = [sum(x) / len(corners) for x in zip(*corners)]
        along = [peclet * volume / len(cell) * dot(speed(middle, is_vortex), slope) for slope in slopes]
        for i, slope in zip(cell, slopes):
            if inside[i]:
                for j, other, carried in zip(cell, slopes, along):
                    diffusion[i][j] = diffusion[i].get(j, 0.0) + volume * dot(slope, other)
                    convection[i][j] = convection[i].get(j, 0.0) + carried
            else:  # what comes back along an edge from inside
                for j, carried in zip(cell, along):
                    if inside[j]:
                        convection[i][j] = convection[i].get(j, 0.0) + carried
    number = {point: row for row, point in enumerate(p for p in range(len(points)) if inside[p])}
    for point, row in number.items():
        diagonal = diffusion[point][point] + convection[point][point]
        for other, value in diffusion[point].items():
            if other != point:
                there = convection[point][other]
                added = max(0.0, there, convection[other].get(point, 0.0))
                diagonal += added
                if other in number:
                    yield row, number[other], value + there - added
        yield row, row, diagonal


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("n", type=int)
    parser.add_argument("peclet", type=float)
    parser.add_argument("file")
    parser.add_argument("--dimension", type=int, choices=(2, 3), default=2)
    parser.add_argument("--vortex", action="store_true", help="closed streamlines")
    parser.add_argument("--shuffle", action="store_true", help="number the points by chance")
    asked = parser.parse_args()
    rows = (asked.n - 1) ** asked.dimension
    number = list(range(rows))
    if asked.shuffle:
        random.Random(1).shuffle(number)
    made = entries(asked.n, asked.peclet, asked.dimension, asked.vortex)
    write_matrix(asked.file, rows, ((number[i], number[j], a) for i, j, a in made))


if __name__ == "__main__":
    main()
