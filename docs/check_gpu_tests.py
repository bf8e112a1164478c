#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Whether docs/notebook/gpu_tests.md lists every place where a test does something else on a GPU.

    check_gpu_tests.py SOURCE

A place is a line of tests/ that asks for the execution space or for what devices alone have. The page has
a row for each file, `| "tests/..." | places | what only a GPU tests |`; its number has to be that of the
places, so that who adds one says what a host leaves out.
"""
import pathlib
import re
import sys

PLACE = re.compile(r"is_host_space<|has_(?:staged|tensor_core)_spmv<|has_launch_graphs<|KOKKOS_ENABLE_(?:CUDA|HIP)\b")
ROW = re.compile(r"^\| `(tests/[^`]+)` \| (\d+) \| .*\S \|$", re.MULTILINE)
PAGE = "docs/notebook/gpu_tests.md"


def places(source):
    found = {}
    for path in sorted((source / "tests").rglob("*.?pp")):
        count = sum(bool(PLACE.search(line)) for line in path.read_text(encoding="utf-8").splitlines())
        if count:
            found[path.relative_to(source).as_posix()] = count
    return found


def main(source):
    page = (source / PAGE).read_text(encoding="utf-8")
    listed = {name: int(count) for name, count in ROW.findall(page)}
    found = places(source)
    for name in sorted(found.keys() | listed.keys()):
        if found.get(name, 0) != listed.get(name, 0):
            print(f"{PAGE}: {name} has {found.get(name, 0)} places, the page says {listed.get(name, 0)}")
    print(f"{sum(found.values())} places in {len(found)} files")
    return 0 if found == listed and found else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
