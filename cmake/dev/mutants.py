#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Seeded mistakes ("mutants") of checks/mutants/*.json, each of which the tests named beside it have to notice.

mutants.py --source DIR --check                  whether the lists suit the sources; builds nothing
mutants.py --source DIR --build DIR [--jobs N]   builds and tests them as DIR is configured

The tree is configured with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, best with -DCMAKE_UNITY_BUILD=OFF. What includes the
mistake is compiled again, beside the tree, and stands before the libraries of the program, which first has to
pass without it. The record is written after each mutant.
"""
import argparse
import fnmatch
import json
import pathlib
import queue
import re
import subprocess
import sys
import threading
import time

import mutant_worker

KEYS = {"name", "file", "find", "replace", "program", "filter", "what"}
OPTIONAL = {"configuration", "processes"}  # "openmp" and 1 where they are not there
TEST = re.compile(r"\b[A-Z_]*TEST(?:_[FP])?\(\s*(\w+)\s*,\s*(\w+)\s*[,)]")


def load(source):
    return [mutant for path in sorted((source / "checks/mutants").glob("*.json"))
            for mutant in json.loads(path.read_text(encoding="utf-8"))]


def names_test(pattern, suite, test):
    """Whether GoogleTest's filter takes a test: a plain one, one of each type, or one of each value."""
    prefix = pattern.partition("/")[0]
    return any(fnmatch.fnmatchcase(name, pattern)
               for name in (f"{suite}.{test}", f"{suite}/0.{test}", f"{prefix}/{suite}.{test}/0"))


def problems(source, mutants):
    """What is wrong with the lists, a line each."""
    names = [mutant.get("name") for mutant in mutants]
    for mutant in mutants:
        name = mutant.get("name")
        if not KEYS <= mutant.keys() <= KEYS | OPTIONAL:
            yield f"{name}: expected the keys {', '.join(sorted(KEYS))}, and perhaps {', '.join(sorted(OPTIONAL))}"
            continue
        if names.count(name) > 1:
            yield f"{name}: there are {names.count(name)} of that name"
        path = source / mutant["file"]
        count = path.read_text(encoding="utf-8").count(mutant["find"]) if path.is_file() else 0
        if count != 1:
            yield f"{name}: what to find is {count} times in {mutant['file']}, expected once"
        if mutant["find"] == mutant["replace"]:
            yield f"{name}: it changes nothing"
        tests = [test for program in mutant["program"].split() for test in (source / "tests" / program).glob("*.?pp")]
        text = "\n".join(test.read_text(encoding="utf-8") for test in tests)
        names = TEST.findall(text)
        for pattern in mutant["filter"].split(":") if tests else [mutant["program"]]:
            if not any(names_test(pattern, suite, test) for suite, test in names):
                yield f"{name}: {mutant['program']} has no tests of the name {pattern}"


def run_all(mutants, args):
    """Judges them; returns what became of them."""
    work, lock, processes = queue.Queue(), threading.Lock(), mutant_worker.Processes()
    for mutant in mutants:
        work.put(mutant)
    programs = sorted({program for mutant in mutants for program in mutant["program"].split()})
    tree = mutant_worker.Tree(args.source, args.build, programs, args.jobs, processes)
    head = subprocess.run(["git", "-C", str(args.source), "describe", "--always", "--dirty"], stdout=subprocess.PIPE,
                          text=True, check=False).stdout.strip()
    record = {"commit": head, "configuration": args.configuration, "mutants": []}

    def note(mutant, verdict, by, seconds):
        with lock:
            record["mutants"].append({"name": mutant["name"], "what": mutant["what"], "verdict": verdict, "by": by,
                                      "seconds": round(seconds, 1)})
            print(f"{mutant['name']}: {verdict}{', by ' + ', '.join(by) if verdict == 'noticed' else ''}", flush=True)
            if verdict not in ("noticed", "survived"):
                print("\n".join(by), file=sys.stderr)
            new = args.out.with_suffix(".new")
            new.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
            new.replace(args.out)

    def worker(number):
        try:
            own = mutant_worker.Worker(tree, number)
            while True:
                mutant, start = work.get_nowait(), time.monotonic()
                try:
                    verdict, by = own.judge(mutant)
                except RuntimeError as error:
                    verdict, by = "not run", str(error).splitlines()
                note(mutant, verdict, by, time.monotonic() - start)
        except RuntimeError as error:
            print(error, file=sys.stderr)
        except (queue.Empty, mutant_worker.Stopped):
            pass

    threads = [threading.Thread(target=worker, args=(number,)) for number in range(min(args.jobs, work.qsize()))]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:
        processes.stop()
        for thread in threads:
            thread.join()
    return record["mutants"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, required=True, help="the root of a git checkout")
    parser.add_argument("--build", type=pathlib.Path, help="a configured build tree of it, by Ninja")
    parser.add_argument("--jobs", type=int, default=1, help="workers")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these mutants alone")
    parser.add_argument("--check", action="store_true", help="check the lists, and no more")
    parser.add_argument("--out", type=pathlib.Path, help="the record, else BUILD/mutants.json")
    args = parser.parse_args()
    args.source = args.source.resolve()
    mutants = load(args.source)
    found = list(problems(args.source, mutants))
    if found or not mutants or args.check:
        print("\n".join([*found, f"{len(mutants)} mutants"]))
        return 1 if found or not mutants else 0
    if args.build is None:
        parser.error("--build is needed, but for --check")
    args.build = args.build.resolve()
    args.out = args.out or args.build / "mutants.json"
    unknown = set(args.only or []) - {mutant["name"] for mutant in mutants}
    if unknown:
        parser.error(f"there are no mutants {', '.join(sorted(unknown))}")
    args.configuration = mutant_worker.configuration_of(mutant_worker.cache_of(args.build))
    mutants = [mutant for mutant in mutants if mutant.get("configuration", "openmp") == args.configuration
               and (not args.only or mutant["name"] in args.only)]
    try:
        judged = run_all(mutants, args)
    except RuntimeError as error:
        sys.exit(f"mutants.py: {error}")
    noticed = sum(mutant["verdict"] == "noticed" for mutant in judged)
    print(f"{noticed} of {len(mutants)} mutants were noticed")
    return 0 if noticed == len(mutants) and mutants else 1


if __name__ == "__main__":
    sys.exit(main())
