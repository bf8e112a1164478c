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
import csv
import datetime
import gzip
import json
import lzma
import os
import pathlib
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

SIDES = ("before", "now")
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
REFUSED = (64, 65, 78)
MESSAGE_BYTES = 300


def setting_pairs(text):
    """[(key, value)] of 'KEY=VALUE KEY=VALUE'."""
    pairs = []
    for word in shlex.split(text):
        key, equals, value = word.partition("=")
        if not key or not equals:
            raise ValueError(f"'{word}' is not KEY=VALUE")
        pairs.append((key, value))
    return pairs


def settings_of(text, renames):
    """{side: [KEY=VALUE]} of a set; `renames` has BEFORE's name by NOW's."""
    before, bar, now = text.partition("|")
    now = setting_pairs(now if bar else before)
    if bar:
        before = setting_pairs(before)
    else:
        before = [(renamed(key, renames), value) for key, value in now]
    return {side: [f"{key}={value}" for key, value in pairs]
            for side, pairs in zip(SIDES, (before, now))}


def renamed(key, renames):
    """BEFORE's name of a key: that of the longest part of it which was renamed."""
    parts = key.split(".")
    for count in range(len(parts), 0, -1):
        old = renames.get(".".join(parts[:count]))
        if old is not None:
            return ".".join([old, *parts[count:]])
    return key


@dataclass
class Solve:
    """What a command said of a system."""

    code: int | None = None  # None: the process was stopped after its limit
    message: str = ""
    report: dict = field(default_factory=dict)
    x: str = ""


@dataclass
class System:
    name: str
    arguments: list = field(default_factory=list)  # of the gallery
    file: pathlib.Path | None = None


def gallery_system(text):
    """A system of 'poisson2d:n=64,epsilon=1'."""
    name, _, settings = text.partition(":")
    arguments = ["--problem", name]
    for setting in filter(None, settings.split(",")):
        key, equals, value = setting.partition("=")
        if not equals:
            raise ValueError(f"{text}: '{setting}' is not KEY=VALUE")
        arguments += ["--" + key.replace("_", "-"), value]
    return System(text, arguments)


def folder_systems(folder, max_entries):
    """The matrices of a folder that may be solved, small files first."""
    files = {}
    for path in folder.iterdir():
        found = re.fullmatch(r"(.+)\.mtx(?:\.gz|\.xz)?", path.name)
        if found:
            files[found[1]] = path
    index = folder / "INDEX.tsv"
    if index.is_file():
        with open(index, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                if row["rows"] != row["cols"] or int(row["nnz_expanded"]) > max_entries:
                    files.pop(row["name"], None)
    names = sorted(files, key=lambda name: (files[name].stat().st_size, name))
    return [System(name, file=files[name]) for name in names]


def unpack(file, place):
    opener = {".gz": gzip.open, ".xz": lzma.open}.get(file.suffix, open)
    with opener(file, "rb") as packed, open(place, "wb") as plain:
        shutil.copyfileobj(packed, plain)


def read_x(file):
    """The numbers of a Matrix Market array as their texts; comments say nothing of x."""
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(line.strip() for line in lines if line.strip() and not line.startswith("%"))


def bits(text):
    return struct.pack("<d", float(text))


class Runner:
    """Solves systems with both commands in a scratch folder."""

    def __init__(self, options, scratch):
        self.programs = {"before": options.before, "now": options.now}
        self.options = options
        self.scratch = scratch
        time_limit = f"solver.time_limit_s={options.time_limit_s:g}"
        self.time_limit = settings_of(time_limit, options.renames)
        self.environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads), OMP_PROC_BIND="false")

    def call(self, command):
        """Exit code, standard output and error; what a wrapper started ends with it, also after
        the limit of time (subprocess.TimeoutExpired) and Ctrl-C."""
        try:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                       errors="replace", env=self.environment, start_new_session=True)
        except OSError as wrong:
            raise RuntimeError(f"{command[0]} cannot be run: {wrong.strerror}") from wrong
        try:
            out, err = process.communicate(timeout=self.options.process_limit_s)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise
        return process.returncode, out, err

    def ask(self, side, *arguments):
        """The standard output of a command that has to succeed."""
        code, out, _ = self.call([self.programs[side], *arguments])
        if code != 0:
            raise RuntimeError(f"{self.programs[side]} {' '.join(arguments)} ended with {code}")
        return out

    def solve(self, side, system, matrix, settings):
        report, x = self.scratch / "report.json", self.scratch / "x.mtx"
        for file in (report, x):
            file.unlink(missing_ok=True)
        where = [str(matrix)] if matrix else system.arguments
        command = [self.programs[side], "solve", *where, "--rhs", self.options.rhs,
                   "--threads", str(self.options.threads)]
        for setting in [*self.time_limit[side], *settings[side]]:
            command += ["-p", setting]
        command += [*self.options.arguments, "--report", str(report), "-o", str(x)]
        try:
            code, out, err = self.call(command)
        except subprocess.TimeoutExpired:
            return Solve()
        said = (err.strip() or out.strip()).splitlines()
        found = Solve(code, said[0][:MESSAGE_BYTES] if said else "")
        try:
            if report.is_file():
                found.report = json.loads(report.read_text(encoding="utf-8"))
            if x.is_file():
                found.x = read_x(x)
        except ValueError as wrong:
            raise RuntimeError(f"the report of {self.programs[side]} is not JSON: {wrong}") from wrong
        return found


