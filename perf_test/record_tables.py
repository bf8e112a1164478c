# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""The tables of docs/performance, for docs/performance_tables.py: each a function of records that
returns titles and rows. Times are in milliseconds unless a title says otherwise."""
import math
import pathlib
import re
import statistics

import mille_feuille_records as mille_feuille
import plot_real

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
GRIDS = {
    "poisson2d": "5-point {}²",
    "poisson3d": "7-point {}³",
    "poisson3d27": "27-point {}³",
    "poisson2d9": "9-point {}²",
    "blocks3_27pt": "3×3 blocks, 27-point {}³",
}
VENDOR = mille_feuille.VENDOR
TABLES = {}


def table(*names):
    """Registers a function of the opened records, in this order, that returns titles and rows."""

    def register(function):
        TABLES[function.__name__] = (names, function)
        return function

    return register


def label(name):
    """`7-point 128³` for `poisson3d` with `:128`, `:n=128` or ` n=128`; others as they are."""
    found = re.fullmatch(r"(\w+)[: ](?:n=)?(\d+)", name)
    if found and found[1] in GRIDS:
        return GRIDS[found[1]].format(found[2])
    return "`" + name.replace("0.7853981633974483", "0.785") + "`"


def number(value, digits=3):
    """With so many significant digits and no exponent; whole parts are kept whole."""
    if value >= 10**digits:
        return f"{value:,.0f}"
    places = max(0, digits - 1 - math.floor(math.log10(value))) if value else 0
    return f"{value:.{places}f}"


def ratio(value):
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def spread(values):
    """`1.44 (0.28 to 2.01)`: the geometric mean, the least and the most."""
    return f"{ratio(geometric_mean(values))} ({ratio(min(values))} to {ratio(max(values))})"


def medians(state):
    """{case: {key: median over rounds}} of one state of a record of compare_states.py."""
    keys = ("setup_ms", "solve_ms", "total_ms", "iterations")
    rounds = [{case["name"]: case for case in record["results"]} for record in state]
    return {
        name: {key: statistics.median(cases[name][key] for cases in rounds) for key in keys}
        for name in rounds[0]
    }


def by_name(record):
    return {case["name"]: case for case in record["results"]}


# Solves


@table(
    "solve-random-magnitudes-h200-2026-11-24.json",
    "solve-random-states-off-grid-h200-2026-11-23.json",
)
def gpu_solves(grids, meshes):
    rows = []
    for record in (grids, meshes):
        for name, case in medians(record["now"]).items():
            times = [number(case[key]) for key in ("setup_ms", "solve_ms", "total_ms")]
            rows.append([label(name), *times, f"{case['iterations']:g}"])
    return ["problem", "setup, ms", "solve, ms", "total, ms", "iterations"], rows


@table(
    "compare_amgcl-random-c-epyc-2cores-2026-11-20.json",
    "compare_amgcl-random-double-epyc-2cores-b-2026-11-20.json",
    "compare_hypre-random-c-epyc-2cores-2026-11-20.json",
    "compare_petsc-random-1thread-epyc-2026-11-20.json",
    "compare_muelu-random-1process-epyc-2026-11-20.json",
)
def host_peers(*records):
    cores = (
        "2 threads each",
        "2 threads each",
        "2 threads; 2 processes",
        "1 thread; 1 process",
        "1 process each",
    )
    rows = []
    for record, workers in zip(records, cores):
        own, peer = record["results"]
        precision = "double" if record["precision"] == "double" else "float below double"
        share = own["total_ms"] / peer["total_ms"]
        cells = [peer["name"], workers, precision, times_of(own), times_of(peer), ratio(share)]
        rows.append(cells)
    titles = ["peer", "cores", "Tessera's multigrid"]
    titles.append("Tessera: setup + solve = total, ms; iterations")
    return [*titles, "peer", "Tessera's total over the peer's"], rows


def times_of(result):
    setup, solve, total = (number(result[key]) for key in ("setup_ms", "solve_ms", "total_ms"))
    return f"{setup} + {solve} = {total}; {result['iterations']}"


PROCESSES = ("1process", "2processes", "4processes")


@table(*(f"compare_muelu_distributed-{n}-epyc-2026-11-22.json" for n in PROCESSES))
def distributed(*records):
    rows = {}
    for record in records:
        for case in record["solves"]:
            if "(" in case["preconditioner"]:  # in mixed precision
                continue
            cell = f"{number(case['setup_ms'])} + {number(case['solve_ms'])}, {case['iterations']}"
            rows.setdefault((case["problem"], case["preconditioner"]), []).append(cell)
    titles = [f"{r['processes']} process{'es' if r['processes'] > 1 else ''}" for r in records]
    return ["problem", "preconditioner", *titles], [[*key, *cells] for key, cells in rows.items()]


REAL = (
    "compare_real-xeon-2026-11-21.json.gz",
    "compare_real-definite-peers-xeon-2026-11-21.json",
    "compare_real-definite-xeon-2026-11-21.json",
    "compare_real-tessera-xeon-2026-11-22.json.gz",
)


def real_systems(records):
    paths = [RESULTS / name for name in records]
    systems, solvers = plot_real.read_systems(paths)
    return list(systems.values()), solvers


@table(*REAL)
def real_matrices(*_):
    systems, solvers = real_systems(REAL)
    definite = [system for system in systems if system["definite"]]
    rows = []
    for solver in sorted(solvers, key=lambda s: s != "tessera"):
        cells = []
        for group in (definite, systems):
            solved = [s for s in group if plot_real.best_time(s) is not None]
            ratios = plot_real.ratios_of(solved, solver)
            within = [sum(r <= factor for r in ratios) for factor in (1, 2, 12)]
            cells.append(f"{len(ratios)}: " + ", ".join(map(str, within)))
        rows.append([solver, *cells])
    return ["solver", f"of {len(definite)} definite", f"of {len(systems)} in all"], rows


@table(*REAL)
def furthest_behind(*_):
    lines = plot_real.worst_table(real_systems(REAL)[0], 10).split("\n")
    cells = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]
    return cells[0], cells[2:]


# Precision, storage, new values, several right-hand sides


@table(
    "solve-random-auto-m-h200-2026-11-23.json",
    "solve-random-double-c-h200-2026-11-23.json",
    "solve-random-half-b-h200-2026-11-23.json",
)
def precisions(*records):
    auto, double, half = map(by_name, records)
    rows = []
    for name in auto:
        cases = [record[name] for record in (auto, double, half)]
        cells = [f"{number(case['setup_ms'])} + {number(case['solve_ms'])}" for case in cases]
        gain = double[name]["solve_ms"] / auto[name]["solve_ms"]
        rows.append([label(name), *cells, ratio(gain), auto[name]["iterations"]])
    titles = ["problem", "`auto` (float)", "all in double", "stored in half"]
    return [*titles, "double's solve over `auto`'s", "iterations"], rows


@table("solve-random-symbolic-e-h200-2026-11-23.json")
def new_values(record):
    rows = []
    for case in record["results"]:
        peak = case["setup_peak_bytes"] / case["hierarchy_bytes"]
        share = case["update_ms"] / case["setup_ms"]
        times = [number(case[key]) for key in ("setup_ms", "update_ms")]
        rows.append([label(case["name"]), *times, ratio(share), ratio(peak)])
    titles = ["problem", "first setup, ms", "`update_values`, ms", "ratio"]
    return [*titles, "peak of memory over the hierarchy's"], rows


@table("several_rhs-b-h200-2026-11-23.json")
def several_rhs(record):
    counts = [solve["columns"] for solve in record["results"][0]["solves"]]
    rows = []
    for case in record["results"]:
        if case["way"].endswith((" on", " off")):  # tensor cores, by hand
            continue
        times = [number(solve["ms_per_right_hand_side"]) for solve in case["solves"]]
        rows.append([label(case["name"]), case["way"].split(",")[0], *times])
    return ["problem", "levels", *map(str, counts)], rows


# One kernel


def way(results, name):
    return next((r for r in results if r["way"] == name), None)


@table("persistent_cg-b-h200-2026-11-23.json")
def one_kernel(record):
    rows = {}
    for case in record["tables"]:
        ends = [way(case["results"], w) for w in ("one kernel", "graph", VENDOR)]
        mark = "" if ends[0]["end"] == "converged" else "*"
        us = [end["us_per_iteration"] for end in ends]
        cells = [number(us[0]) + mark, number(us[1]), number(us[2])]
        row = rows.setdefault(case["matrix"], [label(case["matrix"]), f"{case['rows']:,}", {}])
        row[2][case["method"]] = " / ".join(cells)
    titles = ["problem", "rows", f"CG: one kernel / graphs / {VENDOR}", "BiCGSTAB"]
    methods = mille_feuille.METHODS
    return titles, [[*row[:2], *(row[2].get(m, "") for m in methods)] for row in rows.values()]


MILLE_FEUILLE = (
    "mille_feuille-none-e-h200-2026-11-23.json.gz",
    "mille_feuille-jacobi-b-h200-2026-11-23.json.gz",
    "mille_feuille-ilu-c-h200-2026-11-23.json.gz",
)


@table(*MILLE_FEUILLE)
def one_kernel_real(*records):
    rows = []
    for record in records:
        for method in ("cg", "bicgstab"):
            cases = [s for s in record["matrices"] if s["method"] == method]
            cells = [cases[0]["preconditioner"], method, len(cases)]
            ends = [way(s.get("results", []), "one kernel") for s in cases]
            cells.append(sum(bool(r and r.get("met_tolerance")) for r in ends))
            for reference in ("graph", VENDOR):
                pairs = iterating(cases, "one kernel", reference)
                cells.append(
                    spread([b["us_per_iteration"] / a["us_per_iteration"] for a, b in pairs])
                )
            rows.append(cells)
    titles = ["preconditioner", "method", "matrices", "converged"]
    return [*titles, "over graphs", f"over {VENDOR}"], rows


def iterating(cases, *names):
    """The results by these ways, of the cases in which all of them iterate."""
    found = [[way(case.get("results", []), name) for name in names] for case in cases]
    return [ends for ends in found if all(end and end.get("us_per_iteration") for end in ends)]


@table("mille_feuille-none-e-h200-2026-11-23.json.gz")
def tiles_in_one_kernel(record):
    rows = []
    for method in mille_feuille.METHODS:
        cases = [s for s in record["matrices"] if s["method"] == method]
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


@table("mille_feuille-amg-b-h200-2026-11-23.json")
def one_kernel_amg(record):
    rows = []
    for case in record["matrices"]:
        own, graph = (way(case["results"], w) for w in ("one kernel", "graph"))
        cells = [label(case["matrix"]), case["method"], f"{case['entries']:,}", own["iterations"]]
        rows.append([*cells, number(own["ms"]), number(graph["ms"])])
    return ["problem", "method", "entries", "iterations", "one kernel, ms", "graphs, ms"], rows


# Products


def product_rows(record):
    for matrix in record["matrices"]:
        double = [
            r
            for r in matrix["results"]
            if all(r.get(key, "double") == "double" for key in ("storage", "vectors"))
        ]
        peer = min(r["ms"] for r in double if r["by"] != "tessera" and "ms" in r)
        own = {r["variant"]: r["ms"] for r in double if r["by"] == "tessera" and "ms" in r}
        chosen = next(ms for variant, ms in own.items() if variant.startswith("auto"))
        yield matrix["name"], peer, own["csr"], chosen


SPMV = (
    "compare_cusparse_spmv-c-h200-2026-11-21.json.gz",
    "compare_cusparse_spmv-real-b-h200-2026-11-21.json.gz",
)
SPGEMM = (
    "compare_cusparse_spgemm-d-h200-2026-11-21.json",
    "compare_cusparse_spgemm-real-c-h200-2026-11-21.json.gz",
)


@table(*SPMV)
def spmv(grids, real):
    rows = []
    for name, *times in product_rows(grids):
        rows.append([label(name), *(f"{ms:.4f}" for ms in times), ratio(times[0] / times[2])])
    shares = [peer / chosen for _, peer, _, chosen in product_rows(real)]
    rows.append([f"{len(shares)} real matrices, geometric mean", "", "", "", spread(shares)])
    titles = ["matrix", "cuSPARSE's best, ms", "CSR, ms", "format by `auto`, ms"]
    return [*titles, "cuSPARSE over `auto`"], rows


def sparse_products(record):
    for product in record["products"]:
        ms = {v["variant"]: v.get("ms") for v in product["variants"]}
        peer = min(ms[v] for v in ms if v.startswith("cusparse") and ms[v])
        yield product["matrix"], peer, ms["csr"], ms["mbsr"]


@table(*SPGEMM)
def spgemm(grids, real):
    rows = []
    for name, *times in sparse_products(grids):
        rows.append([label(name), *map(number, times), ratio(times[0] / times[1])])
    shares = [peer / csr for _, peer, csr, _ in sparse_products(real)]
    rows.append([f"{len(shares)} real matrices, geometric mean", "", "", "", spread(shares)])
    return ["A·A", "cuSPARSE's best, ms", "CSR, ms", "tiles, ms", "cuSPARSE over CSR"], rows


@table(SPMV[1], SPGEMM[1])
def slowest_products(vectors, matrices):
    products = sorted((peer / chosen, name) for name, peer, _, chosen in product_rows(vectors))
    sparse = sorted((peer / csr, name) for name, peer, csr, _ in sparse_products(matrices))
    pairs = zip(products[:6], sparse[:6])
    rows = [[f"`{a[1]}`", ratio(a[0]), f"`{b[1]}`", ratio(b[0])] for a, b in pairs]
    return ["A x", "cuSPARSE over Tessera", "A·A", "cuSPARSE over Tessera"], rows


@table(
    "compare_eigen_spmv-2threads-b-epyc-2026-11-20.json",
    "compare_amgcl_spmv-2threads-b-epyc-2026-11-20.json",
)
def host_spmv(eigen, amgcl):
    rows = []
    for (name, *first), (_, *second) in zip(product_rows(eigen), product_rows(amgcl)):
        cells = [" / ".join(map(number, times)) for times in (first, second)]
        rows.append([label(name), *cells])
    own = "CSR / format by `auto`, ms"
    return ["matrix", f"Eigen / {own}", f"amgcl / {own}"], rows
