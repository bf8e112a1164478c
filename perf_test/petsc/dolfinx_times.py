#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tessera's preconditioner beside GAMG and BoomerAMG in a program of dolfinx's, as rows of a table.

    perf_test/petsc/dolfinx_times.py BUILD [PYTHON_PATH]

PYTHON_PATH is the folder that has dolfinx and petsc4py, where Python does not find them by itself. Medians; in each
run every type has its turn. One thread per process.
"""

import argparse
import os
import pathlib
import statistics
import subprocess

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "examples" / "petsc" / "dolfinx_beam.py"
# Problem, points along an edge, order of the elements.
PROBLEMS = [("poisson", 40, 1), ("poisson", 20, 2), ("elasticity", 12, 1), ("elasticity", 6, 2)]


def rows(build, path, processes, problem):
    """The numbers of each type: iterations, and milliseconds of set-up, of the solve, and of the processor."""
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", OMPI_MCA_mpi_yield_when_idle="1",
                       PRTE_MCA_mapby=":oversubscribe", PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe",
                       OMPI_MCA_rmaps_base_oversubscribe="true",
                       PYTHONPATH=path, XDG_CACHE_HOME=str(build / "dolfinx_times"),
                       PETSC_OPTIONS=f"-dll_append {build / 'packages' / 'petsc' / 'libtessera_petsc.so'}")
    command = ["mpirun", "--bind-to", "none", "-n", str(processes), "python3", PROGRAM,
               *(str(part) for part in problem), "tessera", "gamg", "hypre"]
    text = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600).stdout
    found = {}
    for line in text.splitlines():
        parts = [part.strip() for part in line.strip("| ").split("|")]
        if len(parts) == 7:
            found[parts[2]] = [float(part) for part in parts[3:]]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("path", nargs="?", default="")
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    print("| problem | processes | -pc_type | iterations | setup ms | solve ms | processor ms |")
    print("| --- | ---: | --- | ---: | ---: | ---: | ---: |")
    for problem in PROBLEMS:
        for processes in (1, 2):
            runs = [rows(arguments.build.resolve(), arguments.path, processes, problem) for _ in range(arguments.repeats)]
            for kind in ("tessera", "gamg", "hypre"):
                middle = [statistics.median(run[kind][i] for run in runs) for i in range(4)]
                print(f"| {problem[0]}, n={problem[1]}, order {problem[2]} | {processes} | {kind} | "
                      f"{' | '.join(f'{value:.0f}' for value in middle)} |", flush=True)


if __name__ == "__main__":
    main()
