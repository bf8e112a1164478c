#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Says which lines of kernels and src the tests ran, in a tree compiled by GCC with --coverage.

A line counts once, however often templates and headers were compiled with it: it ran where any of them did.
Exits with 1 where less than --floor percent did.
"""
import argparse
import collections
import concurrent.futures
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

FOLDERS = ("kernels", "src")


def lines_of(data, source):
    """(file, line) -> whether it ran, of one object."""
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(["gcov", "--json-format", "--hash-filenames", str(data)], cwd=scratch,
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"gcov {data}: {done.stderr.strip()[-300:]}")
        for report in pathlib.Path(scratch).glob("*.gcov.json.gz"):
            with gzip.open(report, "rt", encoding="utf-8") as text:
                record = json.load(text)
            base = pathlib.Path(record["current_working_directory"])
            for file in record["files"]:
                path = (base / file["file"]).resolve()
                if not path.is_relative_to(source):
                    continue
                name = str(path.relative_to(source))
                if not name.startswith(tuple(folder + "/" for folder in FOLDERS)):
                    continue
                for line in file["lines"]:
                    key = name, line["line_number"]
                    found[key] = found.get(key, False) or line["count"] > 0
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", required=True, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--build", required=True, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--floor", type=float, default=0, help="percent [%(default)s]")
    parser.add_argument("--out", type=pathlib.Path, help="JSON file: percent by folder, lines that did not run by file")
    options = parser.parse_args()
    data = sorted(options.build.rglob("*.gcda"))
    if not data:
        sys.exit(f"coverage.py: no test has run in {options.build}")
    ran = {}
    try:
        with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
            for found in pool.map(lines_of, data, [options.source] * len(data)):
                for key, value in found.items():
                    ran[key] = ran.get(key, False) or value
    except (RuntimeError, OSError) as reason:
        sys.exit(f"coverage.py: {reason}")
    folders = collections.defaultdict(lambda: [0, 0])
    missed = collections.defaultdict(list)
    for (name, line), value in sorted(ran.items()):
        parts = pathlib.PurePath(name).parts
        for folder in {parts[0], "/".join(parts[:min(4, len(parts) - 1)])}:
            folders[folder][0] += value
            folders[folder][1] += 1
        if not value:
            missed[name].append(line)
    total = sum(ran.values()), len(ran)
    for folder, (hit, all_lines) in sorted(folders.items()):
        print(f"{100 * hit / all_lines:6.1f} %  {all_lines - hit:6d} of {all_lines:6d} lines not run  {folder}")
    percent = 100 * total[0] / max(1, total[1])
    print(f"{percent:.1f} % of {total[1]} lines ran, floor {options.floor:g} %")
    if options.out:
        record = {"percent": round(percent, 2), "lines": total[1],
                  "folders": {name: round(100 * hit / size, 2) for name, (hit, size) in sorted(folders.items())},
                  "not_run": dict(missed)}
        options.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return 0 if percent >= options.floor else 1


if __name__ == "__main__":
    sys.exit(main())
