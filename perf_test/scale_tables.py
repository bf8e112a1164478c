# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""A model, on paper, of an iteration of conjugate gradients with a cycle on thousands of GPUs: tables for
docs/performance_tables.py. The page docs/notebook/scale_model.md says what is assumed.

An iteration takes what it takes on one GPU; for each round of messages a time that does not depend on
the network, which is what two GPUs of one host took more than one; and what a network of some latency
and bandwidth takes for the messages and bytes that were counted. Times are in seconds here.
"""
import math

from table_cells import number, ratio, table

COUNTED = "compare_hypre_messages-boxes-xeon-2026-12-01.json.xz"
ON_ONE_GPU = "compare_gpu_hypre-h200-2026-11-29.json.xz"
MEASURED = "scaling-h200-2026-11-27.json"
PUBLISHED = "published-weak-scaling-2026-11-27.json"

ROWS_PER_GPU = 16e6
ROWS_PER_PROCESS = 200e3  # default of distributed::Parameters on a device
# Of a level in a cycle: the residual, R, P and a sweep after it. The sweep before starts from zero.
ROUNDS = 4
PASSES = 2  # over A among these
FACES = 6  # neighbours of a box in the product of the method
BYTES = 8  # in a number
HYPRE = {"PMIS": "hypre, PMIS, l1-Jacobi", "HMIS": "hypre, HMIS, l1-Gauss-Seidel"}
COARSEST = 10  # rows that hypre's last level has about
NETWORKS = {  # latency of a message in s, bytes per s
    "favourable": (1e-6, 50e9),
    "cautious": (5e-6, 25e9),
}


def points_of(problem):
    """Points along the side of a process's box."""
    return int(problem.split("m=")[1])


def run_on(record, processes):
    return next(run for run in record["runs"] if run["processes"] == processes)


def counted_levels(record, processes=27):
    """{points: {number of levels that are on all processes: row of the record}}"""
    found = {}
    for row in run_on(record, processes)["results"]:
        if not row["by"].startswith("Tessera"):
            continue
        gathered = int(row["by"].split("gather_rows=")[1].split(",")[0])
        spread = sum(rows > gathered for rows in row["rows"])
        found.setdefault(points_of(row["problem"]), {})[spread] = row
    return found


def counted_of_hypre(record, splitting, processes=27):
    """{points: {0: row of the record}}"""
    rows = run_on(record, processes)["results"]
    return {points_of(row["problem"]): {0: row} for row in rows if row["by"] == HYPRE[splitting]}


def busiest(rows, levels, key):
    return rows[levels]["cycle"][f"max_{key}"]


def per_area(found, levels):
    """Bytes that the busiest process sends in a cycle per square of its side, by least squares."""
    pairs = [(m * m, busiest(rows, levels, "bytes")) for m, rows in found.items()]
    return sum(a * b for a, b in pairs) / sum(a * a for a, _ in pairs)


def coarsening_ratios(found):
    rows = found[max(found)][2]["rows"]
    return [fine / coarse for fine, coarse in zip(rows, rows[1:])]


def level_rows(gpus, ratios):
    """Of the levels that several GPUs share, from the finest down."""
    rows = [gpus * ROWS_PER_GPU]
    while True:
        # The last ratio but one: the last level of the runs is what is left over.
        step = ratios[min(len(rows) - 1, len(ratios) - 2)]
        if rows[-1] / step < 2 * ROWS_PER_PROCESS:
            return rows
        rows.append(rows[-1] / step)


def measured_runs(record):
    return {
        (run["problem"], run["processes"], run["arguments"]): run
        for run in record["runs"][0]["results"]
        if run["communicator"] == "nccl"
    }


def iteration_s(run):
    return 1e-3 * run["solve_ms"] / run["iterations"]


def on_one_gpu(record, rows):
    """Between the two sizes of the 7-point Laplacian that were measured, on a straight line."""
    small, large = sorted(
        (run["rows"], iteration_s(run))
        for (problem, processes, _), run in measured_runs(record).items()
        if processes == 1 and problem.startswith("poisson3d:")
    )
    return small[1] + (large[1] - small[1]) * (rows - small[0]) / (large[0] - small[0])


