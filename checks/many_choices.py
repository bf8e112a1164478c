#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""many_choices.py LIBTESSERA_C --matrices FOLDER --out RECORD: the pairs of every_choice.py by the library, on matrices of any size.

Many solves a process, for GPUs, where to start one takes longer than most solves, and for large matrices. Each matrix gets each coarsening with the
smoother that is picked, each smoother with the coarsening that is picked, and then, round after round until --limit-s, --more of the
other pairs, others for the next matrix. 50 iterations are the most. What counts as found is what does in every_choice.py: a crash, an end beyond
--each-s, an error that is no refusal, a solution that is not finite, and `converged` where the residual, summed up here,
is over the tolerance; a process that crashed or was late is started again. --jobs N has N matrices solved side by side, each
worker in processes of its own on the same device. Matrices are put down in --scratch as compressed rows first.

The record, written again after each matrix, has for each a letter for each pair, in the order of `pairs`: `.` not run, `c` converged,
`m` limit of iterations, `t` limit of time, `s` stagnated, `d` diverged, `n` not a number, `b` breakdown, `r` refused, `!` found.
"""
import argparse
import array
import collections
import json
import math
import multiprocessing
import operator
import os
import pathlib
import queue
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "perf_test"))
import solver_process  # noqa: E402
from csr_file import read_matrix_market, write_csr  # noqa: E402
from every_choice import COARSENINGS, SMOOTHERS, TOLERANCE, matrices  # noqa: E402

COMMON = "preconditioner=amg direct.max_memory_mb=0 solver.max_iterations=50 amg.coarse_size=50"
PAIRS = [(c, s) for c in COARSENINGS for s in SMOOTHERS]
REFUSALS = ("error_input", "error_configuration")
LETTERS = {"converged": "c", "success": "c", "max_iterations": "m", "time_limit": "t", "stagnated": "s", "diverged": "d"}
LETTERS |= {"not_a_number": "n", "breakdown": "b", "refused": "r"}


class CheckedLibrary(solver_process.Library):
    """Solves whose solutions are looked at here: the child's side."""

    def load(self, system):
        found = super().load(system)
        owned, n = self.owned, self.A.rows
        self.rows = list(zip(owned.offsets, owned.offsets[1:]))
        hashed = [((i * 2654435761 + 12345) % 2**32) / 2**31 - 1 for i in range(n)]
        self.b = array.array("d", self.product(owned.values, hashed, sum))
        self.norm = math.hypot(*self.b) if n else 0.0
        return found

    def product(self, values, x, add):
        columns, at = self.owned.columns, x.__getitem__
        return [add(map(operator.mul, values[begin:end], map(at, columns[begin:end]))) for begin, end in self.rows]

    def excess(self, x):
        """How many times the tolerance ||b - A x|| is, less what rounding is good for."""
        for add in (sum, math.fsum):
            residual = math.hypot(*map(operator.sub, self.b, self.product(self.owned.values, x, add)))
            if residual <= TOLERANCE * self.norm:
                return 0.0
        magnitudes = self.product(array.array("d", map(abs, self.owned.values)), list(map(abs, x)), math.fsum)
        allowed = 1.01 * TOLERANCE * self.norm + 4 * sys.float_info.epsilon * math.hypot(*magnitudes)
        return residual / allowed if allowed > 0 else float(residual > 0)

    def run(self, settings):
        found = super().run(settings)
        x = list(self.x)
        found["is_finite"] = all(map(math.isfinite, x))
        if found["status"] == "converged" and found["is_finite"]:
            found["excess"] = self.excess(x)
        return found


class CheckedSolves(solver_process.Solves):
    def __init__(self, library, threads, limit_s):
        super().__init__(library, threads, limit_s)
        self.words[1] = str(pathlib.Path(__file__).resolve())
        self.words.insert(2, "--serve")


def finding_of(found):
    """(what the end counts as, what is wrong with it or None), of a reply."""
    status, error = found["status"], found.get("error", "")
    if status == "error":
        return ("refused", None) if error.startswith(REFUSALS) else ("error", error)
    if status == "crash" or status.startswith("more than"):
        return status, error or status
    if not found["is_finite"]:
        return status, "the solution is not finite"
    if status == "converged" and not found["excess"] <= 1:
        return status, f"converged, and the residual is {found['excess']:.3g} times what it may be"
    return status, None if status in LETTERS else f"ends as {status}"


def first_pairs():
    return [i for i, pair in enumerate(PAIRS) if "auto" in pair]


def further_pairs(number):
    """The others in an order of the matrix's own: a step that has no factor in common with their count leads through all."""
    others = [i for i, pair in enumerate(PAIRS) if "auto" not in pair]
    return [others[(37 * number + 47 * i) % len(others)] for i in range(len(others))]


def solve_matrix(solves, entry, path, pairs, end):
    """Fills in the letters of `pairs` for as long as there is time; returns what was found."""
    said = []
    loaded = solves.load(str(path))
    if "rows" not in loaded:
        entry["error"] = loaded.get("error", loaded.get("status"))
        return [f"{entry['name']}: not read: {entry['error']}"]
    entry |= {"rows": loaded["rows"], "entries": loaded["entries"]}
    for i in pairs:
        if time.time() > end:
            break
        begin = time.monotonic()
        coarsening, smoother = PAIRS[i]
        settings = " ".join(f"{COMMON} {COARSENINGS[coarsening]} {SMOOTHERS[smoother]}".split())
        status, wrong = finding_of(solves.once(settings))
        letter = "!" if wrong else LETTERS[status]
        entry["ends"] = entry["ends"][:i] + letter + entry["ends"][i + 1 :]
        entry["longest_s"] = max(entry.get("longest_s", 0), round(time.monotonic() - begin, 2))
        if wrong:
            said.append(f"{entry['name']}, {coarsening}, {smoother}: {wrong}")
    return said


