#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""discontinuous_elements.py squares|tetrahedra N ORDER PECLET FILE: writes a matrix of discontinuous elements.

Upwind elements of order 1 to 3 with an interior penalty, of a diffusion of 1 and a flow along (1, 0.6) or
(1, 0.6, 0.3) whose speed is PECLET, on N by N squares or on six tetrahedra in each of N by N by N cubes, whose vertices inside
are moved: `discontinuous_squares` and `DiscontinuousTetrahedra` of tests/support. FILE is in the Matrix Market's format.
"""
import argparse
import itertools
import math
from operator import mul

from matrix_file import write_matrix

# Four Gauss points of a line and their weights, of order 7.
GAUSS = ((0.06943184420297371, 0.17392742256872693), (0.33000947820757187, 0.32607257743127307),
         (0.6699905217924281, 0.32607257743127307), (0.9305681557970263, 0.17392742256872693))
LOBATTO = {1: (0.0, 1.0), 2: (0.0, 0.5, 1.0), 3: (0.0, 0.5 - 0.5 / math.sqrt(5), 0.5 + 0.5 / math.sqrt(5), 1.0)}
FLOW = (1.0, 0.6, 0.3)


def dot(a, b):
    return sum(map(mul, a, b))


def lagrange(order, x):
    """Values and derivatives at x of Lagrange's polynomials of Gauss and Lobatto's points."""
    points = LOBATTO[order]
    values, slopes = [], []
    for k, own in enumerate(points):
        others = [p for p in points if p != own]
        values.append(math.prod((x - p) / (own - p) for p in others))
        slopes.append(sum(math.prod((x - p) / (own - p) for p in others if p != left) / (own - left) for left in others))
    return values, slopes


def line(cells, order):
    """{(i, j): (mass, flow, diffusion)} on a line of cells of length 1, with u = 0 beyond both ends."""
    p, made = order + 1, {}

    def add(i, j, *values):
        made[i, j] = tuple(a + b for a, b in zip(made.get((i, j), (0.0, 0.0, 0.0)), values))

    inside = [(w, *lagrange(order, x)) for x, w in GAUSS]
    at_end = {end: lagrange(order, end) for end in (0, 1)}
    nodes = list(itertools.product(range(p), repeat=2))
    for c, (i, j) in itertools.product(range(cells), nodes):
        for w, u, du in inside:
            add(c * p + i, c * p + j, w * u[i] * u[j], -w * u[j] * du[i], w * du[j] * du[i])
    for face in range(cells + 1):
        # Cells to the left and to the right, with their ends at the face and the jump's signs.
        sides = [side for side in ((face - 1, 1, 1), (face, 0, -1)) if 0 <= side[0] < cells]
        share = 0.5 if len(sides) == 2 else 1.0
        for (ci, xi, of_i), (cj, xj, of_j) in itertools.product(sides, repeat=2):
            (v, dv), (u, du) = at_end[xi], at_end[xj]
            for i, j in nodes:
                upwind = of_i * v[i] * u[j] if cj < face else 0.0
                add(ci * p + i, cj * p + j, 0.0, upwind,
                    of_i * v[i] * p * p * of_j * u[j] - share * (du[j] * of_i * v[i] + dv[i] * of_j * u[j]))
    return made


def squares(cells, order):
    """Rows, and (row, column, of the flow, of the diffusion) on squares, node by node within a cell."""
    p, made = order + 1, line(cells, order)
    own, parts = p * p, []
    for cy, cx, iy, ix in itertools.product(range(cells), range(cells), range(p), range(p)):
        for dy, dx in ((-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)):
            oy, ox = cy + dy, cx + dx
            if not (0 <= oy < cells and 0 <= ox < cells):
                continue
            for jy, jx in itertools.product(range(p), repeat=2):
                mass_x, flow_x, diffusion_x = made[cx * p + ix, ox * p + jx]
                mass_y, flow_y, diffusion_y = made[cy * p + iy, oy * p + jy]
                flow = FLOW[0] * flow_x * mass_y + FLOW[1] * mass_x * flow_y
                diffusion = diffusion_x * mass_y + mass_x * diffusion_y
                if flow or diffusion:
                    parts.append(((cy * cells + cx) * own + iy * p + ix, (oy * cells + ox) * own + jy * p + jx,
                                  flow, diffusion))
    return cells * cells * own, parts


class Cell:
    """A tetrahedron with the gradients of its barycentric coordinates."""

    def __init__(self, corners, vertices):
        self.corners, self.beyond, self.gradients = corners, [None] * 4, []
        for c in range(4):
            a, b, d = (vertices[corners[(c + k) % 4]] for k in (1, 2, 3))
            (x, y, z), (u, v, w), up = ([t - s for s, t in zip(a, to)] for to in (b, d, vertices[corners[c]]))
            across = (y * w - z * v, z * u - x * w, x * v - y * u)
            height = dot(across, up)
            self.gradients.append([s / height for s in across])
        self.volume = abs(height) / 6
        lengths = [math.sqrt(dot(g, g)) for g in self.gradients]
        self.areas = [3 * self.volume * length for length in lengths]
        self.normals = [[-s / length for s in g] for g, length in zip(self.gradients, lengths)]
        self.sharpness = sum(self.areas) / self.volume

    def penalty(self, face):
        other = self.beyond[face]
        return max(self.sharpness, other.sharpness) / 2 if other else self.sharpness


def mesh(n):
    """Each of n^3 cubes cut into six along its diagonal (Kuhn), vertices inside moved by up to 0.15."""
    m, vertices, cells, is_open = n + 1, [], [], {}
    for v in range(m**3):
        at = (v % m, v // m % m, v // (m * m))
        inside = all(x % n for x in at)
        vertices.append([x + (0.15 * math.sin(12.9898 * (3 * v + d)) if inside else 0) for d, x in enumerate(at)])
    for v in range(m**3):
        if n in (v % m, v // m % m, v // (m * m)):
            continue
        for axes in itertools.permutations((1, m, m * m)):
            cell = Cell([v, *(v + s for s in itertools.accumulate(axes))], vertices)
            cells.append(cell)
            for c in range(4):
                other, face = is_open.setdefault(frozenset(cell.corners) - {cell.corners[c]}, (cell, c))
                if other is not cell:
                    cell.beyond[c], other.beyond[face] = other, cell
    return cells


def points_inside():
    """Barycentric coordinates and weights whose sum is 1, exact to order 5."""
    for (a, u), (b, v), (c, w) in itertools.product(GAUSS, repeat=3):
        s, t = a, (1 - a) * b
        rest = 1 - s - t
        yield (s, t, rest * c, rest - rest * c), 6 * u * v * w * (1 - s) * rest


def points_of(face):
    """The same on the face across from a corner, to order 6."""
    for (a, u), (b, v) in itertools.product(GAUSS, repeat=2):
        at = [0.0] * 4
        at[(face + 1) % 4], at[(face + 2) % 4], at[(face + 3) % 4] = a, (1 - a) * b, 1 - a - (1 - a) * b
        yield at, 2 * u * v * (1 - a)


class Basis:
    """Lagrange's polynomials on a tetrahedron (Silvester), and integrals of their products."""

    def __init__(self, order):
        self.order, self.faces = order, {}
        self.nodes = [node for node in itertools.product(range(order, -1, -1), repeat=4) if sum(node) == order]
        shapes = [(w, *self.shapes(at)) for at, w in points_inside()]
        pairs = list(itertools.product(range(len(self.nodes)), repeat=2))
        # Of each pair of functions: of the slopes of both, and of the first one's slope and the second.
        self.stiffness = [[sum(w * slopes[i][c] * slopes[j][d] for w, _, slopes in shapes)
                           for c in range(4) for d in range(4)] for i, j in pairs]
        self.transport = [[sum(w * slopes[i][c] * values[j] for w, values, slopes in shapes) for c in range(4)]
                          for i, j in pairs]

    def factor(self, m, x):
        return math.prod((self.order * x - j) / (j + 1) for j in range(m))

    def slope(self, m, x):
        return sum(self.order / (left + 1) * math.prod((self.order * x - j) / (j + 1) for j in range(m) if j != left)
                   for left in range(m))

    def shapes(self, at):
        """Values, and derivatives by each barycentric coordinate."""
        factors = [[self.factor(m, x) for m, x in zip(node, at)] for node in self.nodes]
        slopes = [[self.slope(node[c], at[c]) * math.prod(f for d, f in enumerate(own) if d != c) for c in range(4)]
                  for node, own in zip(self.nodes, factors)]
        return [math.prod(own) for own in factors], slopes

    def on_face(self, face, corners):
        """Of each pair, here and in the cell whose corner `corners[c]` is c here: values, slopes there, slopes here."""
        if (face, corners) not in self.faces:
            shapes = []
            for at, w in points_of(face):
                there = [0.0] * 4
                for c, d in enumerate(corners):
                    if d is not None:
                        there[d] = at[c]
                shapes.append((w, *self.shapes(at), *self.shapes(there)))
            p = range(len(self.nodes))
            self.faces[face, corners] = [
                [sum(w * v[i] * u[j] for w, v, _, u, _ in shapes),
                 *(sum(w * v[i] * du[j][c] for w, v, _, u, du in shapes) for c in range(4)),
                 *(sum(w * dv[i][c] * u[j] for w, v, dv, u, du in shapes) for c in range(4))] for i in p for j in p]
        return self.faces[face, corners]


