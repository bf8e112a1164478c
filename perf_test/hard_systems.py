#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Whether the defaults find what suits systems that multigrid does not, or only by its details.

    hard_systems.py build/openmp/bin/tessera --out hard_systems.json

Each system is solved by the defaults and by single choices, what a user who knows it might set: setup and solve,
with all that `auto` looks at, in milliseconds, the median of --repeat solves, in turn by chance. What takes more than ten
times as long as the defaults is solved once. Prints for each system the defaults' time over that of the best
choice. Where scipy is found, its SuperLU factors and solves the saddle point, too.
"""
import argparse
import datetime
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

from compare_results import processor
from matrix_file import write_matrix

CHOICES = (
    "preconditioner=direct",
    "preconditioner=ilu",
    "preconditioner=jacobi",
    "preconditioner=none",
    "preconditioner=none solver.name=bicgstab",
    "preconditioner=amg",
    "preconditioner=amg precision=same",
    "preconditioner=amg precision=same amg.smoother.type=chebyshev",
    "preconditioner=amg precision=same amg.smoother.type=gauss_seidel",
    "preconditioner=amg precision=same amg.coarsening=classical",
    "preconditioner=amg precision=same amg.coarsening=reduction",
)
SOLVED = ("converged", "least_squares")


def random_rows(n, entries_per_row=7):
    """Columns and values by chance, the diagonal among them."""
    chance = random.Random(1)
    rows = []
    for i in range(n):
        columns = {i} | set(chance.sample(range(n), entries_per_row - 1))
        rows.append({j: chance.uniform(-1, 1) for j in columns})
    return rows


def stokes(n):
    """Marker and cell on n by n cells; pressures, all but the first cell's, have a zero block on the diagonal."""
    num_u = (n - 1) * n
    rows = [{} for _ in range(2 * num_u + n * n - 1)]
    for along_y in (False, True):
        for line in range(n):
            for face in range(n - 1):
                def number(f, across):
                    return num_u + f * n + across if along_y else across * (n - 1) + f

                i, diagonal = number(face, line), 4.0
                for d in (-1, 1):
                    if 0 <= face + d < n - 1:
                        rows[i][number(face + d, line)] = -1.0
                    if 0 <= line + d < n:
                        rows[i][number(face, line + d)] = -1.0
                    else:
                        diagonal += 1
                rows[i][i] = diagonal
                for place, value in ((face, -1.0 / n), (face + 1, 1.0 / n)):
                    cell = place * n + line if along_y else line * n + place
                    if cell > 0:
                        rows[i][2 * num_u + cell - 1] = rows[2 * num_u + cell - 1][i] = value
    return rows


def grid(n, stencil):
    """Rows of n by n points by {(dx, dy): value}; what lies outside is left out."""
    return [{(y + dy) * n + x + dx: value for (dx, dy), value in stencil.items()
             if 0 <= x + dx < n and 0 <= y + dy < n} for y in range(n) for x in range(n)]


def skew(n):
    return grid(n, {(0, 0): 1e-3, (1, 0): 1.0, (-1, 0): -1.0, (0, 1): 1.0, (0, -1): -1.0})


def biharmonic(n):
    stencil = {(0, 0): 20.0}
    for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        stencil[a, b] = -8.0
        stencil[2 * a, 2 * b] = 1.0
        stencil[a + b, b - a] = 2.0
    return grid(n, stencil)


def neumann(n, shift):
    rows = grid(n, {(0, 0): 0.0, (1, 0): -1.0, (-1, 0): -1.0, (0, 1): -1.0, (0, -1): -1.0})
    for i, row in enumerate(rows):
        row[i] = len(row) - 1 + shift
    return rows


SYSTEMS = {
    "random, 3,000 rows": lambda: random_rows(3000),
    "Stokes, 67,199 rows": lambda: stokes(150),
    "skew-symmetric and 0.001, 10,000 rows": lambda: skew(100),
    "biharmonic, 10,000 rows": lambda: biharmonic(100),
    "biharmonic, 90,000 rows": lambda: biharmonic(300),
    "Neumann and 1e-9, 90,000 rows": lambda: neumann(300, 1e-9),
}


def numbered(rows):
    return ((i, j, row[j]) for i, row in enumerate(rows) for j in sorted(row))


