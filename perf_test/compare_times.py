#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Times to solution and iterations of two commands `tessera` on the matrices of a folder, in turn.

    compare_times.py BEFORE/tessera NOW/tessera --matrices FOLDER --rhs random ones --out both.json

Both solve each square matrix of more than --min-rows rows with what they pick, by each right-hand side: setup
and solve once each, the second command first at every other system. What takes less than --short-ms is solved
--repeat times more by each, in turn, and the least time counts; so is what differs by more than a tenth. Prints
what differs by more than a tenth, or in status, and a summary. The record holds for each system the status,
iterations and least milliseconds of both.
"""
import argparse
import csv
import datetime
import json
import pathlib
import sys
import tempfile
import time

from compare_results import processor
from compared_solves import Runner, SIDES, folder_systems, gallery_system, unpack

SOLVED = ("converged", "least_squares")


def real_systems(folder, min_rows, max_entries):
    """As compare_real's: square, with values, and with entries off the diagonal."""
    with open(folder / "INDEX.tsv", encoding="utf-8", newline="") as file:
        index = {row["name"]: row for row in csv.DictReader(file, delimiter="\t")}

    def is_wanted(row):
        rows = int(row["rows"])
        return rows > min_rows and "pattern" not in row["SPD"] and int(row["nnz_expanded"]) > rows

    return [system for system in folder_systems(folder, max_entries)
            if system.name in index and is_wanted(index[system.name])]


class Pair:
    """One system by both commands."""

    def __init__(self, runner, system, matrix):
        self.runner, self.system, self.matrix = runner, system, matrix
        self.found = {side: {} for side in SIDES}

    def solve(self, order):
        for side in order:
            settings = {each: [] for each in SIDES}
            report = self.runner.solve(side, self.system, self.matrix, settings).report
            if not report:
                self.found[side].setdefault("status", "stopped")
                continue
            spent = report["setup_ms"] + report["solve_ms"]
            least = min(spent, self.found[side].get("ms", spent))
            self.found[side] = {"status": report["status"], "iterations": report["iterations"],
                                "ms": round(least, 3)}

    def ratio(self):
        times = [self.found[side].get("ms") for side in SIDES]
        return times[1] / times[0] if all(times) else None

    def is_short(self, short_ms):
        times = [self.found[side].get("ms") for side in SIDES]
        return all(times) and max(times) < short_ms

    def differs(self):
        ratio = self.ratio()
        return ratio is not None and not 1 / 1.1 < ratio < 1.1


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", metavar="BEFORE", help="command of the state before")
    parser.add_argument("now", metavar="NOW", help="command of this state")
    parser.add_argument("--matrices", metavar="FOLDER", type=pathlib.Path, required=True)
    parser.add_argument("--rhs", nargs="+", default=["random", "ones"], help="[random ones]")
    parser.add_argument("--gallery", nargs="*", default=[], metavar="NAME:KEY=VALUE,...", help="these problems, too")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these matrices of the folder alone")
    parser.add_argument("--min-rows", type=int, default=1000, help="more rows than this [%(default)s]")
    parser.add_argument("--max-entries", type=int, default=10_000_000, help="[%(default)s]")
    parser.add_argument("--repeat", type=int, default=3, help="further solves [%(default)s]")
    parser.add_argument("--short-ms", type=float, default=100, help="[%(default)s]")
    parser.add_argument("--threads", type=int, default=1, help="[%(default)s]")
    parser.add_argument("--time-limit-s", type=float, default=20, help="for a solve [%(default)s]")
    parser.add_argument("--seconds", type=float, default=1e9, help="after which no other system begins")
    parser.add_argument("--out", metavar="FILE", help="JSON file for the record; what it holds is not done again")
    options = parser.parse_args(argv)
    options.process_limit_s = 3 * options.time_limit_s
    options.renames, options.arguments = {}, []
    return options


def line(result):
    sides = [result[side] for side in SIDES]
    said = [f"{s['status']} {s.get('iterations', '')} {s.get('ms', '')} ms" for s in sides]
    ratio = result.get("ratio")
    return f"{result['system']} ({result['rhs']}): {said[0]}, now {said[1]}" + (f", {ratio:.2f}" if ratio else "")


def compare(runner, options, record):
    """All that the record has not; False where time was over before."""
    end = time.monotonic() + options.seconds
    done = {(result["system"], result["rhs"]) for result in record["results"]}
    systems = real_systems(options.matrices, options.min_rows, options.max_entries)
    for system in systems + [gallery_system(text) for text in options.gallery]:
        wanted = [rhs for rhs in options.rhs if (system.name, rhs) not in done]
        if options.only and system.name not in options.only or not wanted:
            continue
        matrix = runner.scratch / "matrix.mtx" if system.file else None
        if system.file:
            unpack(system.file, matrix)
        for rhs in wanted:
            if time.monotonic() > end:
                return False
            pair = Pair(runner, system, matrix)
            order = SIDES if len(record["results"]) % 2 == 0 else SIDES[::-1]
            runner.options.rhs = rhs
            pair.solve(order)
            if pair.is_short(options.short_ms) or pair.differs():
                for _ in range(options.repeat):
                    order = order[::-1]
                    pair.solve(order)
            result = {"system": system.name, "rhs": rhs, **pair.found}
            if pair.ratio():
                result["ratio"] = round(pair.ratio(), 3)
            record["results"].append(result)
            if pair.differs() or pair.found["before"].get("status") != pair.found["now"].get("status"):
                print(line(result), flush=True)
    return True


def summary(results):
    solved = [sum(result[side].get("status") in SOLVED for result in results) for side in SIDES]
    slower = sum(result.get("ratio", 1) > 1.1 for result in results)
    quicker = sum(result.get("ratio", 1) < 1 / 1.1 for result in results)
    return (f"{len(results)} systems: {solved[0]} solved before, {solved[1]} now; "
            f"{slower} slower by more than a tenth, {quicker} quicker")


def main(argv):
    options = parse(argv)
    wanted = options.rhs
    record = {"comparison": "times", "command": "compare_times.py BEFORE NOW --matrices FOLDER --rhs " + " ".join(wanted),
              "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
              "processor": processor(), "threads": options.threads, "results": []}
    if options.out and pathlib.Path(options.out).is_file():
        record["results"] = json.loads(pathlib.Path(options.out).read_text(encoding="utf-8"))["results"]
    whole = False
    with tempfile.TemporaryDirectory(prefix="compare_times.") as scratch:
        runner = Runner(argparse.Namespace(**{**vars(options), "rhs": wanted[0]}), pathlib.Path(scratch))
        try:
            whole = compare(runner, options, record)
        except KeyboardInterrupt:
            pass
    if options.out:
        lines = ",\n".join(" " + json.dumps(result) for result in record["results"])
        head = json.dumps({key: value for key, value in record.items() if key != "results"})[:-1]
        pathlib.Path(options.out).write_text(f'{head}, "results": [\n{lines}\n]}}\n', encoding="utf-8")
    print(summary(record["results"]) + ("" if whole else "; not all were done"), flush=True)
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
