#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a performance program of two states of the sources in turn, and prints one beside the other.

    compare_states.py --rounds 3 BEFORE/tessera_perf_solve NOW/tessera_perf_solve -- \\
        --repeats 5 --rhs random --cases poisson3d:128 unstructured3d:n=64

Both get the arguments after `--`; a round runs each once, the second first in every other round, so
that neither has the warmer machine. Of every figure in milliseconds the median over the rounds
counts, and the least and the largest are said where they differ by more than a tenth. A case that
the state before does not know goes to the other alone: --now '--cases beam:order=3,refine=2'. The
table is in Markdown; --out keeps the records of all runs.
"""
import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

STATES = ("before", "now")


def run(program, arguments, limit_s):
    """The record that `program` writes, or why there is none."""
    handle, path = tempfile.mkstemp(suffix=".json")
    os.close(handle)
    try:
        done = subprocess.run([program, *arguments, "--out", path], capture_output=True, text=True,
                              errors="replace", timeout=limit_s, check=False)
        if done.returncode != 0:
            said = (done.stderr or done.stdout).strip().splitlines()[-1:]
            raise RuntimeError(f"{program} ended with {done.returncode}: {' '.join(said)}")
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
    except subprocess.TimeoutExpired as late:
        raise RuntimeError(f"{program} took more than {limit_s:g} s") from late
    except OSError as wrong:
        raise RuntimeError(f"{program} cannot be run: {wrong.strerror}") from wrong
    except ValueError as wrong:
        raise RuntimeError(f"the record of {program} is not JSON: {wrong}") from wrong
    finally:
        os.unlink(path)
    if not results_of(record):
        raise RuntimeError(f"the record of {program} has no results")
    return record


def results_of(record):
    """Its results, each with a name: those of a record of tables are named by matrix, method and way."""
    if "tables" not in record:
        found = record.get("results")
        return found if isinstance(found, list) else []
    return [{"name": f"{table['matrix']}, {table['method']}, {result['way']}", **result}
            for table in record["tables"] for result in table["results"]]


def figures_of(records):
    """{case: {figure: [value of each round]}}, figures in milliseconds and iterations."""
    found = {}
    for record in records:
        for result in results_of(record):
            case = found.setdefault(result["name"], {})
            for key, value in result.items():
                if key.endswith("_ms") or key in ("ms", "iterations"):
                    if isinstance(value, (int, float)):
                        case.setdefault(key, []).append(value)
    return found


def summary(values):
    """`12.3`, or `12.3 (11.0 to 14.0)` where the rounds differ by more than a tenth."""
    least, middle, largest = min(values), statistics.median(values), max(values)
    if largest > 1.1 * least:
        return f"{middle:.4g} ({least:.4g} to {largest:.4g})"
    return f"{middle:.4g}"


def table(before, now):
    """The lines of a Markdown table with a row for each case."""
    names = list(now) + [name for name in before if name not in now]
    keys = [key for key in ("setup_ms", "solve_ms", "total_ms", "ms")
            if any(key in case for state in (before, now) for case in state.values())]
    yield "| case | " + " | ".join(f"{key}: before | now | ratio" for key in keys) + " | iterations |"
    yield "| --- |" + " ---: |" * (3 * len(keys) + 1)
    for name in names:
        cells = [f"`{name}`"]
        cases = (before.get(name, {}), now.get(name, {}))
        for key in keys:
            values = [case.get(key) for case in cases]
            cells += [summary(v) if v else "" for v in values]
            medians = [statistics.median(v) if v else 0 for v in values]
            cells.append(f"{medians[1] / medians[0]:.2f}" if all(medians) else "")
        counts = [f"{statistics.median(case['iterations']):g}" for case in cases if "iterations" in case]
        cells.append(counts[0] if len(set(counts)) == 1 else ", ".join(counts))
        yield "| " + " | ".join(cells) + " |"


def parse(argv):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="%(prog)s [--rounds N] [--limit-s S] [--now ARGUMENTS] [--out FILE] BEFORE NOW [-- ARGUMENT ...]")
    parser.add_argument("before", metavar="BEFORE", help="program of the state before")
    parser.add_argument("now", metavar="NOW", help="program of this state")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each program [3]")
    parser.add_argument("--limit-s", type=float, default=600, help="seconds for one run [600]")
    parser.add_argument("--now", dest="now_only", metavar="ARGUMENTS", type=shlex.split, default=[],
                        help="one word: more arguments for NOW alone, such as options of its own")
    parser.add_argument("--out", help="JSON file for the records of all runs")
    end = argv.index("--") if "--" in argv else len(argv)
    options = parser.parse_args(argv[:end])
    if options.rounds < 1:
        parser.error("--rounds takes a positive number")
    options.arguments = argv[end + 1:]
    return options


def main(argv):
    options = parse(argv)
    arguments = {"before": options.arguments, "now": options.arguments + options.now_only}
    programs = {"before": options.before, "now": options.now}
    records = {state: [] for state in STATES}
    wrong = None
    try:
        for number in range(options.rounds):
            for state in STATES if number % 2 == 0 else reversed(STATES):
                records[state].append(run(programs[state], arguments[state], options.limit_s))
    except (RuntimeError, KeyboardInterrupt) as reason:
        wrong = str(reason) or "interrupted"
    if options.out and any(records.values()):
        with open(options.out, "w", encoding="utf-8") as file:
            json.dump({"rounds": options.rounds, **records}, file, indent=1)
            file.write("\n")
    found = {state: figures_of(records[state]) for state in STATES}
    if any(found.values()):
        print("\n".join(table(found["before"], found["now"])), flush=True)
    if wrong:
        print(f"compare_states: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
