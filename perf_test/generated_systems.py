#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Iterations and processor time of systems that a script makes, by the defaults and by single choices.

    generated_systems.py build/openmp/bin/tessera graphs elements --out generated_systems.json

Solves to 1e-8 with random right-hand sides, on one thread. A time is the processor's of the whole command, less that of
the command with one iteration and no preconditioner, which reads the matrix and starts up as well: other programs on the
machine hardly change it. Each is solved once, or --repeat times, of which the least counts. With --hypre,
tessera_perf_compare_hypre_coarsenings solves the sets named after --hypre-sets too.
"""
import argparse
import datetime
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

from compare_results import processor

AMG = "preconditioner=amg"
# As a user sets it, so that it stays where graphs with hubs have 0 by default.
SMOOTHED = f"{AMG} amg.smoothed_aggregation.prolongator_omega=1.333"
PLAIN = f"{AMG} amg.smoothed_aggregation.prolongator_omega=0"
GROUPS = f"{AMG} amg.coarsening=pairwise amg.pairwise.passes=2"
CLASSICAL = f"{AMG} amg.coarsening=classical"
GAUSS_SEIDEL = "amg.smoother.type=gauss_seidel amg.smoother.gauss_seidel.symmetric=true amg.smoother.gauss_seidel.order=natural"
THETA = "amg.smoothed_aggregation.strength_threshold"
SMOOTHER = "amg.smoother.type"
FRONTS = "amg.classical.splitting=advancing_front"
ONE_BY_ONE = f"--block-size 1 {AMG}"

GRAPHS = {
    "defaults": "", "jacobi": "preconditioner=jacobi", "ilu": "preconditioner=ilu", "smoothed": SMOOTHED,
    "unsmoothed": PLAIN, "groups of 4": GROUPS, "classical": CLASSICAL,
}
SETS = {
    "graphs": (
        "power_laws.py",
        ["attachment --ties 2", "attachment", "attachment --ties 8", "attachment --ties 1",
         "configuration --ties 2 --exponent 2.1", "configuration --ties 2 -n 50000",
         "configuration --ties 2 --exponent 3 -n 50000", "configuration --ties 1 -n 50000"],
        GRAPHS | {
            "unsmoothed, K": f"{PLAIN} amg.cycle=k", "groups of 4, K": f"{GROUPS} amg.cycle=k",
            "classical, symmetric Gauss-Seidel": f"{CLASSICAL} {GAUSS_SEIDEL}",
            "chebyshev": f"{SMOOTHED} {SMOOTHER}=chebyshev", "fsai": f"{SMOOTHED} {SMOOTHER}=fsai",
            "0.5": f"{SMOOTHED} {THETA}=0.5", "0.08": f"{SMOOTHED} {THETA}=0.08",
        },
    ),
    "long graphs": (
        "power_laws.py",
        ["rmat -n 32768", "communities --ties 3 -n 40000 --ground 1e-3", "whiskers --ground 1e-3",
         "grid --ties 3 -n 40000 --ground 1e-3", "attachment --decades 2 --ground 1e-3",
         "attachment --decades 4 --ground 1e-5", "plane --exponent 1.8 -n 30000 --ground 1e-3",
         "plane -n 30000 --ground 1e-3", "plane --exponent 3.5 -n 30000 --ground 1e-3",
         "attachment --ties 3 -n 200000 --ground 1e-3", "attachment --ties 1 -n 200000 --ground 1e-4",
         "rmat --ties 2 -n 131072 --ground 1e-3"],
        GRAPHS,
    ),
    "elements": (
        "uneven_elements.py",
        ["100 --jump discs --contrast 10", "100 --jump discs --contrast 100", "100 --jump discs",
         "100 --jump discs --contrast 1e6", "100 --jump points", "100 --jump points --contrast 1e6",
         "100 --jump discs --contrast 10 --epsilon 1e-2", "100 --jump discs --epsilon 1e-2",
         "200 --order 1 --jump discs --epsilon 1e-2", "200 --order 1 --jump points --epsilon 1e-2",
         "200 --order 1 --grading 100", "200 --order 1 --grading 1000", "100 --grading 1000",
         "200 --order 1 --grading 1000 --jump discs"],
        {"defaults": "", "0.5": f"{AMG} {THETA}=0.5", "0.35": f"{AMG} {THETA}=0.35", "0.25": f"{AMG} {THETA}=0.25",
         "classical, degree 2": CLASSICAL, "classical, `fsai`": f"{CLASSICAL} {SMOOTHER}=fsai",
         "classical, symmetric Gauss-Seidel": f"{CLASSICAL} {GAUSS_SEIDEL}", "direct": "preconditioner=direct"},
    ),
    "half": (
        "uneven_elements.py",
        ["200 --order 1 --degrees 19 --half --epsilon 1e-3", "200 --order 1 --degrees 19 --half --epsilon 1e-2"],
        {"`auto`": "", "`jacobi`": f"{AMG} {SMOOTHER}=jacobi",
         "`chebyshev` of degree 5, ratio 30":
             f"{AMG} {SMOOTHER}=chebyshev amg.smoother.chebyshev.degree=5 amg.smoother.chebyshev.eigenvalue_ratio=30",
         "symmetric Gauss-Seidel": f"{AMG} {GAUSS_SEIDEL}", "`fsai`": f"{AMG} {SMOOTHER}=fsai",
         "`ilu`": f"{AMG} {SMOOTHER}=ilu", "threshold 0.08": f"{AMG} {THETA}=0.08", "threshold 0.5": f"{AMG} {THETA}=0.5",
         "W-cycle": f"{AMG} amg.cycle=w", "groups of 4, K-cycle": f"{GROUPS} amg.cycle=k", "classical": CLASSICAL,
         "classical, `jacobi`": f"{CLASSICAL} {SMOOTHER}=jacobi",
         "classical, symmetric Gauss-Seidel": f"{CLASSICAL} {GAUSS_SEIDEL}",
         "classical, `fsai`": f"{CLASSICAL} {SMOOTHER}=fsai", "classical, `ilu`": f"{CLASSICAL} {SMOOTHER}=ilu",
         "classical, fronts": f"{CLASSICAL} {FRONTS}",
         "classical, fronts, symmetric Gauss-Seidel": f"{CLASSICAL} {FRONTS} {GAUSS_SEIDEL}",
         "classical, fronts, `ilu`": f"{CLASSICAL} {FRONTS} {SMOOTHER}=ilu", "`direct`": "preconditioner=direct"},
    ),
    "species": (
        "species.py",
        ["120 --rate 0.1", "120 --rate 1", "120 --rate 3", "120 --rate 10", "120 --rate 100", "120 --rate 1e4",
         "120 --rate 1 --diffusion 1,10,0.1", "120 --rate 10 --diffusion 1,10,0.1",
         "120 --rate 1000 --diffusion 1,10,0.1", "120 --rate 1 --spread",
         "120 --rate 100 --spread --diffusion 1,10,0.1", "26 --space --rate 1", "26 --space --rate 10",
         "26 --space --rate 100", "150 --rate 10 --diffusion 1,0.1", "90 --rate 10 --diffusion 1,3,10,0.3,0.1",
         "120 --cycle --rate 1", "120 --cycle --rate 100", "120 --rate 10 --flow 10", "120 --rate 1000 --flow 100"],
        {"defaults": "", "nodes": "--block-size NODES " + AMG,
         "nodes, blocks": f"--block-size NODES {AMG} {SMOOTHER}=block_jacobi amg.smoother.sweeps=2",
         "nodes, `ilu`": f"--block-size NODES {AMG} {SMOOTHER}=ilu", "nodes, classical": f"--block-size NODES {CLASSICAL}",
         "one by one: aggregation": f"{ONE_BY_ONE} amg.coarsening=smoothed_aggregation",
         "one by one: classical": f"{ONE_BY_ONE} amg.coarsening=classical",
         "one by one: classical, degree 2":
             f"{ONE_BY_ONE} amg.coarsening=classical {SMOOTHER}=chebyshev amg.smoother.chebyshev.degree=2"},
    ),
}
HYPRE = ("hypre: PMIS, l1-Jacobi", "hypre: HMIS, Gauss-Seidel")


def used_ms():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (used.ru_utime + used.ru_stime)


def command_of(asked, matrix, choice, words):
    command = [asked.tessera, "solve", str(matrix), "--rhs", "random", "--threads", "1"]
    species = re.search(r"--diffusion (\S+)", words)
    choice = choice.replace("NODES", str(len(species[1].split(",")) if species else 3))
    options = iter(choice.split())
    for option in options:
        command += [option, next(options)] if option.startswith("--") else ["-p", option]
    return command


def solve(command, report):
    report.unlink(missing_ok=True)
    before = used_ms()
    done = subprocess.run([*command, "--report", str(report)], capture_output=True, text=True, check=False)
    if not report.is_file():
        return {"status": "refused", "message": done.stderr.strip()[:200]}, 0.0
    return json.loads(report.read_text(encoding="utf-8")), used_ms() - before


def of_hypre(program, matrix):
    """hypre's two columns of the table that the program prints."""
    done = subprocess.run([program, "--rounds", "1", str(matrix)], capture_output=True, text=True, check=True)
    head, _, row = (line.strip("| \n").split(" | ") for line in done.stdout.strip().splitlines()[-3:])
    found = {}
    for name in HYPRE:
        printed = re.fullmatch(r"(\d+), (\d+)", row[head.index(name)])
        found[name] = {"status": "not converged"}
        if printed:
            found[name] = {"status": "converged", "iterations": int(printed[1]), "ms": float(printed[2])}
    return found


