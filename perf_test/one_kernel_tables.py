# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of solves in one kernel, for docs/performance_tables.py."""
import statistics

import mille_feuille_records as mille_feuille
from table_cells import geometric_mean, label, number, ratio, spread, table

VENDOR = mille_feuille.VENDOR
VENDOR_GRAPH = VENDOR + " in a graph"
SOLVER = "Solver, one kernel"
# What one kernel is compared with on real matrices, and what that is called in short.
BESIDE = {
    "graph": "our own graphs",
    VENDOR_GRAPH: "an expert's loop of cuSPARSE and cuBLAS",
    VENDOR: f"plain {VENDOR}",
}


def way(results, name):
    return next((r for r in results if r["way"] == name), None)


def own_way(cases):
    """A solve in one kernel as `Solver` makes it; the kernel by itself in records before that was timed."""
    through_solver = any(way(case.get("results", []), SOLVER) for case in cases)
    return SOLVER if through_solver else "one kernel"


def met_tolerance(result, tolerance):
    """By the true residual: the vendor's loop ends by the recurrence's."""
    return result.get("met_tolerance", result["true_relative_residual"] <= tolerance)


ON_GRIDS = "persistent_cg-solves-h200-2026-11-29.json.xz"


@table(ON_GRIDS)
def one_kernel(record):
    rows = {}
    for case in record["tables"]:
        cells = []
        names = (own_way(record["tables"]), "graph", VENDOR_GRAPH, VENDOR)
        for end in (way(case["results"], w) for w in names):
            mark = "" if met_tolerance(end, record["tolerance"]) else "*"
            cells.append(number(end["us_per_iteration"]) + mark)
        row = rows.setdefault(case["matrix"], [label(case["matrix"]), f"{case['rows']:,}", {}])
        row[2][case["method"]] = " / ".join(cells)
    titles = ["problem", "rows", "CG: one kernel / graphs / the vendor's / plain", "BiCGSTAB"]
    methods = mille_feuille.METHODS
    return titles, [[*row[:2], *(row[2].get(m, "") for m in methods)] for row in rows.values()]


# Whole solves, all but the vendor's through `Solver`, and how many timings a row has at least.
SOLVES = (SOLVER, "graph", "launches", VENDOR_GRAPH)
LEAST_TIMINGS = 5


@table(ON_GRIDS)
def one_kernel_solves(record):
    rows = {}
    for case in record["tables"]:
        cells = []
        for end in (way(case["results"], w) for w in SOLVES):
            if len(end["sorted_ms"]) < LEAST_TIMINGS:
                raise ValueError(f"{case['matrix']}, {end['way']}: fewer timings than {LEAST_TIMINGS}")
            mark = "" if met_tolerance(end, record["tolerance"]) else "*"
            cells.append(number(end["ms"]) + mark)
        own = way(case["results"], SOLVES[0])
        row = rows.setdefault(case["matrix"], [label(case["matrix"]), f"{case['rows']:,}", {}])
        row[2][case["method"]] = [own["iterations"], " / ".join(cells)]
    titles = ["problem", "rows", "iterations of CG", "ms: one kernel / graphs / launches / the vendor's"]
    methods = mille_feuille.METHODS
    lines = [[*row[:2], *(c for m in methods for c in row[2].get(m, ["", ""]))] for row in rows.values()]
    return [*titles, "iterations of BiCGSTAB", "ms"], lines


def beside_the_vendors_graph(record, max_rows):
    """Of CG and BiCGSTAB: how many times as fast an iteration in one kernel is."""
    groups = [[c for c in record["tables"] if c["method"] == m] for m in mille_feuille.METHODS]
    small = [[c for c in cases if c["rows"] <= max_rows] for cases in groups]
    return [times_as_fast(iterating(cases, own_way(cases), VENDOR_GRAPH)) for cases in small]


# None has the folder's largest ones.
MILLE_FEUILLE = (
    "mille_feuille-none-h200-2026-11-30.json.xz",
    "mille_feuille-jacobi-h200-2026-11-30.json.xz",
    "mille_feuille-ilu-h200-2026-12-01.json.xz",
)


def of_method(record, method):
    return [s for s in record["matrices"] if s["method"] == method]


def converged(cases, name):
    ends = [way(case.get("results", []), name) for case in cases]
    return sum(bool(end and end.get("met_tolerance")) for end in ends)


def times_as_fast(pairs):
    return [b["us_per_iteration"] / a["us_per_iteration"] for a, b in pairs]


@table(*MILLE_FEUILLE)
def one_kernel_real(*records):
    rows = []
    for record in records:
        for method in mille_feuille.METHODS:
            cases = of_method(record, method)
            own = own_way(cases)
            graphs = iterating(cases, own, "graph")
            both = [p for p in graphs if all(end["met_tolerance"] for end in p)]
            vendors = [iterating(cases, own, name) for name in (VENDOR_GRAPH, VENDOR)]
            means = [spread_of_any(times_as_fast(pairs)) for pairs in (graphs, both, *vendors)]
            count = f"{len(cases)} of {len(of_method(records[0], method))}"
            preconditioner = cases[0]["preconditioner"]
            rows.append([preconditioner, method, count, converged(cases, own), *means])
    titles = ["preconditioner", "method", "matrices", "converge", "over graphs"]
    titles += ["the same, where both converge", f"over {VENDOR_GRAPH}"]
    return [*titles, f"over plain {VENDOR}"], rows


def spread_of_any(shares):
    return spread(shares) if shares else ""


def iterating(cases, *names):
    """The results by these ways, of the cases in which all of them iterate."""
    found = [[way(case.get("results", []), name) for name in names] for case in cases]
    return [ends for ends in found if all(end and end.get("us_per_iteration") for end in ends)]


@table("mille_feuille-none-e-h200-2026-11-23.json.xz")
def tiles_in_one_kernel(record):
    rows = []
    for method in mille_feuille.METHODS:
        cases = of_method(record, method)
        for kind in ("tiles", "falling tiles", "falling tiles by default"):
            pairs = iterating(cases, "one kernel", kind)
            times = [b["us_per_iteration"] / a["us_per_iteration"] for a, b in pairs]
            both = [
                b["iterations"] / a["iterations"]
                for a, b in pairs
                if a["met_tolerance"] and b["met_tolerance"]
            ]
            shares = [way(s["results"], kind)["bytes"] / s["csr_bytes"] for s in cases]
            means = geometric_mean(times), geometric_mean(both), statistics.fmean(shares)
            rows.append([method, kind, len(pairs), *map(ratio, means)])
    titles = ["method", "read", "matrices", "time per iteration over CSR's"]
    return [*titles, "iterations over CSR's", "bytes over CSR's"], rows


@table("mille_feuille-amg-b-h200-2026-11-23.json.xz")
def one_kernel_amg(record):
    rows = []
    for case in record["matrices"]:
        own, graph = (way(case["results"], w) for w in ("one kernel", "graph"))
        cells = [label(case["matrix"]), case["method"], f"{case['entries']:,}", own["iterations"]]
        rows.append([*cells, number(own["ms"]), number(graph["ms"])])
    return ["problem", "method", "entries", "iterations", "one kernel, ms", "graphs, ms"], rows
