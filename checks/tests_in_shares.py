#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""tests_in_shares.py BUILD: the programs of GoogleTest in BUILD/test in shares side by side, on the machine's GPUs in turn, for a record.

A program of N cases becomes ceil(N / --cases) shares. --jobs shares run at a time, of one process each, each with one of the --gpus
alone; --processes 2 3 adds `mpirun -n N tessera_test_distributed`, whose processes see all of them, and count as so many jobs. These
begin when a half of --jobs is left for the others, for processes that take turns on a GPU are slow. A share is ended after --limit-s,
and all of them when --total-s are over: what had passed by then counts, what had not begun is named. A case that failed runs once more
when all else is done, by itself, and is named apart where it passes then. --only picks shares by a regular expression (`distributed_3`),
--filter cases by GoogleTest's.

Logs go to --log. --out gets the record, a file of perf_test/results/gpu-tests-DATE.json: by program how many cases passed and were
skipped. Prints a line for each share that is not as it should be. Ends with 1 where a case failed, twice, or a program ended badly.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

COLOR = re.compile(r"\x1b\[[0-9;]*m")
END = re.compile(r"\[ *(OK|FAILED|SKIPPED) *\] (\S+?)(?:,.*)? \(\d+ ms\)$")
BEGIN = re.compile(r"\[ RUN      \] (\S+)$")
OTHERS = re.compile(r"process \d+: ")  # what a process but the first says of a case that fails
VISIBLE = ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES")
ALONE = {"distributed", "steady_memory"}  # of one thread
OF_PROCESSES = "tessera_test_distributed"
# Programs that other tests start, and those of libraries that start processes themselves.
NOT_ALONE = re.compile(r"tessera_test_(main|refusing_command|dying_process|finalized_kokkos|hypre|mfem).*")


class Share:
    """Some cases of a program on some processes."""

    def __init__(self, program, processes, index, count, filters=""):
        self.program, self.processes, self.index, self.count = program, processes, index, count
        self.filter = filters or ("-DistributedFaults.*" if program.name == OF_PROCESSES else "*")
        self.group = program.name.removeprefix("tessera_test_") + (f"_{processes}_processes" if processes > 1 else "")
        self.name = f"{self.group}.{index}"
        self.status = "not begun"
        self.ended = collections.defaultdict(list)  # by OK, FAILED, SKIPPED
        self.running = ""
        self.is_bad = False  # it failed by other than a case

    def command(self, options):
        run = [*options.mpirun.split(), "-n", str(self.processes)] if self.processes > 1 else []
        return [*run, str(self.program), f"--gtest_filter={self.filter}"]

    def environment(self, gpu):
        short = self.processes > 1 or self.group in ALONE
        more = {"GTEST_TOTAL_SHARDS": str(self.count), "GTEST_SHARD_INDEX": str(self.index),
                "OMP_NUM_THREADS": "1" if short else "2", "OMP_PROC_BIND": "false"}
        if self.processes == 1 and gpu is not None:
            more |= {name: os.environ[name].split(",")[gpu] if os.environ.get(name) else str(gpu) for name in VISIBLE}
        return os.environ | more

    def run(self, options, gpu, limit_s):
        log = options.log / f"{self.name}.log"
        with open(log, "wb") as file:
            try:
                process = subprocess.Popen(self.command(options), stdout=file, stderr=subprocess.STDOUT,
                                           stdin=subprocess.DEVNULL, env=self.environment(gpu), start_new_session=True)
                self.status = process.wait(timeout=limit_s)
            except subprocess.TimeoutExpired:
                end(process)
                self.status = "limit"
            except OSError as wrong:
                self.status = str(wrong)
        text = COLOR.sub("", log.read_text(encoding="utf-8", errors="replace"))
        for line in text.splitlines():
            begun, ended = BEGIN.match(line), END.match(line)
            if begun:
                self.running, elsewhere = begun[1], False
            elif OTHERS.match(line):
                elsewhere = True  # the first process alone says how a case ends, and for itself
            elif ended and ended[2] == self.running:
                self.ended["FAILED" if elsewhere else ended[1]].append(self.running)
                self.running = ""
        self.is_bad = self.status not in (0, "limit") and not (self.status == 1 and self.ended["FAILED"])