def round_overheads(record):
    """For each problem on two GPUs: what a round of messages took beyond half of the work, or all of
    it where each GPU has as many rows as the one had."""
    runs = measured_runs(record)
    found = []
    for (problem, processes, arguments), two in runs.items():
        if processes != 2 or two["status"] != "converged":
            continue
        is_strong = "--strong" in arguments
        plain = arguments.replace(" --in-line", "")
        one = next(r for (_, p, a), r in runs.items() if p == 1 and a == plain)
        expected = iteration_s(one) / (2 if is_strong else 1)
        rounds = two["cycle"]["messages"] / 2 + 1  # each way in the cycle, and in the product
        found.append((iteration_s(two) - expected) / rounds)
    return found


def model(counted, measured, gpus, network):
    """{what: count or seconds} of an iteration, for the busiest GPU."""
    found = counted_levels(counted)
    largest = found[max(found)]
    rows = level_rows(gpus, coarsening_ratios(found))
    alone = on_one_gpu(measured, ROWS_PER_GPU)
    if gpus == 1:
        return {"levels": 0, "messages": 0, "bytes": 0, "total": alone}
    below = len(rows) - 2
    a_level = busiest(largest, 3, "messages") - busiest(largest, 2, "messages")
    messages = FACES + busiest(largest, 2, "messages") + below * a_level
    area = ROWS_PER_GPU ** (2 / 3)
    # Levels below the third, of 200,000 rows per process, are taken for as large as the third.
    bytes_below = (per_area(found, 3) - per_area(found, 2)) * area * below
    sent = (FACES * BYTES + per_area(found, 2)) * area + bytes_below
    overheads = round_overheads(measured)
    overhead = min(overheads) if network == "favourable" else max(overheads)
    return messages_model(alone, gpus, network, len(rows), messages, sent, overhead)


def messages_model(alone, gpus, network, levels, messages, sent, overhead):
    """{what: count or seconds} of an iteration that takes `alone` seconds on one GPU."""
    latency, bandwidth = NETWORKS[network]
    parts = {
        "rounds": (ROUNDS * levels + 1) * overhead,
        "latency": messages * latency,
        "transfer": sent / bandwidth,
        "reduction": 2 * math.log2(gpus) * latency,
    }
    return {"levels": levels, "messages": messages, "bytes": sent, **parts, "total": alone + sum(parts.values())}


def hypre_model(counted, measured, on_one_gpu_of_hypre, gpus, network):
    """The same of hypre, whose levels all stay on all GPUs: PMIS and l1-Jacobi, which it has on GPUs."""
    case = next(c for c in on_one_gpu_of_hypre["results"] if c["name"] == "poisson3d:256")
    alone = 1e-3 * case["hypre"]["solve_ms"] / case["hypre"]["iterations"] * ROWS_PER_GPU / case["rows"]
    if gpus == 1:
        return {"levels": 0, "messages": 0, "bytes": 0, "total": alone}
    found = counted_of_hypre(counted, "PMIS")
    largest = found[max(found)]
    rows = largest[0]["rows"]
    shared = sum(n > COARSEST for n in rows)
    # Beyond the levels that were counted, each has an eighth of the rows of the one above.
    step = rows[1] / rows[2]
    levels = shared + max(0, round(math.log(gpus * ROWS_PER_GPU / rows[0]) / math.log(step)))
    messages = FACES + busiest(largest, 0, "messages") * levels / shared
    sent = (FACES * BYTES + per_area(found, 0)) * ROWS_PER_GPU ** (2 / 3)
    overheads = round_overheads(measured)
    overhead = min(overheads) if network == "favourable" else max(overheads)
    return messages_model(alone, gpus, network, levels, messages, sent, overhead)


def flops_per_row(row):
    """Of products with A in an iteration: two an entry."""
    entries = row["entries"]
    return 2 * ((PASSES + 1) * entries[0] + PASSES * sum(entries[1:])) / row["rows"][0]