class Way:
    """One way to solve a system, and what its solves took."""

    def __init__(self, choice):
        self.choice, self.times, self.report = choice, [], {}

    def solve(self, options, matrix, scratch, rhs="random"):
        report = scratch / "report.json"
        report.unlink(missing_ok=True)
        command = [options.tessera, "solve", str(matrix), "--rhs", str(rhs), "--threads", str(options.threads),
                   "-p", f"solver.time_limit_s={options.time_limit_s}", "--report", str(report)]
        for setting in self.choice.split():
            command += ["-p", setting]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False,
                                  timeout=10 * options.time_limit_s)
        except subprocess.TimeoutExpired:
            self.report = {"status": "stopped"}
            return
        if not report.is_file():
            self.report = {"status": "refused", "message": done.stderr.strip()[:200]}
            return
        self.report = json.loads(report.read_text(encoding="utf-8"))
        self.times.append(self.report["setup_ms"] + self.report["solve_ms"])

    def ms(self):
        return statistics.median(self.times) if self.times else None

    def is_solved(self):
        return self.report.get("status") in SOLVED

    def result(self):
        made = {"choice": self.choice or "defaults", "status": self.report.get("status")}
        for key in ("iterations", "true_relative_residual", "message"):
            if key in self.report:
                made[key] = self.report[key]
        if self.times:
            made.update(ms=round(self.ms(), 3), times_ms=[round(ms, 3) for ms in self.times])
        return made


def superlu_ms(rows, repeat):
    """Milliseconds that SuperLU takes for factors by COLAMD and a solve; None without scipy."""
    try:
        import numpy
        import scipy.sparse
        import scipy.sparse.linalg
    except ImportError:
        return None
    i = [i for i, row in enumerate(rows) for _ in row]
    j = [j for row in rows for j in row]
    values = [value for row in rows for value in row.values()]
    A = scipy.sparse.csc_matrix((values, (i, j)), shape=(len(rows), len(rows)))
    b = numpy.random.default_rng(1).uniform(-1, 1, len(rows))
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        scipy.sparse.linalg.splu(A, permc_spec="COLAMD").solve(b)
        times.append(1e3 * (time.perf_counter() - begin))
    return statistics.median(times)


def compare(options, name, rows, scratch):
    matrix = scratch / "matrix.mtx"
    write_matrix(matrix, len(rows), numbered(rows))
    ways = [Way(choice) for choice in ("", *options.choices)]
    # By chance: what a solve leaves of memory makes the next one slower.
    order = random.Random(1)
    for turn in range(options.repeat):
        for way in ways if turn == 0 else order.sample(ways, len(ways)):
            is_slow = turn > 0 and (not way.is_solved() or way.ms() > 10 * (ways[0].ms() or 0))
            if way is ways[0] or not is_slow:
                way.solve(options, matrix, scratch)
    solved = [way for way in ways[1:] if way.is_solved()]
    best = min(solved, key=Way.ms, default=None)
    made = {"system": name, "rows": len(rows), "ways": [way.result() for way in ways]}
    if best and ways[0].is_solved():
        made["best"] = best.choice
        made["over_best"] = round(ways[0].ms() / best.ms(), 3)
    if name.startswith("Stokes") and (ms := superlu_ms(rows, options.repeat)) is not None:
        made["superlu_ms"] = round(ms, 3)
    return made


def line(made):
    defaults = made["ways"][0]
    text = f"{made['system']}: {defaults['status']}, {defaults.get('iterations')} iterations, {defaults.get('ms')} ms"
    if "best" in made:
        best = next(way for way in made["ways"] if way["choice"] == made["best"])
        text += f", {made['over_best']:.2f} of {best['ms']} ms by {made['best']}"
    if "superlu_ms" in made:
        text += f"; SuperLU {made['superlu_ms']} ms"
    return text


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tessera", help="the command")
    parser.add_argument("--only", nargs="+", metavar="WORD", help="systems whose names begin so")
    parser.add_argument("--choices", nargs="+", default=CHOICES, metavar="'KEY=VALUE ...'", help="these alone")
    parser.add_argument("--repeat", type=int, default=5, help="solves of each [%(default)s]")
    parser.add_argument("--threads", type=int, default=1, help="[%(default)s]")
    parser.add_argument("--time-limit-s", type=float, default=20, help="for a solve [%(default)s]")
    parser.add_argument("--out", metavar="FILE", help="JSON file for the record")
    return parser.parse_args(argv)


def main(argv):
    options = parse(argv)
    version = subprocess.run([options.tessera, "--version"], capture_output=True, text=True, check=True).stdout
    record = {"comparison": "hard systems by the defaults and by single choices", "version": version.split("\n", maxsplit=1)[0],
              "command": "hard_systems.py TESSERA " + " ".join(argv[1:]), "processor": processor(),
              "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
              "threads": options.threads, "results": []}
    with tempfile.TemporaryDirectory(prefix="hard_systems.") as scratch:
        for name, make in SYSTEMS.items():
            if options.only and not any(name.startswith(word) for word in options.only):
                continue
            record["results"].append(compare(options, name, make(), pathlib.Path(scratch)))
            print(line(record["results"][-1]), flush=True)
            if options.out:
                pathlib.Path(options.out).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return 0 if all(made["ways"][0]["status"] in SOLVED for made in record["results"]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