def end(process):
    """First so that mpirun can end its processes, which are in groups of their own."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
            process.wait(timeout=10)
            return
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
    process.wait()


def number_of_gpus():
    given = [os.environ[name] for name in VISIBLE if os.environ.get(name)]
    if given:
        return len(given[0].split(","))
    try:
        return len(subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=True).stdout.splitlines())
    except (OSError, subprocess.CalledProcessError):
        return 0


def number_of_cases(program, filters):
    try:
        listed = subprocess.run([str(program), "--gtest_list_tests", f"--gtest_filter={filters}"], capture_output=True,
                                text=True, errors="replace", check=False, timeout=120)
    except subprocess.TimeoutExpired:
        return 1
    return sum(line.startswith("  ") for line in listed.stdout.splitlines())


def shares_of(options):
    programs = [program for program in sorted((options.build / "test").glob("tessera_test_*"))
                if not program.suffix and os.access(program, os.X_OK) and not NOT_ALONE.fullmatch(program.name)]
    made = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        filters = [Share(program, 1, 0, 1, options.filter).filter for program in programs]
        for program, cases in zip(programs, pool.map(number_of_cases, programs, filters)):
            count = max(1, -(-cases // options.cases))
            numbers = [1, *options.processes] if program.name == OF_PROCESSES else [1]
            made += [Share(program, n, i, count, options.filter) for n in numbers for i in range(count) if cases or not options.filter]
    made = [share for share in made if re.search(options.only, share.name)]
    # Long programs first, and the slower ones of several processes among the others.
    return sorted(made, key=lambda share: (share.index, -share.count, share.name))


class Places:
    """How many jobs may begin: those of several processes leave half of them to others while there are any, and one that is
    more than there are places for begins when all are free."""

    def __init__(self, jobs, shares):
        self.free, self.all, self.half = jobs, jobs, max(1, jobs // 2)
        self.spread = 0
        self.singles = sum(share.processes == 1 for share in shares)
        self.changed = threading.Condition()

    def take(self, share):
        with self.changed:
            if share.processes > self.free and self.free < self.all:
                return False
            if share.processes > 1 and self.singles and self.spread and self.spread + share.processes > self.half:
                return False
            self.free -= share.processes
            self.spread += share.processes if share.processes > 1 else 0
            self.singles -= share.processes == 1
            return True

    def give(self, share):
        with self.changed:
            self.free += share.processes
            self.spread -= share.processes if share.processes > 1 else 0
            self.changed.notify_all()

    def wait(self):
        with self.changed:
            self.changed.wait(1)


def run_all(shares, options, left_s):
    waiting = list(shares)
    places = Places(options.jobs, shares)
    turn = 0

    def run(share, gpu):
        try:
            share.run(options, gpu, max(1, min(options.limit_s, left_s())))
        finally:
            places.give(share)

    with concurrent.futures.ThreadPoolExecutor(len(shares)) as pool:
        running = []
        while waiting and left_s() > 1:
            share = next((s for s in waiting if places.take(s)), None)
            if share is None:
                places.wait()
                continue
            waiting.remove(share)
            running.append(pool.submit(run, share, turn % options.gpus if options.gpus else None))
            turn += share.processes == 1
        for one in running:
            one.result()


def run_again(shares, options, left_s):
    """The cases that failed, each by itself: {group: those that pass then}."""
    passed = collections.defaultdict(list)
    for share in shares:
        for case in list(share.ended["FAILED"]):
            if left_s() <= 1:
                return passed
            again = Share(share.program, share.processes, 0, 1, case)
            again.name = f"{share.group}.again.{re.sub('[^A-Za-z0-9_.]', '_', case)}"
            again.run(options, 0 if options.gpus else None, max(1, min(options.limit_s, left_s())))
            if again.ended["OK"]:
                share.ended["FAILED"].remove(case)
                passed[share.group].append(case)
    return passed


def record_of(shares, again, options):
    groups = collections.defaultdict(lambda: collections.defaultdict(int))
    for share in shares:
        for how, cases in share.ended.items():
            groups[how][share.group] += len(cases)
    passed = {name: groups["OK"][name] + len(again.get(name, [])) for name in sorted({*groups["OK"], *again})}
    return {
        "date": time.strftime("%Y-%m-%d"), "commit": options.commit, "gpus": options.gpus, "command": " ".join(sys.argv),
        "passed": passed, "cases_passed": sum(passed.values()),
        "skipped": {name: n for name, n in sorted(groups["SKIPPED"].items()) if n},
        "failures": sorted({f"{s.group}: {case}" for s in shares for case in s.ended["FAILED"]}),
        "passed_alone_after_failing_beside_others": again,
        "ended_badly": {s.name: [s.status, s.running] for s in shares if s.is_bad},
        "ended_at_their_limit": {s.name: s.running for s in shares if s.status == "limit"},
        "not_begun": [s.name for s in shares if s.status == "not begun"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--gpus", type=int, help="how many, from the first on (default: those that nvidia-smi lists)")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2), help="default: %(default)s")
    parser.add_argument("--cases", type=int, default=60, help="of a share (default: %(default)s)")
    parser.add_argument("--processes", type=int, nargs="*", default=[], metavar="N")
    parser.add_argument("--mpirun", default="mpirun --oversubscribe", help="default: %(default)s")
    parser.add_argument("--limit-s", type=float, default=1200)
    parser.add_argument("--total-s", type=float, default=1e9)
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--filter", default="", metavar="FILTER", help="of cases, as GoogleTest takes it (default: all but faults of processes)")
    parser.add_argument("--commit", default="unknown", help="of the programs, for the record")
    parser.add_argument("--log", type=pathlib.Path, default=pathlib.Path("tests_in_shares"))
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    if options.cases < 1 or options.jobs < 1 or any(n < 2 for n in options.processes):
        parser.error("--cases and --jobs are at least 1, --processes at least 2")
    if options.gpus is None:
        options.gpus = number_of_gpus()
    options.log.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()

    def left_s():
        return options.total_s - (time.monotonic() - begun)

    shares = shares_of(options)
    if not shares:
        sys.exit(f"tests_in_shares: {options.build}/test has no program of tests for --only '{options.only}'")
    run_all(shares, options, left_s)
    again = run_again(shares, options, left_s)
    record = record_of(shares, again, options)
    if options.out:
        options.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    for line in record["failures"]:
        print(f"failed: {line}")
    for name, (status, running) in record["ended_badly"].items():
        print(f"ended with {status}: {name}, in {running or 'no case'} ({options.log / name}.log)")
    for name, running in record["ended_at_their_limit"].items():
        print(f"ended at its limit: {name}, in {running or 'no case'}")
    if record["not_begun"]:
        print("not begun: " + " ".join(record["not_begun"]))
    failed = len(record["failures"]) + len(record["ended_badly"])
    print(f"{record['cases_passed']} passed, {failed} failed, {sum(record['skipped'].values())} skipped")
    return 1 if failed or not record["cases_passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
