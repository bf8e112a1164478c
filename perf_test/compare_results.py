#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares what two commands `tessera` compute, bit for bit.

    compare_results.py BEFORE/tessera NOW/tessera --matrices FOLDER --out both.json

Both solve small problems of the gallery and the square matrices of a folder (Matrix Market, plain or
packed by gzip or xz; INDEX.tsv, where the folder has one, says which are square), with the defaults and
with sets of parameters. Exit code, status, iterations, true residual, residual history, rows and entries
of the levels, and x have to be the same; x is compared by the bits of its numbers. Prints a line for each
difference and a summary.

Of a difference the command before is asked again: where it does not repeat itself, as it may with several
threads, nothing is learnt, and that is counted separately. So are solves that ran into a limit of time,
and what both refuse with the same exit code.

Sets have NOW's names of parameters. `--rename OLD=NEW` gives BEFORE the name OLD for NEW and for what is
nested in NEW; a set 'KEY=VALUE ... | KEY=VALUE ...' is BEFORE's and NOW's.

Exits with 1 where something differs, with 2 where nothing could be compared or it was interrupted. The
record of --out then holds what was done.
"""
import argparse
import datetime
import json
import lzma
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile

from compared_solves import Runner, SIDES, folder_systems, gallery_system, settings_of, unpack
from solve_differences import verdict

# A second at the most on two cores; large enough for several levels, and mostly for multigrid in float.
GALLERY = [
    "poisson2d:n=64", "poisson2d9:n=64", "poisson3d:n=20", "poisson3d27:n=16",
    "anisotropic2d:n=64", "anisotropic3d:n=16", "jump2d:n=64", "jump3d:n=20",
    "convdiff2d:n=64", "convdiff3d:n=20", "elasticity2d:n=32", "elasticity3d:n=9",
    "beam:order=2,refine=2", "lshape:order=3,refine=3", "unstructured2d:n=64",
    "unstructured3d:n=16", "unstructured_elasticity3d:n=9", "graph:n=64", "neumann2d:n=64",
    "neumann3d:n=20",
]
SETS = [
    "",
    "preconditioner=amg precision=same amg.cycle=w amg.smoother.type=chebyshev",
    "preconditioner=amg amg.coarsening=pairwise solver.name=fgmres",
    "preconditioner=jacobi solver.name=bicgstab",
    "preconditioner=ilu solver.name=gmres",
    "preconditioner=direct",
]


def processor():
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return "unknown"
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return found[1].strip() if found else "unknown"


class Comparison:
    """All results so far, and the record of them."""

    WORDS = {"same": "the same", "different": "different",
             "unrepeatable": "not repeated by BEFORE itself", "late": "beyond the limit of time", "refused": "refused by both"}

    def __init__(self, options, argv):
        self.options = options
        self.results = []
        self.builds = {side: {} for side in SIDES}
        self.interrupted = False
        self.run = {
            "command": shlex.join(["perf_test/compare_results.py", *argv]),
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "processor": processor(), "threads": str(options.threads)}

    def add(self, system, text, kind, found, solves):
        result = {"system": system.name, "parameters": text, "verdict": kind}
        report = solves["now"].report or solves["before"].report
        for key in ("status", "iterations", "true_relative_residual"):
            if key in report:
                result[key] = report[key]
        if "rows" in report.get("problem", {}):
            result["rows"] = report["problem"]["rows"]
        if kind == "refused":
            result["message"] = solves["now"].message
        if found:
            result["differences"] = found
        self.results.append(result)
        for side in SIDES:
            build = solves[side].report.get("build")
            self.builds[side] = self.builds[side] or build or {}

    def count(self, kind):
        return sum(result["verdict"] == kind for result in self.results)

    def summary(self):
        counts = [f"{self.count(kind)} {word}" for kind, word in self.WORDS.items()
                  if self.count(kind) or kind in ("same", "different")]
        return f"{len(self.results)} solves by each: " + ", ".join(counts)

    def write(self):
        """The record appears whole or not at all."""
        path = self.options.out
        if not path or not self.results:
            return
        record = {"comparison": "results", "rhs": self.options.rhs,
                  "time_limit_s": self.options.time_limit_s, "interrupted": self.interrupted,
                  "renames": self.options.renames, "run": self.run, **self.builds,
                  "counts": {kind: self.count(kind) for kind in self.WORDS}, "results": self.results}
        part = pathlib.Path(f"{path}.part")
        part.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        part.replace(path)


def progress(text=""):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def problem_of(line, known):
    """The name at the start of a line, which may touch the text behind it where it is a long one."""
    fitting = [name for name in known if line.startswith(name)]
    return max(fitting, key=len, default=line.split()[0])


def gallery_systems(runner, chosen):
    """The systems of the gallery that both commands have; says which one of them lacks."""
    if chosen:
        return [gallery_system(text) for text in chosen]
    sizes = {text.partition(":")[0]: text for text in GALLERY}
    lists = [{problem_of(line, sizes) for line in runner.ask(side, "gallery").splitlines()
              if line.strip()} for side in SIDES]
    for name in sorted(lists[0] ^ lists[1]):
        print(f"{name}: in the gallery of {SIDES[name in lists[1]]} alone")
    for name in sorted((lists[0] & lists[1]) - set(sizes)):
        print(f"{name}: left out, compare_results.py has no size for it")
    return [gallery_system(sizes[name]) for name in sizes if name in lists[0] & lists[1]]


def compare(runner, comparison, systems):
    sets = [(text.strip(), settings_of(text, runner.options.renames)) for text in runner.options.sets]
    for number, system in enumerate(systems, 1):
        matrix = None
        if system.file:
            matrix = runner.scratch / "matrix.mtx"
            unpack(system.file, matrix)
        for text, settings in sets:
            progress(f"{number}/{len(systems)} {system.name} {text}")

            def solve(side):
                return runner.solve(side, system, matrix, settings)

            solves = {side: solve(side) for side in SIDES}
            kind, found = verdict(*solves.values(), again=lambda: solve("before"))
            comparison.add(system, text, kind, found, solves)
            if found:
                progress()
                note = "" if kind == "different" else " [not repeated by BEFORE itself]"
                print(f"{system.name} ({text or 'defaults'}): {'; '.join(found)}{note}", flush=True)
        comparison.write()
    progress()


def rename(text):
    old, equals, new = text.partition("=")
    if not old or not equals or not new:
        raise argparse.ArgumentTypeError(f"'{text}' is not OLD=NEW")
    return new, old


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", metavar="BEFORE", help="command of the state before")
    parser.add_argument("now", metavar="NOW", help="command of this state")
    parser.add_argument("--matrices", metavar="FOLDER", type=pathlib.Path, help="matrices to solve as well")
    parser.add_argument("--max-entries", type=int, default=1_000_000,
                        help="of those in the folder's INDEX.tsv [%(default)s]")
    parser.add_argument("--gallery", nargs="*", metavar="NAME:KEY=VALUE,...",
                        help="these problems alone; none with no name [all, small]")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these matrices of the folder alone")
    parser.add_argument("--set", dest="sets", action="append", metavar="'KEY=VALUE ...'",
                        help=f"parameters, in place of the {len(SETS)} sets; may be given again; "
                             "'' is the defaults")
    parser.add_argument("--rename", dest="renames", action="append", type=rename, default=[],
                        metavar="OLD=NEW", help="a parameter that BEFORE calls OLD")
    parser.add_argument("--rhs", default="random", help="right-hand side [%(default)s]")
    parser.add_argument("--threads", type=int, default=1,
                        help="threads; more than one may change bits from run to run [%(default)s]")
    parser.add_argument("--time-limit-s", type=float, default=20, help="for a solve [%(default)s]")
    parser.add_argument("--process-limit-s", type=float, default=120, help="for a process [%(default)s]")
    parser.add_argument("--arguments", type=shlex.split, default=[], metavar="ARGUMENTS",
                        help="one word: more arguments of `tessera solve`")
    parser.add_argument("--out", metavar="FILE", help="JSON file for the record")
    options = parser.parse_args(argv)
    options.renames = dict(options.renames)
    options.sets = options.sets or SETS
    if options.threads < 1:
        parser.error("--threads takes a positive number")
    if options.only and not options.matrices:
        parser.error("--only chooses matrices of --matrices")
    try:
        for text in options.sets:
            settings_of(text, options.renames)
        for text in options.gallery or []:
            gallery_system(text)
    except ValueError as wrong:
        parser.error(str(wrong))
    return options


def systems_of(runner, options):
    systems = gallery_systems(runner, options.gallery) if options.gallery != [] else []
    if options.matrices:
        found = folder_systems(options.matrices, options.max_entries)
        missing = set(options.only or []) - {system.name for system in found}
        if missing:
            raise RuntimeError(f"{options.matrices} has no {', '.join(sorted(missing))} to solve")
        systems += [system for system in found if not options.only or system.name in options.only]
    return systems


def stop(*_):
    raise KeyboardInterrupt


def main(argv):
    options = parse(argv)
    comparison = Comparison(options, argv)
    signal.signal(signal.SIGTERM, stop)
    wrong = None
    with tempfile.TemporaryDirectory(prefix="compare_results.") as scratch:
        runner = Runner(options, pathlib.Path(scratch))
        try:
            compare(runner, comparison, systems_of(runner, options))
        except KeyboardInterrupt:
            comparison.interrupted = True
            wrong = "interrupted"
        except (RuntimeError, OSError, EOFError, lzma.LZMAError, subprocess.TimeoutExpired) as reason:
            wrong = str(reason)
    progress()
    try:
        comparison.write()
    except OSError as reason:
        wrong = f"{options.out} cannot be written: {reason.strerror}"
    print(comparison.summary(), flush=True)
    if wrong:
        print(f"compare_results: {wrong}", file=sys.stderr)
    if comparison.count("different"):
        return 1
    return 2 if wrong or not comparison.count("same") else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
