#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""classical_tries.py {PROGRAM --out RECORD | --record RECORD}: classical coarsening with l1-Jacobi by many settings, on the grids of the comparison with hypre.

PROGRAM is tessera_perf_solve, which solves all cases by one way in a process: medians of --repeats of setup and solve, iterations and
the operators' complexity, with b = A·1. `base` is timed first and last, which shows how far processes differ. What is no slower than
`base` on the whole and keeps within the bounds (one iteration more than hypre, its complexity by 5 %) is then combined,
the best of each group, and the combination, `base` and the --finals best ways are timed with b at random, too. The
record is written again after each way. After --limit-s no further way of the list begins. With --record its table is printed.
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from classical_tables import classical_tries
from records import read_json
from table_cells import geometric_mean

BASE = "amg.coarsening=classical amg.smoother.type=l1_jacobi"
# What hypre's comparison says by its calls and Tessera otherwise finds out.
SAID = "preconditioner=amg precision=float solver.name=cg amg.symmetry=symmetric equilibration=none solver.nullspace=none"
CLASSICAL, AT = "coarsening.type=classical", "amg.levels."
# A list of levels knows nothing of amg.smoother.
LIST = f"{AT}0.smoother.type=l1_jacobi {AT}0."
BELOW = f"{LIST}{CLASSICAL} {AT}1.{CLASSICAL} {AT}1.coarsening."
FURTHER_BELOW = f"{LIST}{CLASSICAL} {AT}1.{CLASSICAL} {AT}2.{CLASSICAL} {AT}2.coarsening."
# {way: (group, settings)}: one of a group may be in the combination; "" is in none.
WAYS = {
    "base": ("", ""),
    "all said": ("said", SAID),
    "no graph": ("graph", "graph=false"),
    "no patterns of columns": ("patterns", "column_patterns=false"),
    "double": ("said", "precision=same"),
    "half": ("storage", "amg.storage.scalar=half"),
    "half from level 1": ("storage", f"{LIST}A.scalar=same {AT}1.A.scalar=half"),
    "half in P and R": ("storage", f"{LIST}P.scalar=half {AT}0.R.scalar=half"),
    "ELL on level 0": ("storage", f"{LIST}A.format=ell {AT}1.A.format=csr"),
    "dense from 500 rows": ("coarsest", "amg.coarse_size=500"),
    "dense from 1000 rows": ("coarsest", "amg.coarse_size=1000"),
    "dense from 50 rows": ("coarsest", "amg.coarse_size=50"),
    "2000 rows relaxed 6 times": ("coarsest", "amg.coarse_size=2000 amg.coarse_sweeps=6"),
    "weights from 0.1": ("weights", "amg.classical.truncation_factor=0.1"),
    "weights from 0.2": ("weights", "amg.classical.truncation_factor=0.2"),
    "weights from 0.3": ("weights", "amg.classical.truncation_factor=0.3"),
    "weights from 0.2 below level 0": ("weights", f"{BELOW}classical.truncation_factor=0.2"),
    "3 entries": ("weights", "amg.classical.max_row_entries=3"),
    "3 entries below level 0": ("weights", f"{BELOW}classical.max_row_entries=3"),
    "3 entries below level 1": ("weights", f"{FURTHER_BELOW}classical.max_row_entries=3"),
    "strength 0.4": ("strength", "amg.classical.strength_threshold=0.4"),
    "strength 0.5": ("strength", "amg.classical.strength_threshold=0.5"),
    "no bound of row sums": ("sums", "amg.classical.max_row_sum=1"),
    "extended+e": ("", "amg.classical.interpolation=extended_e"),
    "direct below level 1": ("", f"{FURTHER_BELOW}classical.interpolation=direct"),
    "aggregates below level 0": ("", f"{LIST}{CLASSICAL} {AT}1.coarsening.type=smoothed_aggregation"),
    "aggressive on level 0": ("", "amg.classical.aggressive_levels=1"),
    "F-cycle": ("", "amg.cycle=f"),
    "one launch": ("", "solver.single_kernel=on"),
}
# hypre's iterations with b = A·1, its operators' complexity, and its total in ms, as it was once recorded on an H200.
HYPRE = {
    "poisson2d:1024": (13, 2.40, 33.2),
    "poisson2d:2048": (13, 2.41, 86),
    "poisson3d:96": (14, 2.77, 35.3),
    "poisson3d:128": (14, 2.78, 56),
    "poisson3d:256": (16, 2.79, 333),
    "poisson3d27:128": (13, 1.22, 65.6),
}
SMALL = {"poisson2d:1024": "poisson2d:128", "poisson3d:96": "poisson3d:24", "poisson3d27:128": "poisson3d27:24"}


def timed(options, settings, rhs):
    """What the program measures of all cases, or how it ended."""
    with tempfile.TemporaryDirectory(prefix="classical_tries.") as folder:
        path = pathlib.Path(folder) / "record.json"
        words = [options.program, "--rhs", rhs, "--repeats", str(options.repeats), "--out", str(path), "--cases", *options.cases]
        words += [w for setting in f"{BASE} {settings}".split() for w in ("-p", setting)]
        try:
            ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=options.each_s)
        except subprocess.TimeoutExpired:
            return {"error": f"more than {options.each_s:g} s"}
        if ended.returncode != 0 or not path.is_file():
            return {"error": f"ended with {ended.returncode}: {ended.stderr.strip()[-300:]}"}
        record = json.loads(path.read_text(encoding="utf-8"))
    keys = ("name", "setup_ms", "solve_ms", "total_ms", "iterations", "operator_complexity", "true_relative_residual")
    return {"results": [{key: case[key] for key in keys} for case in record["results"]], "run": record["run"]}


