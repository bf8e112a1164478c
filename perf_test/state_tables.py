# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of two states of the sources beside each other, for docs/performance_tables.py."""
import collections
import re
import statistics

from table_cells import geometric_mean, label, number, ratio, table

STATES = ("before", "now")
GRIDS = "solve-random-states-grids-h200-2026-11-30.json.xz"
OFF_GRID = "solve-random-states-off-grid-h200-2026-11-30.json.xz"
SETUPS = "solve-random-states-setups-h200-2026-11-28.json.xz"
PRODUCTS = "hot-kernels-states-h200-2026-11-28.json.xz"
ONE_KERNEL = "persistent_cg-states-h200-2026-11-30.json.xz"
RESULTS = "compare_results-c2ebbd4-19d74fa0-xeon-2026-11-30.json.xz"
# A time over that of the state before from which on a case is slower.
SLOWER = 1.03
# A setup over the least of its state from which on it counts as slow.
SLOW_MODE = 1.1


def cases_of(record):
    """{name: {state: [result of each round]}}"""
    found = {}
    for state in STATES:
        for round_ in record[state]:
            for result in round_["results"]:
                found.setdefault(result["name"], {s: [] for s in STATES})[state].append(result)
    return found


def values(case, key):
    return [[result[key] for result in case[state]] for state in STATES]


def arrow(before, now):
    return f"{number(before)} → {number(now)} ({ratio(now / before)})"


@table(GRIDS, OFF_GRID)
def solves_of_states(*records):
    rows = []
    for record in records:
        for name, case in cases_of(record).items():
            times = [values(case, key) for key in ("setup_ms", "solve_ms", "total_ms")]
            least = ratio(min(times[0][1]) / min(times[0][0]))
            counts = [str(statistics.median(v)) for v in values(case, "iterations")]
            cells = [arrow(*map(statistics.median, pair)) for pair in times]
            rows.append([label(name), cells[0], least, *cells[1:], " → ".join(dict.fromkeys(counts))])
    return ["problem", "setup", "of the least setups", "solve", "total", "iterations"], rows


@table(SETUPS)
def setups_of_states(record):
    rows = []
    for name, case in cases_of(record).items():
        pair = values(case, "setup_ms")
        parts = zip(*([min(v), *statistics.quantiles(v, n=4), max(v)] for v in pair))
        slower = sum(now > before for before, now in zip(*pair))
        slow = " → ".join(str(sum(t > SLOW_MODE * min(v) for t in v)) for v in pair)
        rows.append([label(name), *(arrow(*part) for part in parts), slow, slower])
    titles = ["problem", "least", "lower quartile", "median", "upper quartile", "largest"]
    return [*titles, "of 25 above 1.1 of the least", "rounds of 25 in which now is slower"], rows


def products(record):
    """(program, task, case, rounds, least, median, separated) of each case; ratios of now over before."""
    for task in record["tasks"]:
        for case, (rounds, low, middle, most, now_low, now_middle, _) in task["cases"].items():
            least, median = now_low / low, now_middle / middle
            yield task["program"], task["name"], case, rounds, least, median, now_low > most


STORAGES = ("double", "float", "half", "bfloat16", "e4m3", "e5m2")


@table(PRODUCTS)
def products_of_states(record):
    groups = collections.defaultdict(list)
    for program, _, case, _, least, *_ in products(record):
        if program == "tessera_perf_spmv":
            _, form, storage, vectors = case.split("/")
            groups[form.removesuffix(" load_balanced"), storage, vectors].append(least)
    forms = dict.fromkeys(form for form, *_ in groups)

    def cell(form, storage):
        return ", ".join(ratio(geometric_mean(groups[form, storage, v])) for v in ("double", "float"))

    rows = [[f"`{form}`", *(cell(form, storage) for storage in STORAGES)] for form in sorted(forms)]
    return ["SpMV", *STORAGES], rows


@table(PRODUCTS)
def other_kernels_of_states(record):
    groups = collections.defaultdict(list)
    for program, _, case, _, least, median, _ in products(record):
        if program == "tessera_perf_spgemm":
            _, _, form, storage, what = case.split("/")
            words = {"whole": "pattern and values", "values": "values alone"}
            groups[f"SpGEMM, `{form}`, {storage}, {words[what]}"].append((least, median))
        elif program == "tessera_perf_persistent_cg" and "half of them" not in case:
            _, method, way = case.split("/")
            names = {"cg": "CG", "bicgstab": "BiCGSTAB"}
            groups[f"an iteration of {names[method]} by {way}"].append((least, median))
    rows = []
    for name, both in sorted(groups.items()):
        least = [pair[0] for pair in both]
        means = [ratio(geometric_mean(list(column))) for column in zip(*both)]
        slower = sum(min(pair) > SLOWER for pair in both)
        rows.append([name, len(both), *means, f"{min(least):.2f} to {max(least):.2f}", slower])
    return ["", "cases", "of the least", "of the medians", "range of the least", "slower by both"], rows


@table(ONE_KERNEL)
def one_kernel_of_states(record):
    rows = {}
    for state in STATES:
        for round_ in record[state]:
            for result in round_["results"]:
                if result["way"] == "one kernel":
                    cells = rows.setdefault(result["name"], {}).setdefault(result["method"], {s: [] for s in STATES})
                    cells[state].append(result["us_per_iteration"])

    def cell(times):
        return arrow(*(min(times[s]) for s in STATES)) if times else ""

    titles = ["problem", "an iteration of CG, us", "of BiCGSTAB, us"]
    return titles, [[label(name), *(cell(of.get(m)) for m in ("cg", "bicgstab"))] for name, of in rows.items()]


@table(PRODUCTS)
def slower_products(record):
    groups, counts = collections.defaultdict(list), collections.Counter()
    for program, _, case, rounds, least, median, separated in products(record):
        if program == "tessera_perf_spmv" and rounds > 1 and min(least, median) > SLOWER and separated:
            matrix, form, storage, vectors = case.split("/")
            key = (label(matrix), f"`{form}`", vectors)
            groups[key].append((least, storage))
            counts[key] = max(counts[key], rounds)
    rows = []
    for key, found in sorted(groups.items(), key=lambda item: -max(item[1])[0]):
        cells = ", ".join(f"{storage} {ratio(least)}" for least, storage in found)
        rows.append([*key, counts[key], cells])
    return ["matrix", "SpMV", "vectors", "rounds", "now over before, of the least times, by storage"], rows


COLUMNS = ("the same", "another end", "fewer iterations", "more", "other levels alone", "last digits alone")


def kind(result):
    """The column that a solve of the comparison belongs to."""
    if result["verdict"] != "different":
        words = {"same": "the same", "refused": "refused by both", "late": "beyond 8 s"}
        return words[result["verdict"]]
    found = result["differences"]
    if found[0].startswith(("exit code", "status")):
        return "another end"
    for text in found:
        counts = re.fullmatch(r"iterations (\d+), now (\d+)", text)
        if counts:
            return "fewer iterations" if int(counts[2]) < int(counts[1]) else "more"
    return "other levels alone" if any(t.startswith("levels") for t in found) else "last digits alone"


@table(RESULTS)
def results_of_states(record):
    columns = [*COLUMNS, "refused by both", "beyond 8 s"]
    counts = collections.defaultdict(collections.Counter)
    for result in record["results"]:
        counts[result["parameters"]][kind(result)] += 1
    rows = [[f"`{p}`" if p else "defaults", *(found[c] for c in columns)] for p, found in counts.items()]
    total = sum(counts.values(), collections.Counter())
    rows.append(["all", *(total[c] for c in columns)])
    return ["parameters", *columns], rows
