# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of MFEM's problems beside BoomerAMG, measured by compare_mfem, for docs/performance_tables.py."""
from table_cells import number, ratio, table

PROCESSES = (1, 2, 4)
MFEM = tuple(f"compare_mfem-{p}process{'es' if p > 1 else ''}-epyc-2026-11-27.json.xz" for p in PROCESSES)
POISSON = "compare_mfem-poisson-epyc-2026-11-30.json.xz"
BEAM = "compare_mfem-beam-xeon-2026-11-30.json.xz"
MESHES = {"hexahedra": "grid of hexahedra", "moved_hexahedra": "hexahedra, moved", "tetrahedra": "tetrahedra, moved"}
TITLES = ["problem", "mesh", "unknowns"]
SOLVERS = ["Tessera", "BoomerAMG, MFEM's options; nodal", "BoomerAMG, tuned; rigid body modes"]


def by_problem(record):
    """{(problem, mesh): the rows of its preconditioners, as they were measured}"""
    found = {}
    for row in record["results"]:
        found.setdefault((row["name"], row["mesh"]), []).append(row)
    return found


def head(problem, rows):
    return [problem[0], MESHES[problem[1]], f"{rows[0]['rows']:,}"]


def total(row):
    return row["setup_ms"] + row["solve_ms"]


def timed(row):
    setup, solve = (number(1e-3 * row[key]) for key in ("setup_ms", "solve_ms"))
    return f"{row['iterations']}: {setup} + {solve}"


def beside_boomeramg(record):
    rows = []
    for problem, (ours, *others) in by_problem(record).items():
        cells = [timed(row) for row in (ours, *others)]
        cells += [ratio(total(ours) / total(row)) for row in others]
        cells += [ratio(ours["user_ms"] / row["user_ms"]) for row in others]
        rows.append([*head(problem, others), *cells])
    over = ["over the first's", "over the second's"]
    return [*TITLES, *SOLVERS, *(f"Tessera's time {o}" for o in over), *(f"user time {o}" for o in over)], rows


@table(POISSON)
def mfem_poisson(record):
    return beside_boomeramg(record)


@table(BEAM)
def mfem_beam(record):
    return beside_boomeramg(record)


@table(*MFEM)
def mfem_processes(*records):
    opened = [by_problem(record) for record in records]
    rows = []
    for problem, first in opened[0].items():
        counts = zip(*([row["iterations"] for row in measured[problem]] for measured in opened))
        rows.append([*head(problem, first), *(", ".join(map(str, c)) for c in counts)])
    return [*TITLES, *SOLVERS], rows
