#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""fill_forecast.py TESSERA --matrices FOLDER --out FILE: entries of factors beside their forecast.

Has the command TESSERA factor each matrix of FOLDER, FILE.mtx or FILE.mtx.xz, and writes down what
the notes of its report say: which factors were made, how many entries they store, and how many the
first order forecast, before a number was computed. Prints how many forecasts were within 20 %, and
a table of the others. Times are not looked at, so that the machine may be busy.
"""
import argparse
import collections
import datetime
import json
import lzma
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

# One iteration: the factors are what counts. Room for those of more than the default limit.
OPTIONS = (
    "--rhs random --threads 1 -p preconditioner=direct -p solver.max_iterations=1 "
    "-p direct.max_memory_mb=4096"
).split()
NOTE = re.compile(
    r"factors: (?P<kind>[\w ]+), (?P<stored>\d+) entries(?P<dissected> by nested dissection)?"
    r"(?: \(forecast (?P<forecast>\d+)\))?(?:, (?P<raised>\d+) pivots raised)?(?P<nearby>, of a matrix nearby)?"
)


def factored(program, path, seconds):
    """What became of one matrix, and the report of its run, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        words = [program, "solve", str(path), *OPTIONS, "--quiet", "--report", str(report)]
        try:
            ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=seconds)
        except subprocess.TimeoutExpired:
            return {"error": f"no end in {seconds:g} s"}, None
        if not report.is_file():
            return {"error": ended.stderr.strip().splitlines()[0]}, None
        made = json.loads(report.read_text(encoding="utf-8"))
    notes = [found for note in made["notes"] if (found := NOTE.match(note))]
    if not notes:
        return {"error": "no factors"}, made
    found = notes[-1]
    stored = int(found["stored"])
    return {
        "rows": made["problem"]["rows"],
        "entries": made["problem"]["entries"],
        "factors": found["kind"],
        "stored": stored,
        "forecast": int(found["forecast"] or stored),
        "dissected": found["dissected"] is not None,
        "raised": int(found["raised"] or 0),
        "nearby": found["nearby"] is not None,
    }, made


def swept(options):
    """Each matrix in turn, and the last report."""
    matrices, report = [], None
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(options.matrices.glob("*.mtx*")):
            name = path.name.removesuffix(".xz").removesuffix(".mtx")
            plain = path
            if path.suffix == ".xz":
                plain = pathlib.Path(folder) / f"{name}.mtx"
                plain.write_bytes(lzma.decompress(path.read_bytes()))
            found, made = factored(options.program, plain, options.seconds)
            report = made or report
            if plain is not path:
                plain.unlink()
            matrices.append({"name": name, **found})
            print(name, *found.values(), file=sys.stderr, flush=True)
    return matrices, report


def ratio(m):
    """Entries forecast over those stored."""
    return m["forecast"] / m["stored"] if m["stored"] else 1


def holds(value):
    return 1 / 1.2 <= value <= 1.2


def tables(matrices):
    """How many forecasts hold, by the kind of the factors, and the matrices whose does not."""
    done = [m for m in matrices if "error" not in m]
    kinds = collections.defaultdict(list)
    for m in done:
        kinds[m["factors"]].append(ratio(m))
    yield "| factors | matrices | forecast as stored | within 20 % |\n| --- | ---: | ---: | ---: |"
    for kind, ratios in sorted(kinds.items()):
        yield f"| {kind} | {len(ratios)} | {ratios.count(1)} | {sum(map(holds, ratios))} |"
    yield "\n| matrix | rows | factors | forecast | stored | forecast over stored |"
    yield "| --- | ---: | --- | ---: | ---: | ---: |"
    for m in done:
        if holds(ratio(m)):
            continue
        made = m["factors"] + (", of a matrix nearby" if m["nearby"] else "")
        yield (f"| `{m['name']}` | {m['rows']:,} | {made} | {m['forecast']:,} | {m['stored']:,} | "
               f"{ratio(m):.2f} |")
    for m in matrices:
        if "error" in m:
            yield f"\n`{m['name']}`: {m['error']}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", help="the command tessera")
    parser.add_argument("--matrices", required=True, type=pathlib.Path, help="folder of the matrices")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="JSON file")
    parser.add_argument("--seconds", type=float, default=300, help="limit of one run [%(default)s]")
    options = parser.parse_args()
    matrices, report = swept(options)
    if report is None:
        sys.exit(f"{options.matrices}: no matrix there was factored")
    run = {
        "command": shlex.join(sys.argv),
        "commit": report["build"]["commit"],
        "date": f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ}",
        "processor": report["device"]["name"],
    }
    text = json.dumps({"run": run, "matrices": matrices}, indent=1) + "\n"
    options.out.write_text(text, encoding="utf-8")
    print("\n".join(tables(matrices)))


if __name__ == "__main__":
    main()