def measure(asked, script, words, choices, scratch):
    matrix, report = scratch / "A.mtx", scratch / "report.json"
    first, *others = words.split()
    maker = pathlib.Path(__file__).with_name(script)
    subprocess.run([sys.executable, maker, first, matrix, *others], check=True)
    start = command_of(asked, matrix, "preconditioner=none solver.max_iterations=1", words)
    beside = min(solve(start, report)[1] for _ in range(3))
    with matrix.open(encoding="utf-8") as file:
        rows = next(int(line.split()[0]) for line in file if not line.startswith("%"))
    made = {"words": words, "rows": rows, "beside_ms": round(beside, 1), "ways": {}}
    limit = "" if script == "power_laws.py" else "solver.max_iterations=500"
    for name, choice in choices.items():
        command = command_of(asked, matrix, f"{choice} {limit}", words)
        runs = [solve(command, report) for _ in range(asked.repeat)]
        found = runs[0][0]
        way = {key: found[key] for key in ("status", "iterations", "preconditioner", "message") if key in found}
        made["ways"][name] = way | {"ms": round(min(ms for _, ms in runs) - beside, 1)}
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tessera", help="the command")
    parser.add_argument("sets", nargs="+", choices=SETS)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--commit", required=True, help="of the command")
    parser.add_argument("--hypre", metavar="PROGRAM")
    parser.add_argument("--hypre-sets", nargs="+", default=["graphs", "half"])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    asked = parser.parse_args()
    record = {"comparison": "systems that scripts make", "commit": asked.commit, "processor": processor(), "threads": 1,
              "command": f"generated_systems.py TESSERA {' '.join(map(repr, asked.sets))} --repeat {asked.repeat}",
              "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), "sets": {}}
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        for name in asked.sets:
            script, systems, choices = SETS[name]
            results = record["sets"][name] = []
            for words in systems:
                results.append(measure(asked, script, words, choices, scratch))
                if asked.hypre and name in asked.hypre_sets:
                    results[-1]["ways"] |= of_hypre(asked.hypre, scratch / "A.mtx")
                print(words, {way: found.get("iterations") for way, found in results[-1]["ways"].items()}, flush=True)
                asked.out.write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
