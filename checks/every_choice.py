#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""every_choice.py TESSERA --matrices FOLDER: multigrid by every coarsening and smoother on real matrices.

Solves each square matrix of FOLDER (NAME.mtx or NAME.mtx.xz) of up to --max-rows rows with the command TESSERA,
a process for each pair of a coarsening and a smoother; factors are not let in, and 100 iterations are the
most. Most pairs are of no use for most matrices. What a pair may not do is crash, go on beyond --limit-s, end with anything but a
status of the documentation or a refusal that names the setting, write a solution that is not finite, or say
converged where the residual, computed again here, is over the tolerance. The right-hand side is A times
hashed numbers. Prints what was found, a line for each, and the numbers of ends; exits with 1 where anything
was. --share N takes every N-th pair, others for the next matrix, --jobs N has N matrices solved side by side;
--out writes down a table, again after each matrix.
"""
import argparse
import collections
import concurrent.futures
import json
import lzma
import math
import os
import pathlib
import subprocess
import sys
import tempfile

COARSENINGS = {
    "auto": "",
    "boxes or MIS(2)": "amg.coarsening=smoothed_aggregation",
    "MIS(2)": "amg.coarsening=smoothed_aggregation amg.smoothed_aggregation.aggregation=mis2",
    "pairwise": "amg.coarsening=pairwise",
    "groups of 4": "amg.coarsening=pairwise amg.pairwise.passes=2 amg.cycle=k",
    "classical": "amg.coarsening=classical",
    "extended_e": "amg.coarsening=classical amg.classical.interpolation=extended_e",
    "direct": "amg.coarsening=classical amg.classical.interpolation=direct",
    "fronts": "amg.coarsening=classical amg.classical.splitting=advancing_front",
    "advancing fronts": "amg.coarsening=classical amg.classical.splitting=advancing_front "
    "amg.classical.strong_couplings=by_magnitude",
    "aggressive": "amg.coarsening=classical amg.classical.aggressive_levels=1",
    "modified": "amg.coarsening=classical amg.classical.interpolation=classical_modified",
    "multipass": "amg.coarsening=classical amg.classical.aggressive_levels=1 "
    "amg.classical.aggressive_interpolation=multipass",
    "by nodes": "amg.coarsening=classical amg.classical.systems=nodes",
    "reduction": "amg.coarsening=reduction",
}
SMOOTHERS = {
    "auto": "",
    "jacobi": "amg.smoother.type=jacobi",
    "l1_jacobi": "amg.smoother.type=l1_jacobi",
    "chebyshev": "amg.smoother.type=chebyshev",
    "fourth kind": "amg.smoother.type=chebyshev amg.smoother.chebyshev.kind=fourth",
    "fourth": "amg.smoother.type=chebyshev amg.smoother.chebyshev.kind=fourth_optimized",
    "spai0": "amg.smoother.type=spai0",
    "ilu": "amg.smoother.type=ilu",
    "block_jacobi": "amg.smoother.type=block_jacobi",
    "4 rows": "amg.smoother.type=block_jacobi amg.smoother.block_jacobi.block_rows=4",
    "nodes": "amg.smoother.type=block_jacobi amg.smoother.block_jacobi.blocks=nodes",
    "gauss_seidel": "amg.smoother.type=gauss_seidel",
    "ssor": "amg.smoother.type=gauss_seidel amg.smoother.gauss_seidel.symmetric=true amg.smoother.gauss_seidel.omega=1.3",
    "natural order": "amg.smoother.type=gauss_seidel amg.smoother.gauss_seidel.order=natural",
    "two_stage": "amg.smoother.type=two_stage_gauss_seidel",
    "fsai": "amg.smoother.type=fsai",
    "points": "amg.smoother.type=gauss_seidel amg.smoother.points=cf",
    "fine points": "amg.smoother.type=jacobi amg.smoother.points=f",
    "fine points first": "amg.smoother.type=l1_jacobi amg.smoother.points=fc",
}
COMMON = "preconditioner=amg direct.max_memory_mb=0 solver.max_iterations=100 amg.coarse_size=50"
TOLERANCE = 1e-8
# Exit codes of refusals: an input that does not suit the setting, and a setting that cannot be.
REFUSED = (65, 78)


class Matrix:
    """Triplets of a file, and a right-hand side in its range."""

    def __init__(self, lines):
        header = lines[0].lower().split()
        at = next(i for i, line in enumerate(lines) if not line.startswith("%"))
        self.rows, self.columns, _ = map(int, lines[at].split())
        self.entries = []
        for line in lines[at + 1 :]:
            row, column, *value = line.split()
            i, j, a = int(row) - 1, int(column) - 1, float(value[0]) if value else 1.0
            self.entries.append((i, j, a))
            if "general" not in header and i != j:
                self.entries.append((j, i, -a if "skew-symmetric" in header else a))
        hashed = [((i * 2654435761 + 12345) % 2**32) / 2**31 - 1 for i in range(self.columns)]
        self.b, _ = self.times(hashed)
        self.norm = math.hypot(*self.b) if self.rows else 0

    def times(self, x):
        """A x, and |A| |x|."""
        products = [[] for _ in range(self.rows)]
        for i, j, a in self.entries:
            products[i].append(a * x[j])
        return [math.fsum(p) for p in products], [math.fsum(map(abs, p)) for p in products]

    def excess(self, x):
        """How many times the tolerance ||b - A x|| is, less what rounding is good for."""
        product, magnitudes = self.times(x)
        residual = math.hypot(*(b - p for b, p in zip(self.b, product)))
        allowed = 1.01 * TOLERANCE * self.norm + 4 * sys.float_info.epsilon * math.hypot(*magnitudes)
        return residual / allowed if allowed > 0 else float(residual > 0)


def write_vector(path, values):
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"%%MatrixMarket matrix array real general\n{len(values)} 1\n")
        out.writelines(f"{value!r}\n" for value in values)


def read_vector(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    at = next(i for i, line in enumerate(lines) if not line.startswith("%"))
    return [float(line) for line in lines[at + 1 :]]


def finding_of(ended, matrix, report, solution):
    """(what the end counts as, what is wrong with it or None)"""
    said = (ended.stderr.strip().splitlines() or [""])[-1]
    if ended.returncode < 0:
        return "crash", f"signal {-ended.returncode}: {said}"
    if not report.is_file():
        if ended.returncode in REFUSED and said:
            return "refused", None
        return "no report", f"exit {ended.returncode}: {said}"
    status = json.loads(report.read_text(encoding="utf-8"))["status"]
    if not solution.is_file():
        return status, None if status != "converged" else "no solution was written"
    x = read_vector(solution)
    if len(x) != matrix.columns or not all(map(math.isfinite, x)):
        return status, "the solution is not finite"
    if status == "converged" and not matrix.excess(x) <= 1:
        return status, f"converged, and the residual is {matrix.excess(x):.3g} times what it may be"
    return status, None


def solve(options, path, matrix, settings, scratch):
    report, solution = scratch / "report.json", scratch / "x.mtx"
    for old in (report, solution):
        old.unlink(missing_ok=True)
    words = [options.program, "solve", str(path), "--rhs", str(scratch / "b.mtx"), "--threads", str(options.threads)]
    words += ["--quiet", "--report", str(report), "-o", str(solution)]
    words += [w for s in f"{COMMON} {settings}".split() for w in ("-p", s)]
    try:
        ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=options.limit_s)
    except subprocess.TimeoutExpired:
        return "late", f"still running after {options.limit_s:g} s"
    return finding_of(ended, matrix, report, solution)


def matrices(folder, max_rows, lines=True):
    """(name, lines) of the square ones with values, or (name, file)."""
    for path in sorted(folder.glob("*.mtx*")):
        opened = lzma.open if path.suffix == ".xz" else open
        with opened(path, "rt", encoding="utf-8") as file:
            header = file.readline().lower()
            line = next(line for line in file if not line.startswith("%"))
            rows, columns = map(int, line.split()[:2])
            is_square = rows == columns <= max_rows
            if not is_square or "coordinate" not in header or "complex" in header or "pattern" in header:
                continue
            yield path.name.split(".mtx")[0], [header, line, *file] if lines else path


def wanted(options):
    for name, lines in matrices(options.matrices, options.max_rows):
        if not options.only or any(part in name for part in options.only):
            yield name, lines


def solve_all(options, number, name, lines):
    """(pair, how it ended, what is wrong with that or None) for the share of the pairs that a matrix has."""
    pairs = [(c, s) for c in COARSENINGS for s in SMOOTHERS]
    ended = []
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        matrix = Matrix(lines)
        path = scratch / "matrix.mtx"
        path.write_text("".join(lines), encoding="utf-8")
        write_vector(scratch / "b.mtx", matrix.b)
        for coarsening, smoother in pairs[number % options.share :: options.share]:
            settings = f"{COARSENINGS[coarsening]} {SMOOTHERS[smoother]}"
            end, wrong = solve(options, path, matrix, settings, scratch)
            said = f"{name}, {coarsening}, {smoother}: {wrong}" if wrong else None
            ended.append((f"{coarsening}, {smoother}", end, said))
    return ended


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", help="the command tessera")
    parser.add_argument("--matrices", required=True, type=pathlib.Path, help="folder of the matrices")
    parser.add_argument("--max-rows", type=int, default=2100)
    parser.add_argument("--share", type=int, default=1, help="every N-th pair of each matrix")
    parser.add_argument("--only", nargs="+", help="matrices whose names contain one of these")
    parser.add_argument("--limit-s", type=float, default=120)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="matrices at a time")
    parser.add_argument("--out", type=pathlib.Path, help="JSON file: ends by pair, and what was found")
    options = parser.parse_args()
    # Dense factors are LAPACK's, whose threads spin where other programs run.
    os.environ["OMP_NUM_THREADS"] = str(options.threads)
    ends, found, number, runs = collections.defaultdict(collections.Counter), [], 0, 0
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        asked = [
            pool.submit(solve_all, options, number, name, lines)
            for number, (name, lines) in enumerate(wanted(options))
        ]
        for done in concurrent.futures.as_completed(asked):
            number += 1
            for pair, end, wrong in done.result():
                ends[pair][end] += 1
                runs += 1
                if wrong:
                    found.append(wrong)
                    print(wrong, flush=True)
            if options.out:
                record = {"matrices": number, "solves": runs, "ends": ends, "found": sorted(found)}
                options.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    total = sum(ends.values(), collections.Counter())
    by_number = sorted(total, key=total.get, reverse=True)
    print(f"{number} matrices, {runs} solves: " + ", ".join(f"{total[end]} {end}" for end in by_number))
    return 1 if found or runs == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
