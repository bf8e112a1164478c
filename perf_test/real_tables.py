# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the real matrices on a host, for docs/performance_tables.py.

The record has two right-hand sides of each system, and says by which method each was solved."""
import plot_real
from score_by_halves import HALVES, matrices_by_half, solved_within
from table_cells import RESULTS, table

REAL = "compare_real-both-epyc-2026-11-28.json.xz"
SINCE = "compare_real-tessera-epyc-2026-11-29.json.xz"
ATTAINABLE = "attainable_residual-epyc-2026-11-29.json"
NAMES = {"random": "random b", "ones": "b = A·1"}


def real_systems(rhs="random", select=plot_real.all_ways):
    by_rhs, solvers = plot_real.read_all([RESULTS / REAL])
    return select(list(by_rhs[rhs].values()), solvers)


def definite(systems):
    return [system for system in systems if system["definite"]]


def solved_by(systems, solver):
    return [s for s in systems if plot_real.time_of(s, solver) is not None]


def fastest(systems, solver):
    return [s for s in systems if plot_real.time_of(s, solver) == plot_real.best_time(s)]


def by_method(systems, solver):
    """{method: how many of them the solver solves by it}"""
    methods = [s["results"][solver]["method"] for s in solved_by(systems, solver)]
    return {method: methods.count(method) for method in (*plot_real.WHOLE, "iterative")}


def solved_directly(systems, solver="tessera"):
    """How many end with factors or an inverse of the whole matrix."""
    return sum(by_method(systems, solver)[method] for method in plot_real.WHOLE)


def scores(groups, solvers):
    """`groups`: {title: systems}"""
    rows = [
        [solver, *(solved_within(group, solver) for group in groups.values())]
        for solver in sorted(solvers, key=lambda s: s != "tessera")
    ]
    return ["solver", *(f"of {len(group)} {name}" for name, group in groups.items())], rows


def scores_of(select):
    groups = {}
    for rhs, name in NAMES.items():
        systems, solvers = real_systems(rhs, select)
        groups[f"definite, {name}"] = definite(systems)
        groups[f"in all, {name}"] = systems
    return scores(groups, solvers)


@table(REAL)
def real_matrices(_):
    return scores_of(plot_real.all_ways)


@table(REAL)
def real_iterative(_):
    return scores_of(plot_real.iterative_alone)


@table(REAL)
def real_halves(_):
    groups = {}
    for rhs, name in NAMES.items():
        systems, solvers = real_systems(rhs)
        halves = matrices_by_half(systems)
        groups.update((f"in half {half}, {name}", halves[half]) for half in HALVES)
    return scores(groups, solvers)


def own_ends(record):
    """{(system, right-hand side): Tessera's result}"""
    return {
        (system["name"], system["rhs"]): result
        for system in record["systems"]
        for result in system["results"]
        if result["solver"] == "tessera"
    }


@table(REAL, SINCE)
def real_since(before, since):
    """Tessera's ends in the profile beside those of a later state."""
    then, now = own_ends(before), own_ends(since)
    rows = []
    for rhs, name in NAMES.items():
        systems = [key for key in then if key[1] == rhs]
        same = [key for key in systems if all(then[key].get(k) == now[key].get(k) for k in ("status", "method", "iterations"))]
        solved = [sum(ends[key]["status"] == "solved" for key in systems) for ends in (then, now)]
        others = [f"`{key[0]}` {end_and_count(then[key])}, now {end_and_count(now[key])}" for key in systems if key not in same]
        rows.append([name, f"{len(same)} of {len(systems)}", *solved, "; ".join(others)])
    return ["right-hand side", "the same end, method and iterations", "solved then", "solved now", "others"], rows


def end_and_count(result):
    count = result.get("iterations")
    return result["status"] + (f" in {count}" if count is not None else "")


@table(REAL)
def real_in_context(_):
    """What the counts of real_matrices are made of."""
    rows = []
    of_rhs = [real_systems(rhs) for rhs in NAMES]
    for solver in of_rhs[0][1]:
        rows.append(method_row(f"solved by {solver}", [systems for systems, _ in of_rhs], solver))
    first = [fastest(solved_by(systems, "tessera"), "tessera") for systems, _ in of_rhs]
    rows.insert(1, method_row("of these, the fastest", first, "tessera"))
    titles = ["direct at once", "direct as a fallback", "a dense inverse", "an iteration"]
    return [f"{' / '.join(NAMES.values())}", "all", *titles], rows


def method_row(title, groups, solver):
    counts = [by_method(group, solver) for group in groups]
    numbers = [[sum(found.values()), *found.values()] for found in counts]
    return [title, *(" / ".join(map(str, both)) for both in zip(*numbers))]


def faster_than_hypre():
    """On how many definite systems that both solve Tessera is, and of how many."""
    systems = definite(real_systems()[0])
    both = solved_by(solved_by(systems, "tessera"), "hypre")
    sooner = [s for s in both if plot_real.time_of(s, "tessera") <= plot_real.time_of(s, "hypre")]
    return len(sooner), len(both)


@table(REAL)
def unsolved(_):
    """What Tessera does not solve, with the true relative residual, and who does."""
    rows = []
    for rhs, name in NAMES.items():
        systems, _ = real_systems(rhs)
        own = {system["name"] for system in solved_by(systems, "tessera")}
        for is_definite, kind in ((True, "definite"), (False, "other")):
            among = [system for system in systems if system["definite"] == is_definite]
            left = [system for system in among if system["name"] not in own]
            by_a_peer = sum(plot_real.best_time(system) is not None for system in left)
            cells = ", ".join(f"`{s['name']}` {end_of(s['results']['tessera'])}" for s in left)
            rows.append([f"{len(left)} of {len(among)} {kind}, {name}", by_a_peer, cells])
    return ["unsolved", "of these, solved by a peer", "true relative residuals"], rows


@table(REAL, ATTAINABLE)
def definite_by_iterations(_, attainable):
    """Definite matrices that Tessera does not solve by iterations alone, by their condition."""
    rounded = {of["name"]: of for of in attainable["results"]}
    alone, solvers = real_systems("random", plot_real.iterative_alone)
    own = {system["name"] for system in solved_by(alone, "tessera")}
    rows = []
    for system in definite(alone):
        if system["name"] in own or system["results"]["tessera"]["status"] == "direct":
            continue
        result, of = system["results"]["tessera"], rounded[system["name"]]
        peers = sum(bool(solved_by([system], solver)) for solver in solvers if solver != "tessera")
        cells = [f"{of['condition']:.0e}", f"{of['residual_of_rounded_solution']:.0e}", end_of(result)]
        rows.append([f"`{system['name']}`", *cells, result.get("iterations", ""), peers])
    rows.sort(key=lambda row: -float(row[1]))
    titles = ["matrix", "condition", "what the solution leaves, rounded", "what was left", "iterations"]
    return [*titles, "peers that solve it so"], rows


def end_of(result):
    residual = result.get("true_relative_residual")
    return f"({result['status']})" if residual is None else f"{residual:.0e}"


@table(REAL)
def furthest_behind(_):
    rows = []
    for rhs, name in NAMES.items():
        lines = plot_real.worst_table(real_systems(rhs)[0], 6).split("\n")
        cells = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]
        rows += [[name, *row] for row in cells[2:]]
    return ["b", *cells[0]], rows
