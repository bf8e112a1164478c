#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tessera's preconditioner beside GAMG and BoomerAMG in PETSc's own tutorials, as rows of a table.

    perf_test/petsc/tutorials.py BUILD [--only ex19]

BUILD has the tutorials as programs, as the tests by them do. Times are those of PETSc's log (-log_view), of the
slowest process, and medians; in each run every type has its turn. One thread per process.
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess

# Name, program, processes, options.
TUTORIALS = [
    ("ex2, 500 x 500", "ksp_ex2", (1, 2, 4), "-m 500 -n 500 -ksp_type cg -ksp_rtol 1e-8"),
    ("ex56, 20^3 nodes", "ksp_ex56", (1, 2),  # of cubes of processes, or of 2
     "-ne 19 -alpha 1e-3 -ksp_type cg -ksp_rtol 1e-8 -use_mat_nearnullspace -log_stages 0"),
    ("snes ex19, 97 x 97", "snes_ex19", (1, 2, 4), "-da_refine 5 -ksp_type fgmres -ksp_rtol 1e-6 -ksp_max_it 100"),
]
TYPES = ("tessera", "gamg", "hypre")


def run(build, program, processes, options):
    """The text that the program prints, its log included."""
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1",
                       PRTE_MCA_mapby=":oversubscribe", PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe",
                       OMPI_MCA_rmaps_base_oversubscribe="true",
                       OMPI_MCA_mpi_yield_when_idle="1")
    command = ["mpirun", "--bind-to", "none", "-n", str(processes),
               build / "test" / f"tessera_test_petsc_{program}", "-dll_append",
               build / "packages" / "petsc" / "libtessera_petsc.so", "-ksp_converged_reason", "-log_view",
               *options.split()]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600).stdout


def milliseconds(log, event):
    """Of all calls of the event in all stages."""
    found = re.findall(rf"^{event} +\d+ +\S+ +([0-9.e+-]+) ", log, re.MULTILINE)
    return 1e3 * sum(float(seconds) for seconds in found)


def iterations(log):
    """Of all linear solves; with a word where one of them failed."""
    solves = re.findall(r"Linear solve (converged|did not converge) due to (\w+) iterations (\d+)", log)
    failed = {reason for how, reason, _ in solves if how != "converged"}
    return f"{sum(int(count) for _, _, count in solves)}{''.join(f' ({reason})' for reason in sorted(failed))}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", default="", metavar="TEXT", help="the tutorials whose names have this in them")
    arguments = parser.parse_args()
    print("| tutorial | processes | -pc_type | iterations | PCSetUp ms | KSPSolve ms |")
    print("| --- | ---: | --- | ---: | ---: | ---: |")
    for name, program, all_processes, options in TUTORIALS:
        if arguments.only not in name:
            continue
        for processes in all_processes:
            logs = {kind: [] for kind in TYPES}
            for _ in range(arguments.repeats):
                for kind in TYPES:
                    logs[kind].append(run(arguments.build.resolve(), program, processes, f"{options} -pc_type {kind}"))
            for kind in TYPES:
                setup = statistics.median(milliseconds(log, "PCSetUp") for log in logs[kind])
                solve = statistics.median(milliseconds(log, "KSPSolve") for log in logs[kind])
                print(f"| {name} | {processes} | {kind} | {iterations(logs[kind][0])} | {setup:.0f} | {solve:.0f} |",
                      flush=True)


if __name__ == "__main__":
    main()
