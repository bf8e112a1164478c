# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the real matrices on a host, for docs/performance_tables.py."""
import plot_real
from score_by_halves import HALVES, matrices_by_half, solved_within
from table_cells import RESULTS, table

REAL = (
    "compare_real-xeon-2026-11-21.json.gz",
    "compare_real-definite-peers-xeon-2026-11-21.json",
    "compare_real-definite-xeon-2026-11-21.json",
    "compare_real-tessera-xeon-2026-11-22.json.gz",
)
# Of these Tessera and hypre ran in one run on one machine.
BESIDE_HYPRE = REAL[2]
# A record older than its field `direct`: factors and inverses end within so many iterations.
MOST_ITERATIONS_OF_FACTORS = 3


def real_systems(records=REAL):
    systems, solvers = plot_real.read_systems([RESULTS / name for name in records])
    return list(systems.values()), solvers


def definite(systems):
    return [system for system in systems if system["definite"]]


def solved_by(systems, solver):
    return [s for s in systems if plot_real.time_of(s, solver) is not None]


def fastest(systems, solver):
    return [s for s in systems if plot_real.time_of(s, solver) == plot_real.best_time(s)]


def solved_directly(systems):
    """Those that Tessera solved by sparse factors or by a dense inverse."""
    own = [(s, s["results"]["tessera"]) for s in solved_by(systems, "tessera")]
    few = MOST_ITERATIONS_OF_FACTORS
    return [s for s, r in own if r.get("direct", r["iterations"] <= few)]


@table(*REAL)
def real_matrices(*_):
    systems, solvers = real_systems()
    halves = matrices_by_half(systems)
    groups = {"definite": definite(systems), "in all": systems}
    groups.update((f"in half {half}", halves[half]) for half in HALVES)
    rows = []
    for solver in sorted(solvers, key=lambda s: s != "tessera"):
        rows.append([solver, *(solved_within(group, solver) for group in groups.values())])
    return ["solver", *(f"of {len(group)} {name}" for name, group in groups.items())], rows


@table(*REAL, names_records=False)
def real_in_context(*_):
    """What the counts of real_matrices are made of."""
    systems, _ = real_systems()
    own = solved_by(systems, "tessera")
    first = fastest(own, "tessera")
    single = [s for s in solved_by(systems, "amgcl") if s["results"]["amgcl"]["iterations"] <= 1]
    both = solved_by(solved_by(real_systems([BESIDE_HYPRE])[0], "tessera"), "hypre")
    sooner = [s for s in both if fastest([s], "tessera")]
    rows = [
        ["solved by sparse factors or a dense inverse", len(solved_directly(own)), len(own)],
        ["the same, of those on which Tessera is the fastest", len(solved_directly(first)), len(first)],
        ["the others of these, by an iteration", len(first) - len(solved_directly(first)), len(first)],
        ["faster than hypre, of the definite that both solve in one run", len(sooner), len(both)],
        ["amgcl in a single iteration: direct", len(single), len(solved_by(systems, "amgcl"))],
    ]
    return ["of the systems that are solved", "number", "of"], rows


@table(*REAL)
def unsolved(*_):
    """What Tessera does not solve, with the true relative residual, and who does."""
    systems, _ = real_systems()
    own = {system["name"] for system in solved_by(systems, "tessera")}
    rows = []
    for group, name in ((True, "definite"), (False, "other")):
        among = [system for system in systems if system["definite"] == group]
        left = [system for system in among if system["name"] not in own]
        by_a_peer = sum(plot_real.best_time(system) is not None for system in left)
        cells = ", ".join(f"`{s['name']}` {end_of(s['results']['tessera'])}" for s in left)
        rows.append([f"{len(left)} of {len(among)} {name}", by_a_peer, cells])
    return ["unsolved", "of these, solved by a peer", "true relative residuals"], rows


def end_of(result):
    residual = result.get("true_relative_residual")
    return f"({result['status']})" if residual is None else f"{residual:.0e}"


@table(*REAL)
def furthest_behind(*_):
    lines = plot_real.worst_table(real_systems()[0], 10).split("\n")
    cells = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]
    return cells[0], cells[2:]