def work(options, tasks, results, end):
    """A worker: matrices from `tasks` until there are none."""
    solves = CheckedSolves(options.shared_library, options.threads, options.each_s)
    while True:
        try:
            entry, path, pairs = tasks.get_nowait()
        except queue.Empty:
            break
        if time.time() > end:
            break
        said = solve_matrix(solves, entry, path, pairs, end)
        results.put((entry, said, solves.machine))
    solves.close()
    results.put(None)


def prepared(task):
    """A matrix as compressed rows in a file, from its lines or from a file that is there."""
    source, path = task
    if not path.is_file():
        part = path.with_suffix(".part")
        write_csr(part, read_matrix_market(source))
        part.rename(path)
    return path


def wanted(options):
    """[(name, file)] of the square real ones, the smallest files first."""
    found = [(name, at) for name, at in matrices(options.matrices, options.max_rows, lines=False)]
    found = [(name, at) for name, at in found if not options.only or any(part in name for part in options.only)]
    return sorted(found, key=lambda named: (named[1].stat().st_size, named[0]))


def run_round(options, record, tasks, end):
    """All tasks by --jobs workers; what they find goes into the record."""
    context = multiprocessing.get_context("fork")
    waiting, results = context.Queue(), context.Queue()
    for task in tasks:
        waiting.put(task)
    time.sleep(0.1)
    workers = [context.Process(target=work, args=(options, waiting, results, end)) for _ in range(options.jobs)]
    for worker in workers:
        worker.start()
    left = len(workers)
    while left:
        result = results.get()
        if result is None:
            left -= 1
            continue
        entry, said, machine = result
        at = next(i for i, known in enumerate(record["matrices"]) if known["name"] == entry["name"])
        record["matrices"][at] = entry
        record["found"] += said
        print(*said, sep="\n" if said else "", end="\n" if said else "", flush=True)
        if machine and "run" not in record:
            record["run"] = {"command": " ".join(["many_choices.py", *sys.argv[1:]]), "date": machine["date"]}
            record["run"] |= {key: machine["build"][key] for key in ("commit", "compiler", "kokkos") if key in machine["build"]}
            record["run"] |= {"space": machine["device"]["space"], "gpu": machine["device"].get("name", "")}
        write(record, options.out)
    waiting.cancel_join_thread()
    for worker in workers:
        worker.join()


def write(record, out):
    part = out.with_suffix(".part")
    part.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    part.rename(out)


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared_library", help="libtessera_c.so")
    parser.add_argument("--matrices", required=True, type=pathlib.Path, help="folder of NAME.mtx or NAME.mtx.xz")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the record")
    parser.add_argument("--scratch", required=True, type=pathlib.Path, help="folder of the matrices as compressed rows")
    parser.add_argument("--max-rows", type=int, default=10**9)
    parser.add_argument("--only", nargs="+", help="matrices whose names contain one of these")
    parser.add_argument("--more", type=int, default=12, help="further pairs of each matrix in a round [%(default)s]")
    parser.add_argument("--limit-s", type=float, default=120, help="all in all; what is not solved by then is left [%(default)s]")
    parser.add_argument("--each-s", type=float, default=20, help="the most that one solve may take [%(default)s]")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="matrices at a time")
    return parser.parse_args()


def main():
    options = parsed()
    end = time.time() + options.limit_s
    os.environ["OMP_NUM_THREADS"] = str(options.threads)
    options.scratch.mkdir(parents=True, exist_ok=True)
    files = wanted(options)
    paths = [options.scratch / f"{name}.tsr" for name, _ in files]
    with multiprocessing.Pool(options.jobs) as pool:
        pool.map(prepared, [(at, path) for (_, at), path in zip(files, paths)], chunksize=1)
    record = {"comparison": "many_choices", "settings": COMMON, "tolerance": TOLERANCE, "pairs": [", ".join(pair) for pair in PAIRS]}
    record |= {"found": [], "matrices": [{"name": name, "ends": "." * len(PAIRS)} for name, _ in files]}
    # Those that take longest begin each round.
    order = sorted(range(len(files)), key=lambda i: -paths[i].stat().st_size)
    run_round(options, record, [(record["matrices"][i], paths[i], first_pairs()) for i in order], end)
    begin = 0
    while begin < len(further_pairs(0)) and time.time() < end:
        chosen = slice(begin, begin + options.more)
        run_round(options, record, [(record["matrices"][i], paths[i], further_pairs(i)[chosen]) for i in order], end)
        begin += options.more
    ends = collections.Counter("".join(entry["ends"] for entry in record["matrices"]))
    not_run = ends.pop(".", 0)
    solved = sum(1 for entry in record["matrices"] if all(entry["ends"][i] != "." for i in first_pairs()))
    print(f"{len(files)} matrices, {solved} of them by each coarsening and each smoother; {ends.total()} solves, {not_run} pairs not run: "
          + ", ".join(f"{ends[letter]} {letter}" for letter in sorted(ends, key=ends.get, reverse=True)) + f"; {len(record['found'])} found")
    return 1 if record["found"] or not ends else 0


if __name__ == "__main__":
    if sys.argv[1] == "--serve":
        solver_process.serve(*sys.argv[2:], make=CheckedLibrary)
    else:
        sys.exit(main())
