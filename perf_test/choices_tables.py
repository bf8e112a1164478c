#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""choices_tables.py RECORD...: Markdown tables of records by choices.py, FILE.json or FILE.json.xz.

The same tables are those of docs/performance_tables.py, of the records named here.
"""
import argparse
import math

from records import read_json
from table_cells import label, number, ratio, spread, table

COARSENINGS = "choices-coarsenings-h200-2026-11-29.json.xz"
SMOOTHERS = "choices-smoothers-h200-2026-11-29.json.xz"
CONVECTION = "choices-convection-h200-2026-11-29.json.xz"
# After rules of what a device picks had been made from COARSENINGS.
COARSENINGS_SINCE = "choices-coarsenings-b-h200-2026-11-29.json.xz"
GROWTH = "choices-growth-h200-2026-11-29.json.xz"
GROWTH_SINCE = "choices-growth-b-h200-2026-11-29.json.xz"
SIMPLICES = "choices-simplices-h200-2026-11-29.json.xz"
ADVECTION = "choices-advection-xeon-2026-11-30.json.xz"
FEWEST = "choices-fewest-h200-2026-11-30.json.xz"
IN_SPACE = "choices-space-h200-2026-12-01.json.xz"
REDUCTIONS = "choices-reductions-h200-2026-12-01.json.xz"
# (problem, whether streamlines close)
FLOWS_ON_SIMPLICES = {("triangles", False): "triangles, straight", ("triangles", True): "triangles, vortex", ("tetrahedra", False): "tetrahedra, straight"}
FLOWS_ON_SIMPLICES |= {("tetrahedra", True): "tetrahedra, vortex"}
# Short, for titles.
NAMES = {"smoothed_aggregation": "aggregation", "auto": "`auto`"}
AS_GOOD = 1.1


def total_of(way):
    return way["total_ms"] if way and way["status"] == "converged" else math.inf


def cell(way, best_ms=0.0):
    """`18, 8.2 + 3.1`: iterations, setup and solve; in bold where no more than a tenth is lost to the best."""
    if way is None:
        return ""
    if "iterations" not in way:
        return "–"
    if way["status"] != "converged":
        return way["status"].replace("_", " ")
    times = f"{way['iterations']}, {number(way['setup_ms'])} + {number(way['solve_ms'])}"
    return f"**{times}**" if way["total_ms"] <= AS_GOOD * best_ms else times


def solved(record):
    return [system for system in record["systems"] if "ways" in system]


def best_of(system):
    return min(map(total_of, system["ways"].values()), default=math.inf)


def picked_by(way):
    """`classical, jacobi twice`"""
    if "coarsening" not in way:
        return way.get("preconditioner", way["status"])
    names = NAMES.get(way["coarsening"], way["coarsening"]), way["smoother"]
    return ", ".join(names) + (f" {way['sweeps']} times" if way.get("sweeps", 1) > 1 else "")


def title_of(way):
    for name, short in NAMES.items():
        way = way.replace(name, short)
    return way


@table(COARSENINGS)
def coarsenings_on_device(record):
    """Each system by each coarsening."""
    systems = solved(record)
    ways = [way for way in record["ways"] if way != "auto" and any(way in s["ways"] for s in systems)]
    rows = []
    for system in systems:
        auto, best = system["ways"].get("auto", {"status": "not run"}), best_of(system)
        share = ratio(total_of(auto) / best) if total_of(auto) < math.inf else "–"
        cells = [cell(system["ways"].get(way), best) for way in ways]
        rows.append([label(system["name"]), f"{system['rows']:,}", picked_by(auto), *cells, share])
    return ["system", "rows", "`auto` picks", *map(title_of, ways), "`auto`'s total over the least"], rows


@table(COARSENINGS)
def coarsenings_on_device_by_half(record):
    """What `auto` picks beside aggregation and beside the fastest way, of systems that all of these solve."""
    groups = {}
    for system in solved(record):
        ways = system["ways"]
        auto, aggregation = ways.get("auto"), ways.get("smoothed_aggregation")
        if total_of(auto) == math.inf:
            continue
        group = groups.setdefault((system["half"], NAMES.get(auto.get("coarsening"), auto.get("coarsening"))), ([], []))
        group[0].append(total_of(auto) / best_of(system))
        if total_of(aggregation) < math.inf:
            group[1].append(total_of(auto) / total_of(aggregation))
    rows = [[half, picked, len(over_best), spread(beside) if beside else "", spread(over_best)]
            for (half, picked), (over_best, beside) in sorted(groups.items())]
    return ["half", "picked", "systems", "`auto`'s total over aggregation's", "over the least"], rows


@table(COARSENINGS_SINCE)
def coarsenings_by_half_since(record):
    """The same of a record that later rules were picked by."""
    return coarsenings_on_device_by_half(record)


@table(COARSENINGS, COARSENINGS_SINCE, names_records=False)
def picked_otherwise(before, now):
    """Of the later record the systems for which another way was picked than in the earlier one."""
    picked = {system["name"]: picked_by(system["ways"]["auto"]) for system in solved(before)}
    rows = []
    for system in solved(now):
        auto, aggregation = (system["ways"][way] for way in ("auto", "smoothed_aggregation"))
        if picked_by(auto) == picked.get(system["name"], picked_by(auto)):
            continue
        shares = [ratio(total_of(auto) / total) for total in (total_of(aggregation), best_of(system))]
        rows.append([label(system["name"]), system["half"], picked[system["name"]], picked_by(auto), cell(aggregation), cell(auto), *shares])
    return ["system", "half", "picked before", "now", "aggregation", "`auto`", "`auto`'s total over aggregation's", "over the least"], rows


@table(SMOOTHERS)
def smoothers_on_device(record):
    """A row for each smoother, a column for each problem."""
    systems = solved(record)
    rows = [[title_of(way), *(cell(s["ways"].get(way), best_of(s)) for s in systems)] for way in record["ways"]]
    return ["smoother", *(f"{label(s['name'])}, {s['rows']:,}" for s in systems)], rows


def by_peclet(record, text_of):
    """A row for each flow and size, a column for each Péclet number, in each cell all ways."""
    flows, numbers = {}, []
    for system in solved(record):
        problem, _, settings = system["name"].partition(":")
        pairs = [s for s in settings.split(",") if not s.startswith("peclet=")]
        peclet = next(s for s in settings.split(",") if s.startswith("peclet=")).split("=")[1]
        n = next(s for s in pairs if s.startswith("n="))[2:]
        flow = FLOWS_ON_SIMPLICES.get((problem, "vortex" in pairs), f"`{problem}`")
        name = f"{flow}, {n}{'³' if problem.endswith(('3d', 'hedra')) else '²'}" + ", numbered by chance" * ("shuffled" in pairs)
        numbers += [peclet] * (peclet not in numbers)
        ways = system["ways"]
        flows.setdefault(name, {})[peclet] = ", ".join(text_of(ways.get(way)) for way in record["ways"])
    numbers.sort(key=float)
    kinds = ", ".join(map(title_of, record["ways"]))
    return [f"flow: {kinds}", *numbers], [[name, *(cells.get(p, "") for p in numbers)] for name, cells in sorted(flows.items())]


@table(SIMPLICES)
def flows_on_simplices(record):
    """Iterations."""
    return by_peclet(record, lambda way: str(way["iterations"]) if total_of(way) < math.inf else "–")


@table(ADVECTION)
def flows_next_to_no_diffusion(record):
    """Iterations."""
    return flows_on_simplices(record)


@table(FEWEST)
def fewest_iterations(record):
    """Iterations."""
    return flows_on_simplices(record)


@table(FEWEST, names_records=False)
def flows_beside_auto(record):
    """How many iterations each takes at the most, how much they grow, and the total over that of `auto`."""
    return ways_beside_auto(record)


@table(IN_SPACE)
def iterations_in_space(record):
    """Iterations."""
    return flows_on_simplices(record)


@table(IN_SPACE, names_records=False)
def flows_in_space_beside_auto(record):
    """As flows_beside_auto, of flows that are all in space."""
    titles, rows = ways_beside_auto(record)
    plane = titles.index("total over `auto`'s, in the plane")
    titles = [*titles[:plane], "total over `auto`'s"]
    return titles, [[*row[:plane], row[-1]] for row in rows]


@table(REDUCTIONS)
def couplings_left_out(record):
    """Iterations, and setup + solve in ms."""
    rows = [[label(system["name"]), *(f"{way['iterations']}, {number(way['setup_ms'])} + {number(way['solve_ms'])}" for way in system["ways"].values())]
            for system in solved(record)]
    return ["flow", *map(title_of, record["ways"])], rows


@table(CONVECTION)
def convection_on_device(record):
    """Iterations."""
    return by_peclet(record, lambda way: str(way["iterations"]) if total_of(way) < math.inf else "–")


@table(CONVECTION, names_records=False)
def convection_times_on_device(record):
    """Setup and solve together, in ms."""
    return by_peclet(record, lambda way: number(way["total_ms"]) if total_of(way) < math.inf else "–")


def parts_of(name):
    """`vortex:n=128,peclet=1e2,shuffled` as (flow, size, Péclet number)."""
    problem, _, settings = name.partition(":")
    values = dict(s.split("=") for s in settings.split(",") if "=" in s)
    flow = FLOWS_ON_SIMPLICES.get((problem, "vortex" in settings), f"`{problem}`") + ", numbered by chance" * ("shuffled" in settings)
    return flow, int(values["n"]), values["peclet"]


def flows_of(record):
    return [system for system in solved(record) if ":" in system["name"]]


def growth_of(systems, way):
    """{(flow, Péclet number): by how many iterations the largest size takes more than the smallest}, of two sizes or more."""
    sizes = {}
    for system in systems:
        flow, n, peclet = parts_of(system["name"])
        if total_of(system["ways"].get(way)) < math.inf:
            sizes.setdefault((flow, peclet), {})[n] = system["ways"][way]["iterations"]
    return {key: counts[max(counts)] - counts[min(counts)] for key, counts in sizes.items() if len(counts) > 1}


@table(GROWTH)
def ways_beside_auto(record):
    """Each way on all flows: iterations, their growth, and the total over that of `auto`."""
    systems, rows = flows_of(record), []
    for way in record["ways"]:
        ended = [s["ways"][way] for s in systems if total_of(s["ways"].get(way)) < math.inf]
        ratios = {False: [], True: []}
        for system in systems:
            auto, other = (total_of(system["ways"].get(w)) for w in ("auto", way))
            if auto < math.inf and other < math.inf:
                ratios[any(word in system["name"] for word in ("3d", "tetrahedra"))].append(other / auto)
        growth = growth_of(systems, way)
        worst = max(growth, key=growth.get, default=None)
        grown = f"{growth[worst]}: {worst[0]}, {worst[1]}" if worst else ""
        counts = [len(ended), max((e["iterations"] for e in ended), default=""), sum(e["iterations"] > 15 for e in ended)]
        rows.append([title_of(way), *counts, grown, *(spread(r) if r else "" for r in ratios.values())])
    return ["settings", f"solved of {len(systems)}", "most iterations", "above 15", "largest growth", "total over `auto`'s, in the plane", "in space"], rows


@table(GROWTH, names_records=False)
def growth_by_size(record):
    """Of flows with three sizes or more: iterations of `auto` and of two ways from the smallest to the largest."""
    ways = ("auto", "aggregation, 2 sweeps", "classical, 2 sweeps, F-cycle")
    flows = {}
    for system in flows_of(record):
        flow, n, peclet = parts_of(system["name"])
        flows.setdefault((flow, float(peclet), peclet), {})[n] = system["ways"]
    rows = []
    for (flow, _, peclet), sizes in sorted(flows.items()):
        if len(sizes) > 2:
            ordered = [sizes[n] for n in sorted(sizes)]
            counts = [", ".join(str(w[way]["iterations"]) if total_of(w.get(way)) < math.inf else "–" for w in ordered) for way in ways]
            rows.append([f"{flow}, {peclet}", ", ".join(f"{n}²" for n in sorted(sizes)), *counts])
    return ["flow", "points", *map(title_of, ways)], rows


@table(GROWTH_SINCE)
def growth_by_size_since(record):
    """The same with what `auto` picks since."""
    return growth_by_size(record)


def growth_of_each(record):
    """Each flow and Péclet number from one size to the next: iterations and total of each way; then what is no flow."""
    systems = flows_of(record)
    systems.sort(key=lambda s: (parts_of(s["name"])[0], float(parts_of(s["name"])[2]), parts_of(s["name"])[1]))
    systems += [system for system in solved(record) if ":" not in system["name"]]
    rows = []
    for system in systems:
        ways = [system["ways"].get(way) for way in record["ways"]]
        cells = [f"{w['iterations']}, {number(w['total_ms'])}" if total_of(w) < math.inf else "–" if w else "" for w in ways]
        rows.append([label(system["name"]), picked_by(system["ways"].get("auto", {"status": "not run"})), *cells])
    return ["system", "`auto` picks", *map(title_of, record["ways"])], rows


TABLES_OF = {
    "coarsenings": (coarsenings_on_device, coarsenings_on_device_by_half),
    "smoothers": (smoothers_on_device,),
    "convection": (convection_on_device, convection_times_on_device),
    "simplices": (flows_on_simplices, ways_beside_auto),
    "fewest": (fewest_iterations, flows_beside_auto),
    "space": (iterations_in_space, flows_in_space_beside_auto),
    "growth": (ways_beside_auto, growth_by_size, growth_of_each),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+", help="of choices.py")
    for path in parser.parse_args().records:
        record = read_json(path)
        for function in TABLES_OF.get(record["comparison"], (growth_of_each,)):
            titles, rows = function(record)
            print(f"<!-- table: {function.__name__} -->")
            for row in (titles, ["---"] * len(titles), *rows):
                print("| " + " | ".join(map(str, row)) + " |")
            print("<!-- end -->\n")


if __name__ == "__main__":
    main()