def scale_rows(model_of):
    out = []
    for gpus in (1, 64, 512, 4096):
        for network in NETWORKS:
            if gpus == 1 and network != "favourable":
                continue
            made = model_of(gpus, network)
            parts = [made.get(key, 0) for key in ("rounds", "latency", "transfer", "reduction")]
            alone = made["total"] - sum(parts)
            out.append(
                [
                    f"{gpus:,}",
                    "" if gpus == 1 else network,
                    made["levels"],
                    number(made["messages"]),
                    number(1e-6 * made["bytes"]),
                    " + ".join(number(1e3 * part, 2) for part in (alone, *parts)),
                    number(1e3 * made["total"]),
                    ratio(alone / made["total"]),
                ]
            )
    titles = ["GPUs", "network", "levels shared out", "messages of a GPU", "MB of a GPU"]
    titles += ["products + rounds + latency + transfer + sum, ms", "iteration, ms", "efficiency"]
    return titles, out


@table(COUNTED, MEASURED)
def scale_model(counted, measured):
    return scale_rows(lambda gpus, network: model(counted, measured, gpus, network))


@table(COUNTED, MEASURED, ON_ONE_GPU, names_records=False)
def scale_model_of_hypre(counted, measured, on_one_gpu_of_hypre):
    return scale_rows(lambda gpus, network: hypre_model(counted, measured, on_one_gpu_of_hypre, gpus, network))


@table(COUNTED, names_records=False)
def scale_counts(counted):
    """The busiest process, on 25^3 points each, and its bytes by least squares over three sizes."""
    out = []
    solvers = {"Tessera": "gather_rows=200,", **{f"hypre, {name}": by for name, by in HYPRE.items()}}
    for run in counted["runs"]:
        for name, by in solvers.items():
            found = {points_of(row["problem"]): {0: row} for row in run["results"] if by in row["by"]}
            row = found[max(found)][0]
            cells = [busiest(found[max(found)], 0, "messages"), f"{per_area(found, 0):.0f}"]
            cells.append(f"{flops_per_row(row):.0f}" if "entries" in row else "")
            out.append([run["processes"], name, len(row["rows"]), row["iterations"], *cells])
    titles = ["processes", "cycle", "levels", "iterations", "messages of the busiest", "bytes of it per m²"]
    return [*titles, "flops per row of products with A in an iteration"], out


@table(COUNTED, MEASURED, names_records=False)
def scale_inputs(counted, measured):
    found = counted_levels(counted)
    largest = found[max(found)]
    overheads = [1e6 * s for s in round_overheads(measured)]
    ratios = coarsening_ratios(found)[:-1]
    per_level = [per_area(found, 2), per_area(found, 3) - per_area(found, 2)]
    spread = [busiest(rows, 3, "bytes") / (m * m) for m, rows in found.items()]
    return ["what", "value"], [
        ["an iteration of 16 million rows on one H200", f"{number(1e3 * on_one_gpu(measured, ROWS_PER_GPU))} ms"],
        ["a round of messages on two H200s beyond the work", f"{min(overheads):.0f} to {max(overheads):.0f} µs"],
        ["messages of the busiest process in a cycle, two levels shared out", busiest(largest, 2, "messages")],
        ["the same, three levels", busiest(largest, 3, "messages")],
        ["bytes of it per m², two levels, and the third beyond", " + ".join(f"{b:.0f}" for b in per_level)],
        ["the same of three levels, each size by itself", ", ".join(f"{b:.0f}" for b in spread)],
        ["rows of a level over those of the next", ", ".join(f"{r:.1f}" for r in ratios)],
        ["flops per row of products with A in an iteration", f"{flops_per_row(largest[2]):.0f}"],
    ]


@table(PUBLISHED, names_records=False)
def published_weak_scaling(record):
    rows = []
    for source in record["sources"]:
        for name, series in source["series"].items():
            cells = [
                f"{gpus:,}: {count}, {number(ms)}"
                for gpus, count, ms in zip(source["gpus"], series["iterations"], series["iteration_ms"])
            ]
            share = series["iteration_ms"][0] / series["iteration_ms"][-1]
            rows.append([name, source["machine"], "; ".join(cells), ratio(share)])
    return ["solver", "machine", "GPUs: iterations, ms per iteration", "efficiency of an iteration"], rows
