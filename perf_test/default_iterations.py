#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""How many iterations the defaults take of badly scaled systems, of flows and of discontinuous elements.

    default_iterations.py build/openmp/bin/tessera --out default_iterations.json

Poisson's equation in units of its own, a vortex, and discontinuous elements, each solved by the defaults; the last two by
multigrid and by incomplete factors alone, too. Iterations, what was picked, and the median times of --repeat solves; what is
not solved, or takes ten times as long as the defaults, is tried once. Prints a line for each system, and for each group its
worst system beside the figure asked for: so many iterations, none by sparse factors.
"""
import argparse
import datetime
import itertools
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
from functools import cache, partial

import discontinuous_elements
import vortex
from compare_results import processor
from hard_systems import SOLVED, Way
from matrix_file import write_matrix, write_vector

# {group: iterations asked for}
GROUPS = {"scaled, 2-D": 20, "scaled, 3-D": 20, "vortex, upwind": 25, "vortex, central": 25, "squares": 25, "tetrahedra": 25}
WAYS = {"defaults": "", "multigrid": "preconditioner=amg direct.max_memory_mb=0", "ilu": "preconditioner=ilu"}
SIDES = {2: (100, 200), 3: (24, 44)}
# Cells a side, by the order.
CELLS = {"squares": {1: (64, 128), 2: (32, 64), 3: (24, 48)}, "tetrahedra": {1: (8, 12), 2: (6, 8), 3: (4, 6)}}
FLOW_PECLETS = ("1e2", "1e3", "1e5", "1e7")
CELL_PECLETS = ("10", "1e2", "1e3", "1e4", "1e5", "1e6", "1e7")


class System:
    """One system of a group; `write(matrix, rhs)` writes its files and returns what --rhs takes."""

    def __init__(self, group, name, write, **parameters):
        self.group, self.name, self.write, self.parameters = group, name, write, parameters


def poisson(n, dimensions):
    """(row, column, value) of the stencil of 5 or 7 points."""
    for row, at in enumerate(itertools.product(range(n), repeat=dimensions)):
        yield row, row, 2.0 * dimensions
        for d, x in enumerate(at):
            step = n ** (dimensions - 1 - d)
            if x > 0:
                yield row, row - step, -1.0
            if x + 1 < n:
                yield row, row + step, -1.0


def units(count, k, seed):
    """Numbers by chance between 10^-k and 10^k, evenly so in their logarithms."""
    chance = random.Random(seed)
    return [10 ** chance.uniform(-k, k) for _ in range(count)]


def write_scaled(n, dimensions, k, scaled, matrix, rhs):
    """D A, A D, D A D or D A E, and b = A x for random x."""
    rows = n**dimensions
    d, ones = units(rows, k, 11), [1.0] * rows
    left = d if scaled.startswith("D") else ones
    right = {"A": ones, "D": d, "E": units(rows, k, 12)}[scaled[-1]]
    # The factors first, for D A D to stay symmetric.
    made = [(i, j, left[i] * right[j] * value) for i, j, value in poisson(n, dimensions)]
    chance = random.Random(1)
    x, b = [chance.uniform(-1, 1) for _ in range(rows)], [0.0] * rows
    for i, j, value in made:
        b[i] += value * x[j]
    write_matrix(matrix, rows, made)
    write_vector(rhs, b)
    return rhs


def write_flow(n, peclet, is_central, matrix, _):
    write_matrix(matrix, n * n, vortex.entries(n, peclet, is_central))
    return "random"


def write_elements(made, peclet, matrix, _):
    rows, parts = made()
    write_matrix(matrix, rows, discontinuous_elements.entries(parts, peclet))
    return "random"


def scaled_systems():
    for dimensions, sides in SIDES.items():
        for n in sides:
            yield System(f"scaled, {dimensions}-D", f"A, {n}^{dimensions}", partial(write_scaled, n, dimensions, 0, "D A D"),
                         scaled="A", k=0, n=n, dimensions=dimensions)
            for k, scaled in itertools.product((3, 8), ("D A D", "D A", "A D", "D A E")):
                yield System(f"scaled, {dimensions}-D", f"{scaled}, k = {k}, {n}^{dimensions}",
                             partial(write_scaled, n, dimensions, k, scaled), scaled=scaled, k=k, n=n, dimensions=dimensions)


def flows():
    for scheme, n in (("upwind", 150), ("upwind", 512), ("central", 150)):
        for peclet in FLOW_PECLETS:
            yield System(f"vortex, {scheme}", f"vortex, {scheme}, {n}^2, Peclet {peclet}",
                         partial(write_flow, n, float(peclet), scheme == "central"), scheme=scheme, n=n, peclet=float(peclet))


def elements():
    for element, orders in CELLS.items():
        for order, n in ((order, n) for order, sizes in orders.items() for n in sizes):
            # Flow and diffusion are integrated once.
            made = cache(partial(discontinuous_elements.ELEMENTS[element], n, order))
            for peclet in CELL_PECLETS:
                yield System(element, f"{element}, order {order}, {n} a side, Peclet {peclet}",
                             partial(write_elements, made, float(peclet)), element=element, order=order, n=n,
                             cells=n * n if element == "squares" else 6 * n**3, peclet=float(peclet))


def outcome(way):
    """What a way of solving took and picked."""
    report = way.report
    made = {"status": report.get("status")}
    for key in ("message", "iterations", "true_relative_residual", "solver", "preconditioner", "precision"):
        if key in report:
            made[key] = report[key]
    if "parameters" in report:
        is_multigrid = report["preconditioner"] == "amg"
        amg = report["parameters"]["amg"]
        made.update(equilibration=report["parameters"]["equilibration"],
                    coarsening=amg["coarsening"] if is_multigrid else None,
                    smoother=amg["smoother"]["type"] if is_multigrid else None,
                    sparse_factors=report["preconditioner"] == "direct",
                    fallbacks=[note for note in report["notes"] if " after " in note])
    if way.times:
        made.update(setup_ms=round(statistics.median(way.setups), 3), solve_ms=round(statistics.median(way.solves), 3),
                    ms=round(way.ms(), 3))
    return made


class TimedWay(Way):
    """With setups and solves apart."""

    def __init__(self, choice):
        super().__init__(choice)
        self.setups, self.solves = [], []

    def solve(self, options, matrix, scratch, rhs="random"):
        known = len(self.times)
        super().solve(options, matrix, scratch, rhs)
        if len(self.times) > known:
            self.setups.append(self.report["setup_ms"])
            self.solves.append(self.report["solve_ms"])


def solve(options, system, scratch):
    matrix = scratch / "matrix.mtx"
    rhs = system.write(matrix, scratch / "rhs.mtx")
    names = ["defaults"] if system.group.startswith("scaled") else WAYS
    ways = {name: TimedWay(WAYS[name]) for name in names}
    for turn, way in itertools.product(range(options.repeat), ways.values()):
        is_slow = turn > 0 and (not way.is_solved() or way.ms() > 10 * (ways["defaults"].ms() or 0))
        if way is ways["defaults"] or not is_slow:
            way.solve(options, matrix, scratch, rhs)
    made = {"group": system.group, "system": system.name, "parameters": system.parameters,
            "rows": ways["defaults"].report.get("problem", {}).get("rows")}
    return made | {name: outcome(way) for name, way in ways.items()}


def text(result):
    """Iterations and milliseconds, or why there are none."""
    if result["status"] not in SOLVED:
        return f"{result['status']} after {result.get('iterations')}"
    return f"{result['iterations']} iterations, {result['ms']:.1f} ms" + ", by factors" * result["sparse_factors"]


def line(made):
    defaults = made["defaults"]
    picked = [defaults.get(key) for key in ("solver", "preconditioner", "coarsening", "smoother")]
    others = [f"; {name} {text(made[name])}" for name in WAYS if name in made and name != "defaults"]
    return f"{made['system']}: {text(defaults)} ({' '.join(word for word in picked if word)})" + "".join(others)


def is_quicker(made, name):
    """Than the defaults."""
    return made[name]["status"] in SOLVED and made[name]["ms"] < made["defaults"].get("ms", float("inf"))


def summary(results):
    """A table of the worst of each group, by each way; iterations of what was solved."""
    rows = [("group", "way", "systems", "most iterations", "asked for", "of", "by factors", "unsolved",
             "quicker than the defaults")]
    rows.append(["---"] * len(rows[0]))
    for (group, asked), name in itertools.product(GROUPS.items(), WAYS):
        own = [made for made in results if made["group"] == group and name in made]
        solved = [made for made in own if made[name]["status"] in SOLVED]
        if not own:
            continue
        worst = max(solved, key=lambda made: made[name]["iterations"], default=None)
        rows.append((group, name, len(own), worst[name]["iterations"] if worst else "", asked, worst["system"] if worst else "",
                     sum(made[name].get("sparse_factors", False) for made in own), len(own) - len(solved),
                     sum(is_quicker(made, name) for made in own) if name != "defaults" else ""))
    return [f"| {' | '.join(str(cell) for cell in row)} |" for row in rows]


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tessera", help="the command")
    parser.add_argument("--only", nargs="+", metavar="WORD", help="systems whose names begin so")
    parser.add_argument("--repeat", type=int, default=3, help="solves of each [%(default)s]")
    parser.add_argument("--threads", type=int, default=1, help="[%(default)s]")
    parser.add_argument("--time-limit-s", type=float, default=60, help="for a solve [%(default)s]")
    parser.add_argument("--commit", metavar="HASH", help="of the command, where its build does not know it")
    parser.add_argument("--out", metavar="FILE", help="JSON file for the record")
    return parser.parse_args(argv)


def main(argv):
    options = parse(argv)
    version = subprocess.run([options.tessera, "--version"], capture_output=True, text=True, check=True).stdout
    version = version.split("\n", maxsplit=1)[0]
    if options.commit:
        version = version.replace("(unknown)", f"({options.commit})")
    record = {"comparison": "iterations by the defaults", "version": version,
              "command": "default_iterations.py TESSERA " + " ".join(argv[1:]), "processor": processor(),
              "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
              "threads": options.threads, "repeat": options.repeat, "asked_for": GROUPS, "results": []}
    with tempfile.TemporaryDirectory(prefix="default_iterations.") as scratch:
        for system in itertools.chain(scaled_systems(), flows(), elements()):
            if options.only and not any(system.name.startswith(word) for word in options.only):
                continue
            record["results"].append(solve(options, system, pathlib.Path(scratch)))
            print(line(record["results"][-1]), flush=True)
            if options.out:
                pathlib.Path(options.out).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print("\n".join(summary(record["results"])))
    return 0 if all(made["defaults"]["status"] in SOLVED for made in record["results"]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
