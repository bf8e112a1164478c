#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""How many iterations the defaults take on one process and on several.

    process_iterations.py build/openmp/bin/tessera-mpi --matrices FOLDER --out process_iterations.json

Problems of the gallery, vortices and matrices of a folder, each solved by `mpirun -n P tessera-mpi solve` for random b on
each number of processes with one thread. Real matrices are small, and would be gathered on one process as a whole:
gather_rows=500 spreads them. Prints a line for each system, with statuses and true residuals where these tell more.
With --solutions a run also says how far its solution is from that of the first number of processes, in the Euclidean norm
and relative to it, which tells something by a small tolerance alone: --settings solver.tolerance=1e-13.
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

import vortex
from compare_results import processor
from compared_solves import gallery_system, unpack
from matrix_file import write_matrix

PROCESSES = (1, 2, 3, 4, 8)
GALLERY = [
    "poisson2d:n=200", "poisson2d9:n=200", "poisson3d:n=40", "poisson3d27:n=32", "neumann2d:n=200", "anisotropic2d:n=200",
    "anisotropic3d:n=30", "jump2d:n=200", "jump3d:n=36", "unstructured2d:n=180", "unstructured3d:n=32",
    "lshape:order=1,refine=7", "lshape:order=2,refine=6", "lshape:order=3,refine=5", "beam:order=1,refine=4",
    "beam:order=2,refine=3", "beam:order=3,refine=2", "elasticity2d:n=100", "elasticity3d:n=18",
    "unstructured_elasticity3d:n=18", "graph:n=180",
    *(f"convdiff2d:n=150,peclet={peclet}" for peclet in ("1e2", "1e3", "1e4", "1e5", "1e6", "1e7")),
    *(f"convdiff3d:n=36,peclet={peclet}" for peclet in ("1e2", "1e3", "1e4", "1e5", "1e6")),
]
FLOWS = [(150, peclet, scheme) for scheme in ("upwind", "central") for peclet in ("1e2", "1e3", "1e4", "1e5", "1e7")]
DEFINITE = ["1138_bus", "Trefethen_20000", "G2_circuit", "Dubcova1", "bcsstk16", "bcsstk18", "bcsstk38", "crystm01", "gr_30_30",
            "msc01440", "nasa4704", "nos3", "rail_20209", "s3rmt3m3", "shallow_water1", "wathen_30_30"]
OTHERS = ["BentPipe2D100", "CSky3d20", "add32", "bloweya", "cage9", "dw2048", "epb0", "memplus", "orsreg_1", "pde2961",
          "rdb1250l", "rdb2048", "saylr4", "sherman3", "sherman5", "watt_2"]
SPREAD = ["-p", "gather_rows=500"]


def systems(asked, scratch):
    """(kind, name, words) of what is asked for; a file is there while it is its turn."""
    def is_asked(name):
        return not asked.only or any(name.startswith(word) for word in asked.only)

    for text in filter(is_asked, GALLERY):
        kind = "convection" if text.startswith("convdiff") else "symmetric"
        yield kind, text, gallery_system(text).arguments
    path = scratch / "matrix.mtx"
    for n, peclet, scheme in FLOWS:
        name = f"vortex, {scheme}, {n}^2, Peclet {peclet}"
        if is_asked(name):
            write_matrix(path, n * n, vortex.entries(n, float(peclet), scheme == "central"))
            yield f"vortex, {scheme}", name, [str(path)]
    for kind, names in (("real, definite", DEFINITE), ("real, others", OTHERS)):
        for name in filter(is_asked, names if asked.matrices else ()):
            unpack(next(asked.matrices.glob(name + ".mtx*")), path)
            yield kind, name, [str(path), *SPREAD]


