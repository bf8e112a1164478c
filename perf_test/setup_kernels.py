#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Time of a setup by kernel and by level, by the command's own profiler.

    setup_kernels.py BUILD/bin/tessera --out setup_kernels.json
    setup_kernels.py --record setup_kernels.json

The first command solves each case --rounds times in a process of its own by `tessera solve --profile`, the
second one prints the tables of a record again. The medians over rounds are kept: of each kernel in each step
on each level, timed in a run of its own with a fence after each kernel, and of the setup as a whole and by
level, timed with a fence after each step, --repeat times in a process. So kernels add up to more than a
setup takes, above all where they are short. "outside" are kernels that the command's report has on no level, such
as the inspection of the matrix, and what of a setup is no multigrid.
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile

from compare_results import processor
from compared_solves import gallery_system
from records import read_json
from table_cells import label, number

CASES = ("poisson2d:n=1024", "poisson2d:n=2048", "poisson3d:n=96", "poisson3d:n=128", "poisson3d:n=256",
         "poisson3d27:n=128")
# Of all kernels of a setup: shorter ones are summed.
LEAST_SHARE = 0.03
# Levels that the tables have a column for; coarser ones share one.
LEVELS = 3


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", metavar="COMMAND", nargs="?")
    parser.add_argument("--cases", nargs="+", default=CASES, metavar="NAME:KEY=VALUE,...", help="[%(default)s]")
    parser.add_argument("--rounds", type=int, default=5, help="processes for each case [%(default)s]")
    parser.add_argument("--repeat", type=int, default=5, help="setups of each process [%(default)s]")
    parser.add_argument("-p", dest="settings", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--out", metavar="FILE", type=pathlib.Path)
    parser.add_argument("--record", metavar="FILE", help="print its tables; nothing is measured")
    options = parser.parse_args(argv)
    if bool(options.record) == bool(options.command) or bool(options.command) != bool(options.out):
        parser.error("COMMAND with --out FILE, or --record FILE")
    return options


def report_of(options, case, scratch):
    report = pathlib.Path(scratch) / "report.json"
    call = [options.command, "solve", *gallery_system(case).arguments, "--rhs", "random"]
    call += ["--repeat", str(options.repeat)]
    for setting in options.settings:
        call += ["-p", setting]
    call += ["--quiet", "--profile", "--report", str(report)]
    ended = subprocess.run(call, capture_output=True, text=True)
    if ended.returncode != 0:
        sys.exit(f"{case}: {ended.stderr.strip() or f'ended with {ended.returncode}'}")
    return json.loads(report.read_text(encoding="utf-8"))


def median_of(reports, value):
    return round(statistics.median(map(value, reports)), 6)


def kernels_of(reports):
    """Medians over the reports, the longest first; a kernel that a report lacks took it no time."""
    found = collections.defaultdict(list)
    for report in reports:
        for kernel in report["kernels"]["setup"]:
            found[kernel["step"], kernel["kernel"], kernel["level"]].append(kernel)
    kernels = []
    for (step, name, level), each in found.items():
        times = [kernel["ms"] for kernel in each] + [0.0] * (len(reports) - len(each))
        calls = statistics.median_high([kernel["calls"] for kernel in each])
        kernels.append({"kernel": name, "step": step, "level": level, "calls": calls,
                        "ms": round(statistics.median(times), 6)})
    return sorted(kernels, key=lambda kernel: -kernel["ms"])


def measured(options, case, scratch):
    reports = [report_of(options, case, scratch) for _ in range(options.rounds)]
    first = reports[0]
    levels = [{"rows": level["rows"], "entries": level["entries"],
               "setup_ms": median_of(reports, lambda report, at=at: report["levels"][at]["setup_ms"])}
              for at, level in enumerate(first["levels"])]
    return {"name": case, "rows": first["problem"]["rows"], "entries": first["problem"]["entries"],
            "iterations": first["iterations"], "setup_ms": median_of(reports, lambda report: report["setup_ms"]),
            "levels": levels, "kernels": kernels_of(reports)}, first


def run_of(report):
    """What a record says of the run that made it."""
    command = [pathlib.Path(sys.argv[0]).name, *sys.argv[1:]]
    threads = [f"{name}={os.environ[name]}" for name in ("OMP_NUM_THREADS", "OMP_PROC_BIND") if name in os.environ]
    device, build = report["device"], report["build"]
    run = {"command": " ".join([*threads, shlex.join(command)]), "processor": processor(),
           "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
           "space": device["space"], **{key: build[key] for key in ("commit", "compiler", "kokkos")}}
    if device["space"] in ("cuda", "hip"):
        run["gpu"] = device["name"]
    return run


def column_of(level):
    return LEVELS + 1 if level is None else min(level, LEVELS)


def cells(times, total):
    return [number(times[at]) if times[at] else "" for at in range(LEVELS + 2)] + [number(total)]


def rows_of(problem):
    """Of each kernel in its step, of the shorter ones and of all: ms on each level, outside, and in all; last
    the setup by level."""
    times = collections.defaultdict(lambda: [0.0] * (LEVELS + 2))
    calls = collections.Counter()
    for kernel in problem["kernels"]:
        place = f"`{kernel['kernel']}`", kernel["step"]
        times[place][column_of(kernel["level"])] += kernel["ms"]
        calls[place] += kernel["calls"]
    order = sorted(times, key=lambda place: -sum(times[place]))
    every = [sum(column) for column in zip(*times.values())]
    short = [place for place in order if sum(times[place]) < LEAST_SHARE * sum(every)]
    rows = [[*place, calls[place], *cells(times[place], sum(times[place]))] for place in order if place not in short]
    for title, some in ((f"{len(short)} shorter ones", short), ("all kernels", order)):
        sums = [sum(column) for column in zip(*(times[place] for place in some))] or [0.0] * (LEVELS + 2)
        rows.append([title, "", sum(calls[place] for place in some), *cells(sums, sum(sums))])
    by_level = [0.0] * (LEVELS + 2)
    for at, level in enumerate(problem["levels"]):
        by_level[column_of(at)] += level["setup_ms"]
    by_level[column_of(None)] = max(0.0, problem["setup_ms"] - sum(by_level))
    rows.append(["setup, a wait per step", "", "", *cells(by_level, problem["setup_ms"])])
    return rows


def titles():
    return ["kernel", "step", "calls", *(f"level {at}" for at in range(LEVELS)), f"level {LEVELS} and below", "outside",
            "in all, ms"]


def print_tables(record):
    for problem in record["problems"]:
        print(f"{label(problem['name'])}, {len(problem['levels'])} levels\n")
        for row in (titles(), ["---"] * len(titles()), *rows_of(problem)):
            print("| " + " | ".join(map(str, row)) + " |")
        print(flush=True)


def main(argv):
    options = parse(argv)
    if options.record:
        print_tables(read_json(options.record))
        return
    record = {"comparison": "setup by kernel and level", "rounds": options.rounds, "repeat": options.repeat,
              "settings": options.settings, "problems": []}
    with tempfile.TemporaryDirectory(prefix="setup_kernels.") as scratch:
        for case in options.cases:
            problem, report = measured(options, case, scratch)
            record.setdefault("run", run_of(report))
            record["problems"].append(problem)
            print_tables({"problems": [problem]})
            options.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