def share_of(results, base):
    """The geometric mean of the totals over those of `base`."""
    return geometric_mean([case["total_ms"] / other["total_ms"] for case, other in zip(results, base)])


def keeps_within(results, base):
    """One iteration more than hypre and 5 % of its complexity; on other sizes than hypre's, those of `base`."""
    for case, other in zip(results, base):
        its, complexity, _ = HYPRE.get(case["name"], (other["iterations"], other["operator_complexity"], 0))
        if case["iterations"] > its + 1 or abs(case["operator_complexity"] / complexity - 1) > 0.05:
            return False
    return True


def combined(record):
    """The settings of the best way of each group, of those that gain and keep within the bounds."""
    base = record["ways"][0]["results"]
    best = {}
    for way in record["ways"][1:]:
        if not way.get("group") or "results" not in way or not keeps_within(way["results"], base):
            continue
        share = share_of(way["results"], base)
        if share < best.get(way["group"], (0.995,))[0]:
            best[way["group"]] = share, way
    chosen = [way for _, way in best.values()]
    # Lists by level would overwrite each other.
    by_level = sorted((way for way in chosen if AT in way["settings"]), key=lambda way: share_of(way["results"], base))
    chosen = [way for way in chosen if way not in by_level[1:]]
    return {"name": " + ".join(way["name"] for way in chosen), "settings": " ".join(way["settings"] for way in chosen)} if len(chosen) > 1 else None


def line_of(way, base):
    """For whoever watches."""
    if "results" not in way:
        return f"{way['name']}: {way['error']}"
    parts = [f"{way['name']}: {share_of(way['results'], base):.3f} of base" + ("" if keeps_within(way["results"], base) else ", out of bounds")]
    for case in way["results"]:
        over = f" = {case['total_ms'] / HYPRE[case['name']][2]:.3f}" if case["name"] in HYPRE else ""
        parts.append(f"{case['iterations']}, {case['operator_complexity']:.2f}, {case['setup_ms']:.1f} + {case['solve_ms']:.1f}{over}")
    return "; ".join(parts)


def write(record, out):
    part = out.with_suffix(".part")
    part.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    part.rename(out)


def try_ways(options):
    begin = time.monotonic()
    record = {"comparison": "classical_tries", "base": BASE, "tolerance": 1e-8, "repeats": options.repeats, "rhs": "row-sums", "ways": []}

    def add(name, group, settings, rhs="row-sums"):
        way = {"name": name, "group": group, "settings": settings, **timed(options, settings, rhs)}
        run = way.pop("run", None)
        if run and "run" not in record:
            command = " ".join(["classical_tries.py", *sys.argv[1:]])
            date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
            record["run"] = {**run, "command": command, "date": date}
        kept = record.setdefault("ways" if rhs == "row-sums" else "random", [])
        kept.append(way)
        record["seconds"] = round(time.monotonic() - begin, 1)
        write(record, options.out)
        print(f"[{record['seconds']} s] {rhs}, {line_of(way, kept[0].get('results', way.get('results')))}", flush=True)
        return way

    for name, (group, settings) in WAYS.items():
        if name != "base" and options.only and not any(part in name for part in options.only):
            continue
        if options.limit_s and time.monotonic() - begin > options.limit_s:
            print(f"{name}: left at the limit of {options.limit_s:g} s", flush=True)
            continue
        if "error" in add(name, group, settings) and name == "base":
            return 1
    both = combined(record)
    if both:
        add(both["name"], "", both["settings"])
    add("base, again", "", "")
    base = record["ways"][0]["results"]
    kept = [way for way in record["ways"] if "results" in way and keeps_within(way["results"], base) and way["settings"]]
    kept.sort(key=lambda way: share_of(way["results"], base) if "results" in way else math.inf)
    for way in [record["ways"][0], *kept[: options.finals]]:
        add(way["name"], way["group"], way["settings"], "random")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", help="tessera_perf_solve")
    parser.add_argument("--out", type=pathlib.Path, help="the record")
    parser.add_argument("--record", help="print its table; nothing is measured")
    parser.add_argument("--cases", nargs="+", default=list(HYPRE), help="[those of the comparison with hypre]")
    parser.add_argument("--small", action="store_true", help="small grids, to try the script on a host")
    parser.add_argument("--only", nargs="+", help="`base`, and ways whose name contains one of these")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--finals", type=int, default=4, help="ways that are timed with b at random, too [%(default)s]")
    parser.add_argument("--limit-s", type=float, default=0, help="begin no further way of the list after that many seconds")
    parser.add_argument("--each-s", type=float, default=60, help="the most that one process may take")
    options = parser.parse_args()
    if options.record:
        titles, rows = classical_tries(read_json(options.record))
        for row in (titles, ["---"] * len(titles), *rows):
            print("| " + " | ".join(map(str, row)) + " |")
        return 0
    if not options.program or not options.out:
        parser.error("PROGRAM with --out RECORD, or --record RECORD")
    if options.small:
        options.cases = list(SMALL.values())
    os.environ.setdefault("OMP_PROC_BIND", "false")
    return try_ways(options)


if __name__ == "__main__":
    sys.exit(main())
