# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""The tables of docs/performance, for docs/performance_tables.py."""
import anisotropy_tables  # noqa: F401
import choices_tables  # noqa: F401
import classical_tables  # noqa: F401
import data_flow_hypre_tables  # noqa: F401
import data_flow_tables  # noqa: F401
import flow_tables  # noqa: F401
import generated_tables  # noqa: F401
import message_tables  # noqa: F401
import mfem_tables  # noqa: F401
import muelu_tables  # noqa: F401
import one_kernel_tables as one_kernel
import process_tables  # noqa: F401
import real_tables as real
import restriction_tables  # noqa: F401
import scale_tables  # noqa: F401
import scaling_step_tables  # noqa: F401
import scaling_tables
import several_gpu_flow_tables  # noqa: F401
import state_tables  # noqa: F401
import stratimikos_tables
from table_cells import TABLES, by_name, geometric_mean, label, number, ratio, spread, table, times_of  # noqa: F401

# Solves


GPU_SOLVES = "compare_gpu_hypre-h200-2026-11-29.json.xz"


@table(GPU_SOLVES)
def gpu_solves(record):
    rows = []
    for case in record["results"]:
        own, peer = case["tessera"], case["hypre"]
        times = [number(own[key]) for key in ("setup_ms", "solve_ms", "total_ms")]
        beside = [times_of(peer), peer["choice"]]
        share = ratio(case["total_ratio"])
        rows.append([label(case["name"]), *times, own["iterations"], *beside, share])
    titles = ["problem", "setup, ms", "solve, ms", "total, ms", "iterations"]
    titles += ["hypre: setup + solve = total, ms; iterations", "with", "Tessera's total over hypre's"]
    return titles, rows


@table("cold-starts-h200-2026-11-29.json")
def cold_starts(record):
    rows = []
    for case in record["results"]:
        times = [number(case[key]) if key in case else "" for key in ("warm_up_ms", "setup_ms", "solve_ms")]
        way = case["way"].replace("--warm-up", "`--warm-up`").replace("CUDA_MODULE_LOADING=EAGER", "`CUDA_MODULE_LOADING=EAGER`")
        whole = number(case["wall_ms"]) if case["runs"][1:] else ""
        rows.append([label(case["name"]), way.replace("--repeat 5", "`--repeat 5`"), *times, whole])
    return ["problem", "process", "warm-up, ms", "setup, ms", "solve, ms", "the whole process, ms"], rows


@table("hubs-epyc-2026-11-29.json")
def hubs(record):
    """Setups where a few rows reach everything."""
    rows = []
    for case in record["results"]:
        times = [number(case[key]) for key in ("min_setup_ms", "median_setup_ms")]
        rows.append([case["system"], f"{case['rows']:,}", case["iterations"], *times])
    return ["system", "rows", "iterations", "least setup, ms", "median"], rows


HOST_PEERS = (
    "compare_amgcl-random-c-epyc-2cores-2026-11-20.json",
    "compare_amgcl-random-double-epyc-2cores-b-2026-11-20.json",
    "compare_hypre-random-c-epyc-2cores-2026-11-20.json",
    "compare_petsc-random-1thread-epyc-2026-11-20.json",
    "compare_muelu-random-1process-epyc-2026-11-20.json",
)


@table(*HOST_PEERS)
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


@table("solve-random-symbolic-f-h100-2026-11-26.json")
def new_values(record):
    rows = []
    for case in record["results"]:
        times = [case[key] for key in ("update_ms", "setup_ms", "setup_without_reuse_ms")]
        shares = [ratio(times[0] / setup) for setup in times[1:]]
        peak = case["setup_peak_bytes"] / case["hierarchy_bytes"]
        rows.append([label(case["name"]), *map(number, times), *shares, ratio(peak)])
    titles = ["problem", "`update_values`, ms", "setup with `symbolic`, ms", "by default, ms"]
    titles += ["update over setup with `symbolic`", "over setup by default"]
    return [*titles, "peak of memory over the hierarchy's"], rows