def levels_of(report):
    return [(level.get("rows"), level.get("entries")) for level in report.get("levels", [])]


def history_difference(before, now):
    if repr(before) == repr(now):
        return None
    first = next((at for at, (a, b) in enumerate(zip(before, now)) if repr(a) != repr(b)),
                 min(len(before), len(now)))
    return f"residual history from entry {first} of {len(before)} and {len(now)}"


def x_difference(before, now):
    """None, or what differs between the texts of two arrays."""
    if before == now:
        return None
    if not before or not now:
        return "x is written by one alone"
    (size, *a), (size_now, *b) = before.split("\n"), now.split("\n")
    if size != size_now or len(a) != len(b):
        return f"x has the size {size}, now {size_now}"
    other = [(float(v), float(w)) for v, w in zip(a, b) if bits(v) != bits(w)]
    if not other:
        return None
    largest = max((abs(v) for v in map(float, a)), default=0.0)
    most = max(abs(v - w) for v, w in other)
    return f"x in {len(other)} of {len(a)} numbers, by up to {most:.1e} (largest {largest:.1e})"


def differences(before, now):
    """What differs between two solves, as texts; [] where nothing does."""
    if before.code != now.code:
        return [f"exit code {said(before)}, now {said(now)}"]
    found = []
    for key in ("status", "iterations", "true_relative_residual"):
        values = [solve.report.get(key) for solve in (before, now)]
        if repr(values[0]) != repr(values[1]):
            found.append(f"{key} {values[0]}, now {values[1]}")
    levels = [levels_of(solve.report) for solve in (before, now)]
    if levels[0] != levels[1]:
        first = next((at for at, (a, b) in enumerate(zip(*levels)) if a != b), min(map(len, levels)))
        found.append(f"levels from level {first} of {len(levels[0])} and {len(levels[1])}")
    histories = [solve.report.get("residual_history", []) for solve in (before, now)]
    found += filter(None, [history_difference(*histories), x_difference(before.x, now.x)])
    return found


def said(solve):
    if solve.code is None:
        return "none (stopped)"
    return f"{solve.code} ({solve.message})" if solve.code and not solve.report else str(solve.code)


def is_late(solve):
    return solve.code is None or solve.report.get("status") == "time_limit"


def verdict(before, now, again):
    """(kind, differences); `again` solves once more with the command before."""
    if is_late(before) or is_late(now):
        return "late", []
    if before.code == now.code and before.code in REFUSED:
        return "refused", []
    found = differences(before, now)
    if found and not differences(before, now=again()):
        return "different", found
    return ("unrepeatable" if found else "same"), found


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