def solution_of(path):
    """The numbers of an array file of one column."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [float(text) for text in [line for line in lines if line and not line.startswith("%")][1:]]


def distance(x, reference):
    """Relative to the reference, in the Euclidean norm."""
    return math.dist(x, reference) / math.hypot(*reference)


def solve(asked, words, processes, report):
    report.unlink(missing_ok=True)
    command = [asked.mpirun, *asked.mpi_options.split(), "-n", str(processes), asked.program, "solve", *words, "--rhs", "random",
               "--threads", "1", "--quiet", "--report", str(report), "-p", f"solver.time_limit_s={asked.time_limit_s}"]
    for setting in asked.settings.split():
        command += ["-p", setting]
    solution = report.with_name("solution.mtx")
    if asked.solutions:
        solution.unlink(missing_ok=True)
        command += ["--output", str(solution)]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=3 * asked.time_limit_s,
                               env=dict(os.environ, OMP_NUM_THREADS="1", OMP_PROC_BIND="false"))
    except subprocess.TimeoutExpired:
        return {"processes": processes, "status": "no end"}
    if not report.is_file():
        return {"processes": processes, "status": f"exit {ended.returncode}: {ended.stderr.strip()[:200]}"}
    found = json.loads(report.read_text(encoding="utf-8"))
    made = {"processes": processes, "status": found["status"]}
    made |= {key: found[key] for key in ("iterations", "true_relative_residual", "solver", "preconditioner") if key in found}
    if found.get("levels"):
        made |= {"rows": [level["rows"] for level in found["levels"]], "smoother": found["levels"][0].get("smoother")}
    if asked.solutions and solution.is_file():
        made["x"] = solution_of(solution)
    made["notes"] = [note for note in found.get("notes", ()) if " ended as " in note]
    return made


def compare_solutions(results):
    """A distance in the place of each solution."""
    first = results[0].get("x")
    for made in reversed(results):
        x = made.pop("x", None)
        if x and first and len(x) == len(first):
            made["distance"] = distance(x, first)


def line(name, results):
    counts = [str(made.get("iterations", "-")) for made in results]
    picked = [str(results[0].get(key)) for key in ("solver", "smoother")]
    text = f"{name}: {', '.join(counts)} ({' '.join(picked)})"
    statuses = [made["status"] for made in results]
    if set(statuses) != {"converged"}:
        text += ": " + ", ".join(f"{s} {made.get('true_relative_residual', 0):.1e}" for s, made in zip(statuses, results))
    if len({str(made.get("rows")) for made in results}) > 1:
        text += "; levels differ"
    distances = [made["distance"] for made in results[1:] if "distance" in made]
    return text + (f"; solutions within {max(distances):.1e}" if distances else "")


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="tessera-mpi")
    parser.add_argument("--matrices", type=pathlib.Path, metavar="FOLDER", help="with NAME.mtx, .mtx.gz or .mtx.xz")
    parser.add_argument("--only", nargs="+", metavar="WORD", help="systems whose names begin so")
    parser.add_argument("--processes", type=int, nargs="+", default=PROCESSES, help="the first is what others are beside")
    parser.add_argument("--settings", default="", metavar="'KEY=VALUE ...'", help="in place of the defaults")
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--mpi-options", default="--oversubscribe", help="[%(default)s]")
    parser.add_argument("--time-limit-s", type=int, default=60, help="for a solve [%(default)s]")
    parser.add_argument("--solutions", action="store_true", help="how far each solution is from the first")
    parser.add_argument("--commit", metavar="HASH", default="unknown", help="of the program")
    parser.add_argument("--out", metavar="FILE", type=pathlib.Path, help="JSON file for the record")
    return parser.parse_args(argv)


def main(argv):
    asked = parse(argv)
    said = subprocess.run([asked.mpirun, "--version"], capture_output=True, text=True, check=True).stdout
    words = [f"--processes {' '.join(map(str, asked.processes))}", f"--settings '{asked.settings}'" if asked.settings else "",
             "--solutions" if asked.solutions else ""]
    record = {"comparison": "iterations by the number of processes",
              "command": " ".join(["process_iterations.py tessera-mpi", *filter(None, words)]), "settings": asked.settings,
              "commit": asked.commit, "processor": processor(), "date": datetime.date.today().isoformat(),
              "mpi": said.split("\n", maxsplit=1)[0], "results": []}
    with tempfile.TemporaryDirectory(prefix="process_iterations.") as folder:
        scratch = pathlib.Path(folder)
        for kind, name, words in systems(asked, scratch):
            made = [solve(asked, words, processes, scratch / "report.json") for processes in asked.processes]
            compare_solutions(made)
            record["results"].append({"kind": kind, "system": name, "runs": made})
            print(line(name, made), flush=True)
            if asked.out:
                asked.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
