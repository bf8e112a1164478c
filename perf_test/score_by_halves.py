#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""score_by_halves.py FILE...: how well choices by `auto` do on each half of a folder of matrices.

The thresholds that `auto` goes by were found on the same matrices that records score it on. A matrix
belongs to half A or B by a hash of its name alone, so that halves stay what they are when matrices come
or go: whoever changes a threshold looks at A, and reports B. Takes records of compare_real (in several
files of one system and solver the last counts), of compare_cusparse_spmv or of coarsenings.py, whose
problems and meshes have halves by their names, too, and prints a Markdown table.
"""
import argparse
import hashlib
import math
import sys

import plot_real
from records import read_json
from table_cells import geometric_mean, ratio, spread

HALVES = ("A", "B")
FACTORS = (1, 2, 12)


def half_of(name):
    """`A` or `B`, by the name without folder and endings."""
    stem = name.rsplit("/", 1)[-1].split(".mtx")[0]
    return HALVES[hashlib.sha256(stem.encode()).digest()[0] % 2]


def solved_within(systems, solver):
    """`121: 62, 95, 120`: what a solver solves, and how many within FACTORS of the fastest's time."""
    solved = [system for system in systems if plot_real.best_time(system) is not None]
    ratios = plot_real.ratios_of(solved, solver)
    within = [sum(r <= factor for r in ratios) for factor in FACTORS]
    return f"{len(ratios)}: " + ", ".join(map(str, within))


def matrices_by_half(systems):
    """{half: [system]} of the folder's matrices; problems of the gallery belong to neither."""
    matrices = [system for system in systems if system["source"] == "matrix"]
    return {half: [s for s in matrices if half_of(s["name"]) == half] for half in HALVES}


def solver_scores(systems, solvers):
    halves = matrices_by_half(systems)
    titles = ["solver", *(f"half {half}, {len(halves[half])} matrices" for half in HALVES)]
    return titles, [[s, *(solved_within(halves[h], s) for h in HALVES)] for s in solvers]


def share_of_best_format(matrix):
    """The time of a product in the format that `auto` chose over that in the fastest one."""
    own = {
        row["variant"]: row["ms"]
        for row in matrix["results"]
        if row["by"] == "tessera"
        and "ms" in row
        and all(row.get(key, "double") == "double" for key in ("storage", "vectors"))
    }
    chosen = next(ms for variant, ms in own.items() if variant.startswith("auto"))
    return chosen / min(own.values())


def format_scores(matrices):
    rows = []
    for half in HALVES:
        shares = [share_of_best_format(m) for m in matrices if half_of(m["name"]) == half]
        rows.append([half, len(shares), ratio(geometric_mean(shares)), ratio(max(shares))])
    return ["half", "matrices", "`auto`'s time over the fastest format's", "at the most"], rows


def ms_of(system, way):
    found = system["ways"][way]
    return found["ms"] if found["status"] == "converged" else math.inf


def coarsening_scores(systems):
    """What `auto` picked beside aggregation and beside the fastest kind, by half and by pick."""
    rows = []
    for half in HALVES:
        mine = [s for s in systems if s["half"] == half and ms_of(s, "auto") < math.inf]
        for pick in sorted({s["ways"]["auto"]["coarsening"] for s in mine}):
            these = [s for s in mine if s["ways"]["auto"]["coarsening"] == pick]
            beside = [ms_of(s, "auto") / ms_of(s, "smoothed_aggregation") for s in these]
            best = [ms_of(s, "auto") / min(ms_of(s, way) for way in s["ways"]) for s in these]
            rows.append([half, f"`{pick}`", len(these), spread(beside), spread(best)])
    titles = ["half", "picked", "systems", "`auto`'s time over aggregation's", "over the fastest's"]
    return titles, rows


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", help="records of one kind, .json or .json.xz")
    files = parser.parse_args().files
    record = read_json(files[0])
    if record.get("comparison") == "real":
        systems, solvers = plot_real.read_systems(files)
        titles, rows = solver_scores(list(systems.values()), solvers)
    elif record.get("comparison") == "coarsenings":
        systems = [s for f in files for s in read_json(f)["systems"] if "ways" in s]
        titles, rows = coarsening_scores(systems)
    elif record.get("kernel") == "spmv":
        titles, rows = format_scores([m for f in files for m in read_json(f)["matrices"]])
    else:
        sys.exit(f"{files[0]}: neither of compare_real, compare_cusparse_spmv nor coarsenings.py")
    print(plot_real.table(titles, rows))


if __name__ == "__main__":
    main()
