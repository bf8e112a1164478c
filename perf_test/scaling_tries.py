#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Iterations after scalings that could have undone units: scaling_tries.py TESSERA --commit HASH --out FILE.

B is the 5-point Laplacian of N² points, S and T are diagonal matrices of random numbers over 16 decades. S B S or S B T
is scaled here, by factors of which each try has its own, and the result solved without a scaling of Tessera's.
"""
import argparse
import datetime
import json
import math
import pathlib
import random
import subprocess
import tempfile

from compare_results import processor
from matrix_file import write_matrix

SWEEPS = 30
SETTINGS = ["preconditioner=amg", "equilibration=none", "solver.max_iterations=1000"]
# Matrix, what is on its right, factors, and whether they are rounded to powers of two.
TRIES = (
    ("B", None, "none", False),
    ("S B S", "s", "diagonal", False),
    ("S B S", "s", "diagonal", True),
    ("S B S", "s", "ruiz", False),
    ("S B T", "t", "ruiz", False),
    ("S B T", "t", "ruiz", True),
)


def laplacian(n):
    """{(row, column): value}"""
    entries = {}
    for i in range(n * n):
        entries[i, i] = 4.0
        for j, is_inside in ((i - 1, i % n > 0), (i + 1, i % n < n - 1), (i - n, i >= n), (i + n, i < n * (n - 1))):
            if is_inside:
                entries[i, j] = -1.0
    return entries


def scaled(entries, left, right):
    """The product of both factors comes first, so that symmetry stays to the last bit."""
    return {(i, j): value * (left[i] * right[j]) for (i, j), value in entries.items()}


def by_diagonal(entries, size):
    factors = [1 / math.sqrt(abs(entries[i, i])) for i in range(size)]
    return factors, factors


def by_ruiz(entries, size):
    """Roots of the largest entries of rows and of columns, again and again (Ruiz 2001)."""
    left, right = [1.0] * size, [1.0] * size
    for _ in range(SWEEPS):
        rows, columns = [0.0] * size, [0.0] * size
        for (i, j), value in entries.items():
            size_now = abs(value) * left[i] * right[j]
            rows[i], columns[j] = max(rows[i], size_now), max(columns[j], size_now)
        left = [factor / math.sqrt(largest) for factor, largest in zip(left, rows)]
        right = [factor / math.sqrt(largest) for factor, largest in zip(right, columns)]
    return left, right


FACTORS = {"none": lambda entries, size: ([1.0] * size, [1.0] * size), "diagonal": by_diagonal, "ruiz": by_ruiz}


def couplings(entries):
    """What is left of the units: the most powers of two by which the two values of a pair of neighbours differ, and
    the share of pairs that differ by more than two, as where something flows."""
    powers = [abs(math.log2(value / entries[j, i])) for (i, j), value in entries.items() if i < j]
    return max(powers), sum(power > 1 for power in powers) / len(powers)


def solve(tessera, entries, size, scratch):
    matrix, report = scratch / "A.mtx", scratch / "report.json"
    write_matrix(matrix, size, [(*place, value) for place, value in entries.items()])
    options = [word for setting in SETTINGS for word in ("-p", setting)]
    subprocess.run([tessera, "solve", matrix, "--rhs", "random", "--threads", "1", "--quiet", "--report", report, *options],
                   check=False, capture_output=True)
    return json.loads(report.read_text(encoding="utf-8"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tessera", help="the command")
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("--commit", required=True, help="of the command")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    asked = parser.parse_args()
    size, chance = asked.n * asked.n, random.Random(1)
    units = {name: [10 ** chance.uniform(-8, 8) for _ in range(size)] for name in "st"}
    record = {"comparison": "scalings that could undo units", "commit": asked.commit, "processor": processor(),
              "command": f"scaling_tries.py TESSERA -n {asked.n}", "settings": SETTINGS,
              "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), "results": []}
    for name, right, factors, is_rounded in TRIES:
        entries = laplacian(asked.n)
        if right:
            entries = scaled(entries, units["s"], units[right])
        pair = FACTORS[factors](entries, size)
        if is_rounded:
            pair = [[2.0 ** round(math.log2(factor)) for factor in side] for side in pair]
        entries = scaled(entries, *pair)
        powers, one_way = couplings(entries)
        with tempfile.TemporaryDirectory() as folder:
            report = solve(asked.tessera, entries, size, pathlib.Path(folder))
        found = {"matrix": name, "factors": factors, "rounded": is_rounded, "powers_of_two": round(powers, 1),
                 "one_way": round(one_way, 3)}
        for key in ("status", "iterations", "true_relative_residual"):
            found[key] = report.get(key)
        record["results"].append(found)
        print(found, flush=True)
    asked.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
