# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of data_flow, setup and cycles on tiles beside rows and in mixed precision beside double, for
docs/performance_tables.py."""
import statistics

from table_cells import label, number, ratio, spread, table

# Levels by AmgT's components, and those that are picked.
CLASSICAL = "data_flow-classical-h100-2026-11-28.json.xz"
AGGREGATION = "data_flow-aggregation-h100-2026-11-28.json.xz"
# The first of these with another smoother in the solves to a tolerance.
FSAI = "data_flow-fsai-h200-2026-12-01.json.xz"
LEVELS = ("classical", "aggregation")
DOUBLE, MIXED = ("rows", "tiles"), ("tiles", "tiles, mixed")
BOUNDS = (2, 4, 8, 12)  # of entries per tile
TIMED = ("rows", "tiles", "tiles, mixed")
# Lu et al., "AmgT: algebraic multigrid solver on tensor cores", SC 24, sections V.B and V.C, geometric
# means and largest over 16 matrices on an H100: its tiles over hypre on cuSPARSE, and its mixed precision
# over its double.
PAPER = {
    "total": ((1.32, 2.06), (1.04, 1.15)),
    "setup": ((1.53, 3.02), None),
    "SpGEMM": ((2.40, 6.11), (1.06, 1.28)),
    "solve": ((1.13, 1.64), None),
    "SpMV": ((1.19, 2.09), (1.08, 1.27)),
}


@table(CLASSICAL)
def data_flow_systems(record):
    rows = []
    for system in record["systems"]:
        flows = {flow["flow"]: flow for flow in system["flows"]}
        if not flows:
            continue
        rows.append([label(system["system"]), *facts(system, next(iter(flows.values())))])
        rows[-1] += [times(flows, key) for key in ("setup_ms", "solve_ms")]
        rows[-1].append(", ".join(krylov(flows.get(name)) for name in MIXED))
        conversion = system.get("conversion")
        rows[-1].append(number(conversion["conversion_over_spmv_tiles"]) if conversion else "none")
    flows = "rows, tiles, tiles mixed"
    titles = ["system", "rows", "entries per tile", "levels", f"setup, ms: {flows}"]
    titles += [f"{record['cycles']} cycles, ms: {flows}", "Krylov iterations: double, mixed"]
    return [*titles, "a conversion to tiles over a product on them"], rows


def facts(system, flow):
    return [f"{system['rows']:,}", f"{system['entries_per_tile']:.1f}", len(flow["levels"])]


def times(flows, key):
    return ", ".join(number(flows[name][key]) if name in flows else "none" for name in TIMED)


def krylov(flow):
    """Iterations, with what the solve ended as where it did not converge."""
    if flow is None:
        return "none"
    solve = flow["krylov"]
    end = "" if solve["status"] == "converged" else f" ({solve['status'].replace('_', ' ')})"
    return f"{solve['iterations']}{end}"


@table(AGGREGATION)
def data_flow_aggregation(record):
    return data_flow_systems(record)


@table(CLASSICAL, FSAI)
def data_flow_smoothers(classical, fsai):
    """Krylov solves of the systems that both records have, with the paper's smoother and another one."""
    published = {system["system"]: system for system in classical["systems"]}
    rows = []
    for system in fsai["systems"]:
        if system["system"] not in published or not system["flows"]:
            continue
        cells = [label(system["system"])]
        for one in (published[system["system"]], system):
            flows = {flow["flow"]: flow for flow in one["flows"]}
            cells += [krylov(flows.get(name)) for name in TIMED]
        rows.append(cells)
    smoothers = ("l1-Jacobi", "FSAI")
    return ["system", *(f"{smoother}: {flow}" for smoother in smoothers for flow in TIMED)], rows


