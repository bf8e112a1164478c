# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of setup and solve over several GPUs, measured by scaling.cpp and merged by merge_scaling.py,
for docs/performance_tables.py; scaling_step_tables.py has those by step.

Runs of one problem belong together where its options are the same. A series is {processes: result} of
runs by NCCL with messages beside the product, recorded, a GPU each.
"""
import re
import statistics

from table_cells import label, number, ratio, table

SCALING = "scaling-h100-2026-11-28.json.xz"

OPTIONS = ("tolerance", "precision", "settings", "gather_rows", "rows_per_process")
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
# Weak scaling rounds n: rows per process within this of the first run's are the same problem.
MOST_ROUNDING = 0.05


def configuration(result):
    """What makes a run another one; weak and strong scaling are the same on one process."""
    scaling = "" if result["processes"] == 1 else result["scaling"]
    return tuple(str({**result, "scaling": scaling}.get(key)) for key in (*CONFIGURATION, *OPTIONS))


def results_of(record):
    """Those of the record's one commit, each with its options that few have as text."""
    (run,) = record["runs"]
    found = {}
    for row in run["results"]:
        found.setdefault(configuration(row), []).append(row)
    rows = [pooled(same) for same in found.values()]
    usual = {key: statistics.mode(str(row.get(key)) for row in rows) for key in OPTIONS}
    return [{**row, "options": unusual(row, usual)} for row in rows]


def pooled(same):
    """Runs of one configuration as one: medians of all their repeats, and the steps of the run whose
    setup was the shortest with them, since one run's may have been disturbed."""
    together = dict(same[-1])
    for what in ("setup", "solve"):
        together[f"{what}_ms"] = statistics.median(ms for row in same for ms in row[f"{what}s_ms"])
    timed = [row["steps"] for row in same if "steps" in row]
    if timed:
        together["steps"] = min(timed, key=lambda steps: steps["setup_ms"])
    return together


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


@table(SCALING)
def weak(record):
    rows = results_of(record)
    return titles_beside_one_gpu("efficiency"), beside_one_gpu(rows, weak_series(rows))


@table(SCALING)
def strong(record):
    rows = results_of(record)
    return titles_beside_one_gpu("speedup"), beside_one_gpu(rows, strong_series(rows))


def several_gpus_in_short(record):
    name = "7-point 256³"
    series = strong_series(results_of(record))[name]
    setup, solve = (ratio(series[1][key] / series[4][key]) for key in ("setup_ms", "solve_ms"))
    return [f"{name} on four H100s", "one of them", f"solve {solve}, setup {setup} times as fast"]


def setup_and_solve(row):
    return f"{number(row['setup_ms'])} + {number(row['solve_ms'])}"


@table(SCALING)
def several_gpus(record):
    """In short: setup and solve, and how many times the rows of one GPU go through each in a second."""
    rows = results_of(record)
    groups = {**weak_series(rows), **strong_series(rows)}
    counts = sorted({count for series in groups.values() for count in series})
    out = []
    for name, series in groups.items():
        times = [setup_and_solve(series[count]) if count in series else "" for count in counts]
        one, most = series[1], series[max(series)]
        rates = [
            ratio(one[key] / most[key] * most["rows"] / one["rows"]) for key in ("setup_ms", "solve_ms")
        ]
        counted = " / ".join(dict.fromkeys(map(iterations, series.values())))
        out.append([name, counted, *times, *rates])
    titles = [f"{count} GPU{'s' if count > 1 else ''}, ms" for count in counts]
    return ["problem", "iterations", *titles, "rate of setup", "of the solve"], out


@table(SCALING)
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
