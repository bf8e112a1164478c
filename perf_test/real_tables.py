# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the real matrices on a host, for docs/performance_tables.py."""
import plot_real
from score_by_halves import HALVES, matrices_by_half, solved_within
from table_cells import RESULTS, table

REAL = (
    "compare_real-xeon-2026-11-21.json.xz",
    "compare_real-definite-peers-xeon-2026-11-21.json.xz",
    "compare_real-definite-xeon-2026-11-21.json.xz",
    "compare_real-tessera-xeon-2026-11-22.json.xz",
)
# Of these Tessera and hypre ran in one run on one machine.
BESIDE_HYPRE = REAL[2]
# What the command solves each system with that is solved in REAL, by its reports.
PRECONDITIONERS = "preconditioners-real-epyc-2026-11-25.json.xz"
# How the same systems end in a newer state, without peers.
NEWEST = "real-defaults-b-epyc-2026-11-27.json.xz"
# Factors from the start end within so many iterations; as a fallback they come after ten others and more.
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


def solved_directly(systems, preconditioners):
    """How many end with sparse factors: picked at the start, and as a fallback."""
    names = {system["name"] for system in systems}
    direct = [
        end["iterations"]
        for end in preconditioners["systems"]
        if end["name"] in names and end["preconditioner"] == "direct"
    ]
    at_once = sum(iterations <= MOST_ITERATIONS_OF_FACTORS for iterations in direct)
    return at_once, len(direct) - at_once


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


@table(PRECONDITIONERS, *REAL)
def real_in_context(preconditioners, *_):
    """What the counts of real_matrices are made of."""
    systems, _ = real_systems()
    rows = []
    own = solved_by(systems, "tessera")
    for group, name in ((own, "solved by Tessera"), (fastest(own, "tessera"), "of these, the fastest")):
        at_once, later = solved_directly(group, preconditioners)
        cells = [f"{name}: {len(group)}", at_once, later, len(group) - at_once - later]
        rows.append(cells)
    single = [s for s in solved_by(systems, "amgcl") if s["results"]["amgcl"]["iterations"] <= 1]
    amgcl = len(solved_by(systems, "amgcl"))
    rows.append([f"solved by amgcl: {amgcl}", len(single), 0, amgcl - len(single)])
    return ["systems", "direct at once", "direct as a fallback", "by an iteration"], rows


def faster_than_hypre():
    """In one run: on how many definite systems that both solve Tessera is, and of how many."""
    both = solved_by(solved_by(real_systems([BESIDE_HYPRE])[0], "tessera"), "hypre")
    return len(fastest(both, "tessera")), len(both)


def ends(record, rhs="random"):
    """{system: how it ended} of a record like NEWEST."""
    return {end["system"]: end for end in record["results"] if end["rhs"] == rhs}


def converged(record, rhs="random"):
    return {name for name, end in ends(record, rhs).items() if end["status"] == "converged"}


@table(NEWEST, *REAL)
def unsolved(newest, *_):
    """What Tessera does not solve, with the true relative residual, and who does."""
    systems, _ = real_systems()
    own, end = converged(newest), ends(newest)
    rows = []
    for group, name in ((True, "definite"), (False, "other")):
        among = [system for system in systems if system["definite"] == group]
        left = [system for system in among if system["name"] not in own]
        by_a_peer = sum(plot_real.best_time(system) is not None for system in left)
        cells = ", ".join(
            f"`{s['name']}` {end[s['name']]['true_relative_residual']:.0e}" for s in left
        )
        rows.append([f"{len(left)} of {len(among)} {name}", by_a_peer, cells])
    return ["unsolved", "of these, solved by a peer", "true relative residuals"], rows


@table(*REAL)
def furthest_behind(*_):
    lines = plot_real.worst_table(real_systems()[0], 10).split("\n")
    cells = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]
    return cells[0], cells[2:]
