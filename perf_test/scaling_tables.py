# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of setup and solve over several GPUs, measured by scaling.cpp and merged by merge_scaling.py,
for docs/performance_tables.py.

Runs of one problem belong together where its options are the same. A series is {processes: result} of
runs by NCCL with messages beside the product, recorded, a GPU each.
"""
import re
import statistics

from table_cells import label, number, ratio

OPTIONS = ("tolerance", "precision", "settings", "gather_rows")
CONFIGURATION = ("communicator", "processes", "gpus_used", "problem", "scaling", "overlaps", "recorded")
WAYS = {  # {title: communicator, messages beside the product, recorded}; None is either
    "no communicator (`alone`)": ("alone", None, True),
    "`alone`, launched": ("alone", None, False),
    "NCCL beside": ("nccl", True, True),
    "NCCL in line": ("nccl", False, True),
    "NCCL beside, launched": ("nccl", True, False),
    "NCCL in line, launched": ("nccl", False, False),
    "MPI through the host": ("mpi", None, None),
}
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
# Weak scaling rounds n: rows per process within this of the first run's are the same problem.
MOST_ROUNDING = 0.05


def configuration(result):
    return tuple(str(result.get(key)) for key in (*CONFIGURATION, *OPTIONS))


def results_of(record):
    """Those of the record's one commit, each with its options that few have as text. Of a configuration
    that ran more than once, the last run that has steps, else the last."""
    (run,) = record["runs"]
    found = {}
    for row in run["results"]:
        before = found.setdefault(configuration(row), row)
        if "steps" in row or "steps" not in before:
            found[configuration(row)] = row
    rows = found.values()
    usual = {key: statistics.mode(str(row.get(key)) for row in rows) for key in OPTIONS}
    return [{**row, "options": unusual(row, usual)} for row in rows]


def unusual(row, usual):
    differ = [key for key in OPTIONS if key in row and str(row[key]) != usual[key]]
    return "".join(f", {key} {value_text(row[key])}" for key in differ)


def value_text(value):
    return " ".join(value) or "none" if isinstance(value, list) else value


def runs_by(title, rows):
    """Of the way with that title, a GPU a process."""
    for row in rows:
        asked = zip(WAYS[title], (row["communicator"], row["overlaps"], row["recorded"]))
        if row["gpus_used"] == row["processes"] and all(want in (None, has) for want, has in asked):
            yield row


def name_of(row, size=""):
    return label(row["problem"]) + size + row["options"]


def strong_series(rows):
    """{name: series} of problems that several numbers of GPUs have solved, whatever says their size."""
    found = {}
    for row in runs_by("NCCL beside", rows):
        found.setdefault((row["problem"], row["options"]), {})[row["processes"]] = row
    return named(found.values(), name_of)


def weak_series(rows):
    """{name: series} of problems that have as many times the rows on as many GPUs."""
    found = []
    for row in sorted(runs_by("NCCL beside", rows), key=lambda row: row["processes"]):
        if row["processes"] > 1 and row["scaling"] != "weak":
            continue
        series = next((series for series in found if continues(series, row)), None)
        if series is None:
            found.append(series := {})
        series[row["processes"]] = row
    return named(found, lambda row: name_of(row, per_gpu(row)))


def continues(series, row):
    first = next(iter(series.values()))
    rows, others = (one["rows"] / one["processes"] for one in (row, first))
    return family(row) == family(first) and abs(rows - others) < MOST_ROUNDING * others


def family(row):
    """The problem without its n, and the options."""
    return re.sub(r"[:,]n=\d+$", "", row["problem"]), row["options"]


def per_gpu(row):
    return " per GPU" if row["processes"] == 1 else f" on {row['processes']}, as many rows per GPU"


def named(found, name):
    ordered = [dict(sorted(series.items())) for series in found if len(series) > 1]
    return {name(next(iter(series.values()))): series for series in ordered}


def iteration_ms(row):
    return row["solve_ms"] / max(1, row["iterations"])


def iterations(row):
    return f"{row['iterations']:,}" + ("" if row["status"] == "converged" else f" (`{row['status']}`)")


def beside_one_gpu(rows, all_series):
    by_mpi = {}
    for row in runs_by("MPI through the host", rows):
        by_mpi[row["problem"], row["options"], row["processes"]] = row
    out = []
    for name, series in all_series.items():
        for processes, row in series.items():
            times = [row["setup_ms"], iteration_ms(row), row["solve_ms"]]
            shares = [""] * 3
            if 1 in series:
                one = [series[1]["setup_ms"], iteration_ms(series[1]), series[1]["solve_ms"]]
                shares = [ratio(before / now) for before, now in zip(one, times)]
            mpi = by_mpi.get((row["problem"], row["options"], processes))
            cells = [processes, number(1e-6 * row["rows"]), iterations(row), *map(number, times), *shares]
            out.append([name, *cells, number(mpi["solve_ms"]) if mpi else ""])
            name = ""
    return out


def titles_beside_one_gpu(what):
    titles = ["problem", "GPUs", "million rows", "iterations", "setup, ms", "ms per iteration", "solve, ms"]
    return [*titles, f"{what} of setup", "of an iteration", "of the solve", "solve by MPI, ms"]


def weak(record):
    rows = results_of(record)
    return titles_beside_one_gpu("efficiency"), beside_one_gpu(rows, weak_series(rows))


def strong(record):
    rows = results_of(record)
    return titles_beside_one_gpu("speedup"), beside_one_gpu(rows, strong_series(rows))


def ways(record):
    """The solve by each way, for problems that several of them have solved."""
    rows = results_of(record)
    found = {}
    for title in WAYS:
        for row in runs_by(title, rows):
            found.setdefault((row["processes"], name_of(row)), {})[title] = row
    compared = {key: runs for key, runs in sorted(found.items()) if len(runs) > 1}
    used = [title for title in WAYS if any(title in runs for runs in compared.values())]
    out = []
    for (processes, name), runs in compared.items():
        counts = " / ".join(dict.fromkeys(map(iterations, runs.values())))
        cells = [number(runs[title]["solve_ms"]) if title in runs else "" for title in used]
        out.append([name, processes, counts, *cells])
    return ["solve, ms", "GPUs", "iterations", *used], out


def steps_in_order(results):
    """Names of all setup steps that occur; those that are not known come last."""
    names = dict.fromkeys(name for row in results for name in row["steps"]["setup_steps_ms"])
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


def one_gpu(record):
    groups = sharing_one_gpu(results_of(record))
    counts = sorted({count for runs in groups.values() for count in runs})

    def rows_of(runs):
        yield ["iterations", *cells_of(runs, counts, iterations)]
        yield ["setup, ms", *cells_of(runs, counts, lambda row: number(row["setup_ms"]))]
        yield ["solve, ms", *cells_of(runs, counts, lambda row: number(row["solve_ms"]))]
        if any("steps" in row for row in runs.values()):
            yield from step_rows(runs, counts)
            yield from solve_rows(runs, counts)

    titles = [f"{count} process{'es' if count > 1 else ''}" for count in counts]
    return ["problem", "on one GPU", *titles], with_names(groups, rows_of)