@table(CLASSICAL, AGGREGATION)
def data_flow_means(classical, aggregation):
    rows = []
    for step, published in PAPER.items():
        cells = []
        for (reference, flow), paper in zip((DOUBLE, MIXED), published):
            for record in (classical, aggregation):
                cells.append(mean_of(record, f"{flow} over {reference}: {step}"))
            cells.append(up_to(*paper) if paper else "")
        rows.append([step, *cells])
    names = [f"{name}, {systems_of(r)}" for name, r in zip(LEVELS, (classical, aggregation))]
    over_rows = [f"tiles over our rows: {name}" for name in names]
    over_double = [f"tiles, mixed over double: {name}" for name in names]
    titles = ["times as fast, geometric means and largest", *over_rows, "AmgT over hypre on cuSPARSE"]
    return [*titles, *over_double, "AmgT"], rows


@table(CLASSICAL, AGGREGATION, names_records=False)
def data_flow_mixed_rows(*records):
    """Mixed precision without tiles, which the paper does not have."""
    titles = ["rows, mixed over double, times as fast", *PAPER]
    cells = [[mean_of(record, f"rows, mixed over rows: {step}") for step in PAPER] for record in records]
    return titles, [[name, *row] for name, row in zip(LEVELS, cells)]


@table(CLASSICAL, AGGREGATION, names_records=False)
def data_flow_shares(*records):
    """Of the paper the averages of figure 1 and section V.G."""
    rows = []
    for name, share, paper in SHARES:
        values = [[share(system) for system in record["systems"]] for record in records]
        rows.append([name, *map(percentages, values), paper])
    return ["mean, least and most", *LEVELS, "AmgT"], rows


def sparse_share(flow):
    return sparse_products_ms(flow) / flow["setup_ms"]


def conversion_share(system):
    tiles = flow_of(system, "tiles")
    return system["conversion"]["conversion_ms"] / (tiles["setup_ms"] + tiles["solve_ms"])


SHARES = (
    ("SpGEMM of setup, rows", lambda system: sparse_share(flow_of(system, "rows")), "59 % (hypre)"),
    ("SpGEMM of setup, tiles", lambda system: sparse_share(flow_of(system, "tiles")), ""),
    ("one conversion of the finest matrix, of setup and cycles", conversion_share, "5 % (all 2 L - 1)"),
)


def percentages(shares):
    mean, least, most = (100 * f(shares) for f in (statistics.fmean, min, max))
    return f"{number(mean, 2)} % ({number(least, 2)} to {number(most, 2)})"


def systems_of(record):
    counts = {mean["count"] for mean in record["means"].values()}
    return f"{'/'.join(map(str, sorted(counts)))} systems"


def mean_of(record, name):
    mean = record["means"].get(name)
    return up_to(mean["geometric_mean"], mean["largest"]) if mean else "none"


def up_to(mean, largest):
    return f"{ratio(mean)}, up to {ratio(largest)}"


@table(CLASSICAL, AGGREGATION, names_records=False)
def data_flow_by_tiles(*records):
    """How many times as fast tiles are, by what the finest matrix has per tile."""
    rows = []
    for record, levels in zip(records, LEVELS):
        for least, end in zip(BOUNDS, BOUNDS[1:]):
            found = [s for s in record["systems"] if least <= s["entries_per_tile"] < end]
            pairs = [[flow_of(s, name) for name in DOUBLE] for s in found]
            cells = [levels, f"{least} to {end}", len(pairs)]
            for time in (sparse_products_ms, lambda f: f["setup_ms"], lambda f: f["solve_ms"]):
                cells.append(spread([time(rows_flow) / time(tiles) for rows_flow, tiles in pairs]))
            rows.append(cells)
    titles = ["levels", "entries per tile of the finest matrix", "systems", "SpGEMM"]
    return [*titles, "setup", f"{records[0]['cycles']} cycles"], rows


def flow_of(system, name):
    return next(flow for flow in system["flows"] if flow["flow"] == name)


def sparse_products_ms(flow):
    steps = ("spgemm_AP", "spgemm_RAP")
    return sum(level[step]["ms"] for level in flow["levels"] for step in steps if step in level)
