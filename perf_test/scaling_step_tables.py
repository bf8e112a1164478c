# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables by setup step of runs over several GPUs, and of several processes on one, from the record of
scaling_tables.py, for docs/performance_tables.py."""
from scaling_tables import SCALING, iterations, name_of, results_of, strong_series, weak_series
from table_cells import number, table

ONE_GPU = "scaling-one-gpu-h200-2026-12-01.json.xz"
# The same runs under the multi-process service.
ONE_GPU_MPS = "scaling-one-gpu-mps-h200-2026-12-01.json.xz"
# As setup makes them; the records' own order is the alphabet's.
STEPS = (
    "numbers of rows and columns",
    "near-nullspace vectors",
    "analyse",
    "spectral radius",
    "transpose",
    "coarsening",
    "interpolation",
    "restriction",
    "Galerkin product",
    "rows moved",
    "storage, smoothers and coarse solver",
)
# Of a setup: steps that take less everywhere have no row.
LEAST_SHARE = 0.02


def steps_in_order(results):
    """Names of the setup steps that take more than LEAST_SHARE of some setup; those that are not known
    come last."""
    names = {}
    for steps in (row["steps"] for row in results):
        least = LEAST_SHARE * steps["setup_ms"]
        names.update({name: 0 for name, ms in steps["setup_steps_ms"].items() if ms > least})
    return sorted(names, key=lambda name: STEPS.index(name) if name in STEPS else len(STEPS))


def cells_of(runs, counts, value):
    """`value` of the run of each count, empty where there is none or it has no steps."""

    def cell(row):
        try:
            return value(row)
        except KeyError:
            return ""

    return [cell(runs[count]) if count in runs else "" for count in counts]


def step_rows(runs, counts):
    timed = [row for row in runs.values() if "steps" in row]
    for name in steps_in_order(timed):
        yield [name, *cells_of(runs, counts, lambda row: number(row["steps"]["setup_steps_ms"][name]))]
    yield ["setup with these waits", *cells_of(runs, counts, lambda row: number(row["steps"]["setup_ms"]))]


def solve_rows(runs, counts):
    def whole(row):
        return row["steps"]["solve_ms"]

    def kernels(row):
        return sum(row["steps"]["solve_kernels_ms"].values())

    whats = {
        "solve with a wait after each kernel": whole,
        "its kernels": kernels,
        "the rest: messages, waits, the host": lambda row: max(0, whole(row) - kernels(row)),
    }
    for what, value in whats.items():
        yield [what, *cells_of(runs, counts, lambda row: number(value(row)))]


def with_names(groups, rows_of):
    """Rows of all groups, the name in the first of each."""
    out = []
    for name, runs in groups.items():
        for row in rows_of(runs):
            out.append([name, *row])
            name = ""
    return out


@table(SCALING)
def setup_steps(record):
    rows = results_of(record)
    groups = {**weak_series(rows), **strong_series(rows)}
    groups = {name: runs for name, runs in groups.items() if any("steps" in row for row in runs.values())}
    counts = sorted({count for runs in groups.values() for count in runs})

    def rows_of(runs):
        yield from step_rows(runs, counts)
        yield ["setup", *cells_of(runs, counts, lambda row: number(row["setup_ms"]))]

    titles = [f"{count} GPU{'s' if count > 1 else ''}" for count in counts]
    return ["problem", "ms of setup", *titles], with_names(groups, rows_of)


def sharing_one_gpu(rows):
    """{name: {processes: result}} of problems that several processes of one GPU have solved."""
    found, alone = {}, {}
    for row in rows:
        if row["gpus_used"] == 1 and row["processes"] > 1:
            key = (row["problem"], row["options"], row["communicator"])
            found.setdefault(key, {})[row["processes"]] = row
        elif row["processes"] == 1 and row["recorded"]:
            alone[row["problem"], row["options"], row["communicator"]] = row
    for (*problem, communicator), runs in found.items():
        keys = [(*problem, by) for by in (communicator, "alone", "nccl")]
        runs.update({1: alone[key] for key in reversed(keys) if key in alone})
    return {name_of(next(iter(runs.values()))): runs for runs in found.values()}


@table(ONE_GPU, ONE_GPU_MPS)
def one_gpu(record, with_service):
    """A column for each number of processes in turn, then those side by side under the service."""
    groups, side_by_side = (sharing_one_gpu(results_of(of)) for of in (record, with_service))
    for name, runs in side_by_side.items():
        groups[name].update({(count, "MPS"): row for count, row in runs.items() if count > 1})
    plain = sorted({count for runs in groups.values() for count in runs if isinstance(count, int)})
    counts = [*plain, *((count, "MPS") for count in plain if count > 1)]

    def rows_of(runs):
        yield ["iterations", *cells_of(runs, counts, iterations)]
        yield ["setup, ms", *cells_of(runs, counts, lambda row: number(row["setup_ms"]))]
        yield ["solve, ms", *cells_of(runs, counts, lambda row: number(row["solve_ms"]))]
        if any("steps" in row for row in runs.values()):
            yield from step_rows(runs, counts)
            yield from solve_rows(runs, counts)

    titles = [f"{count} process{'es' if count > 1 else ''}" for count in plain]
    titles += [f"{count} with MPS" for count in plain if count > 1]
    return ["problem", "on one GPU", *titles], with_names(groups, rows_of)