def inside_block(cell, basis):
    """[(of the flow, of the diffusion)] of the functions of a cell, by rows."""
    along = [-cell.volume * dot(FLOW, g) for g in cell.gradients]
    crossed = [cell.volume * dot(g, h) for g in cell.gradients for h in cell.gradients]
    return [(dot(along, t), dot(crossed, s)) for t, s in zip(basis.transport, basis.stiffness)]


def face_block(cell, face, of, basis):
    """What the rows of a cell get across its face from `of`: from itself or from the one beyond."""
    is_own, normal, area = of is cell, cell.normals[face], cell.areas[face]
    outflow, sign = dot(FLOW, normal), 1 if is_own else -1
    upwind = area * (max(outflow, 0.0) if is_own else min(outflow, 0.0))
    share = area * (0.5 if cell.beyond[face] else 1.0)
    penalty = (basis.order + 1) * (basis.order + 3) / 3 * cell.penalty(face)
    weights = [sign * area * penalty, *(-share * dot(g, normal) for g in of.gradients),
               *(-share * sign * dot(g, normal) for g in cell.gradients)]
    corners = tuple(of.corners.index(c) if c in of.corners else None for c in cell.corners)
    return [(upwind * integrals[0], dot(weights, integrals)) for integrals in basis.on_face(face, corners)]