@table("several_rhs-b-h200-2026-11-23.json.xz")
def several_rhs(record):
    counts = [solve["columns"] for solve in record["results"][0]["solves"]]
    rows = []
    for case in record["results"]:
        if case["way"].endswith((" on", " off")):  # tensor cores, by hand
            continue
        times = [number(solve["ms_per_right_hand_side"]) for solve in case["solves"]]
        rows.append([label(case["name"]), case["way"].split(",")[0], *times])
    return ["problem", "levels", *map(str, counts)], rows


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
    "compare_cusparse_spmv-c-h200-2026-11-21.json.xz",
    "compare_cusparse_spmv-real-b-h200-2026-11-21.json.xz",
)
SPGEMM = (
    "compare_cusparse_spgemm-d-h200-2026-11-21.json.xz",
    "compare_cusparse_spgemm-real-c-h200-2026-11-21.json.xz",
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


# What a reader needs first

SUMMED = (
    GPU_SOLVES,
    one_kernel.ON_GRIDS,
    one_kernel.MILLE_FEUILLE[0],
    *HOST_PEERS,
    SPMV[1],
    SPGEMM[1],
    *stratimikos_tables.STRATIMIKOS,
    scaling_tables.SCALING,
    real.REAL,
)


@table(*SUMMED, names_records=False)
def headlines(*opened):
    records = dict(zip(SUMMED, opened))
    return ["what", "beside", "result"], [
        gpu_solves_in_short(records[GPU_SOLVES]),
        on_grids_in_short(records[one_kernel.ON_GRIDS]),
        *in_one_kernel(records[one_kernel.MILLE_FEUILLE[0]]),
        *products_in_short(records[SPMV[1]], records[SPGEMM[1]]),
        *hosts_in_short([records[name] for name in HOST_PEERS]),
        *real_in_short(),
        stratimikos_tables.stratimikos_in_short([records[name] for name in stratimikos_tables.STRATIMIKOS]),
        scaling_tables.several_gpus_in_short(records[scaling_tables.SCALING]),
    ]


def gpu_solves_in_short(record):
    shares = [case["total_ratio"] for case in record["results"]]
    what = f"setup and solve, {len(shares)} problems, H200"
    return [what, "hypre", f"{ratio(min(shares))} to {ratio(max(shares))} of its time"]


def on_grids_in_short(record):
    max_rows = 262_144
    shares = map(spread, one_kernel.beside_the_vendors_graph(record, max_rows))
    what = f"an iteration in one kernel, grids of up to {max_rows:,} rows, H200"
    beside = "an expert's loop of cuSPARSE and cuBLAS"
    return [what, beside, "CG {}, BiCGSTAB {} times as fast".format(*shares)]


def in_one_kernel(record):
    cases = [one_kernel.of_method(record, method) for method in ("cg", "bicgstab")]
    what = "an iteration in one kernel, real matrices, H200"
    for way, beside in one_kernel.BESIDE.items():
        means = []
        for group in cases:
            pairs = one_kernel.iterating(group, one_kernel.own_way(group), way)
            means.append(ratio(geometric_mean(one_kernel.times_as_fast(pairs))))
        yield [what, beside, f"CG {means[0]}, BiCGSTAB {means[1]} times as fast"]
        what = "the same"
    counts = [
        f"{one_kernel.converged(group, one_kernel.own_way(group))} of {len(group)}" for group in cases
    ]
    yield ["of these systems converge, without a preconditioner", "", " and ".join(counts)]


def products_in_short(vectors, matrices):
    shares = [peer / chosen for _, peer, _, chosen in product_rows(vectors)]
    yield [f"A x, {len(shares)} real matrices, H200", "cuSPARSE", f"{spread(shares)} times as fast"]
    shares = [peer / csr for _, peer, csr, _ in sparse_products(matrices)]
    yield [f"A·A, {len(shares)} real matrices, H200", "cuSPARSE", f"{spread(shares)} times as fast"]


def hosts_in_short(records):
    in_float = [r["results"] for r in records if r["precision"] != "double"]
    names = [peer["name"].split(" (")[0] for _, peer in in_float]
    shares = [ratio(own["total_ms"] / peer["total_ms"]) for own, peer in in_float]
    what = "setup and solve, 7-point 100³, one or two cores, multigrid in float"
    yield [what, ", ".join(names), f"{', '.join(shares)} of their time in double"]


def real_in_short():
    what = "{} systems, most of them real, one core, {}"
    for rhs, name in real.NAMES.items():
        systems, solvers = real.real_systems(rhs)
        own = real.solved_by(systems, "tessera")
        most = max(len(real.solved_by(systems, s)) for s in solvers if s != "tessera")
        first = real.fastest(own, "tessera")
        peers = ", ".join(s for s in solvers if s not in ("tessera", "hypre-gpu") and "-direct" not in s)
        result = f"solves {len(own)}, the next {most}; fastest on {len(first)}"
        yield [what.format(len(systems), name), f"{peers}, also with direct fallbacks", result]
        direct = " and ".join(str(real.solved_directly(group)) for group in (own, first))
        yield ["of these, by factors or a dense inverse of the whole matrix", "", direct]
    sooner, both = real.faster_than_hypre()
    what = "definite systems that both solve, one core"
    yield [what, "hypre", f"faster on {sooner} of {both}"]