def tetrahedra(n, order):
    """Rows, and (row, column, of the flow, of the diffusion) on tetrahedra, cell by cell."""
    cells, basis = mesh(n), Basis(order)
    number, p, parts = {id(cell): c for c, cell in enumerate(cells)}, len(basis.nodes), []
    for c, cell in enumerate(cells):
        blocks = {c: [inside_block(cell, basis)]}
        for face, other in enumerate(cell.beyond):
            blocks[c].append(face_block(cell, face, cell, basis))
            if other:
                blocks[number[id(other)]] = [face_block(cell, face, other, basis)]
        for o, added in sorted(blocks.items()):
            for k, terms in enumerate(zip(*added)):
                parts.append((c * p + k // p, o * p + k % p, sum(t[0] for t in terms), sum(t[1] for t in terms)))
    return len(cells) * p, parts


ELEMENTS = {"squares": squares, "tetrahedra": tetrahedra}


def entries(parts, peclet):
    """(row, column, value) of what the flow and the diffusion give."""
    summed = ((i, j, peclet * flow + diffusion) for i, j, flow, diffusion in parts)
    return (entry for entry in summed if entry[2] != 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("elements", choices=ELEMENTS)
    parser.add_argument("n", type=int)
    parser.add_argument("order", type=int, choices=LOBATTO)
    parser.add_argument("peclet", type=float)
    parser.add_argument("file")
    asked = parser.parse_args()
    num_rows, parts = ELEMENTS[asked.elements](asked.n, asked.order)
    write_matrix(asked.file, num_rows, entries(parts, asked.peclet))


if __name__ == "__main__":
    main()
