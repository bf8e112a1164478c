#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""merge_scaling.py FILE... --gpus N --out RECORD: one record of several runs of scaling.cpp.

The header has what all files say of their run and of its options; what differs stays with each
result. All files are of one commit. `--one-gpu` names those whose processes shared one GPU, which
their files do not say; each result's "gpus_used" does. Where the record ends in .xz it is compressed.
"""
import argparse
import collections
import json
import lzma
import pathlib
import shlex
import sys

from records import read_json
from scaling_tables import CONFIGURATION, configuration

OPTIONS = ("tolerance", "repeats", "rhs", "precision", "settings", "warm_solves", "gather_rows",
           "rows_per_process")
COMMAND = "mpirun -n PROCESSES tessera_perf_scaling ARGUMENTS"


def words_of(command):
    """The arguments of the program, without its own name, variables before it, and the file written."""
    words = shlex.split(command)
    program = next((i for i, w in enumerate(words) if "=" not in w.split("/")[0]), len(words))
    words = words[program + 1 :]
    if "--out" in words:
        at = words.index("--out")
        del words[at : at + 2]
    return words


def taken_out(parts, keys):
    """{key: value} of those keys that all parts have with the same value; the parts lose them."""
    first = parts[0]
    same = [k for k in keys if all(k in part and part[k] == first.get(k) for part in parts)]
    shared = {key: first[key] for key in same}
    for part in parts:
        for key in same:
            del part[key]
    return shared


def opened(path, one_gpu, gpus):
    result = read_json(path)
    if "run" not in result or "processes" not in result:
        sys.exit(f"{path}: not of tessera_perf_scaling")
    result["gpus_used"] = 1 if path in one_gpu else result["processes"]
    if result["gpus_used"] > gpus:
        sys.exit(f"{path}: {result['processes']} processes on {gpus} GPUs; is it one of --one-gpu?")
    result["arguments"] = shlex.join(words_of(result["run"].pop("command")))
    return result


def say_what_is_there_twice(results):
    for same, count in collections.Counter(map(configuration, results)).items():
        if count > 1:
            values = ", ".join(f"{key} {value}" for key, value in zip(CONFIGURATION, same))
            print(f"{count} times: {values}; tables take medians of all their repeats")


def merged(results, options):
    commits = {result["run"].pop("commit") for result in results}
    if len(commits) > 1:
        sys.exit(f"the files are of several commits: {', '.join(sorted(commits))}")
    runs = [result["run"] for result in results]
    date = min(run.pop("date") for run in runs)
    run = {"command": COMMAND, "date": date, **taken_out(runs, list(runs[0]))}
    for key in ("gpu", "gpu_driver", "nccl", "mpi"):
        given = getattr(options, key)
        if given:
            run[key] = given
    for result in results:
        if not result["run"]:
            del result["run"]
    header = {"date": date[:10], "program": "tessera_perf_scaling", "run": run}
    header.update(taken_out(results, OPTIONS))
    entry = {"commit": commits.pop(), "gpus": options.gpus}
    if options.note:
        entry["note"] = options.note
    return header, entry


def text_of(header, entry, results):
    """JSON with a line for each result."""
    lines = ",\n".join(" " + json.dumps(result) for result in results)
    head = json.dumps({**header, "runs": []})[:-2]
    return f'{head}\n{json.dumps(entry)[:-1]}, "results": [\n{lines}\n]}}\n]}}\n'


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE",
                        help="what --out of the program wrote")
    parser.add_argument("--one-gpu", nargs="+", type=pathlib.Path, default=[], metavar="FILE",
                        help="files, of those or others, whose processes were all on one GPU")
    parser.add_argument("--gpus", type=int, required=True, help="of the host")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="RECORD.json or RECORD.json.xz")
    parser.add_argument("--nccl", help="its version")
    parser.add_argument("--mpi", help="its name and version, and how it sends vectors")
    parser.add_argument("--gpu", help="its name, where the files do not say it or say it otherwise")
    parser.add_argument("--gpu-driver", help="the same of the driver's version")
    parser.add_argument("--note", help="on the commit")
    options = parser.parse_args()
    one_gpu = set(options.one_gpu)
    paths = dict.fromkeys([*options.files, *options.one_gpu])
    results = [opened(path, one_gpu, options.gpus) for path in paths]
    say_what_is_there_twice(results)
    text = text_of(*merged(results, options), results)
    packed = text.encode()
    if options.out.suffix == ".xz":
        packed = lzma.compress(packed, preset=9 | lzma.PRESET_EXTREME)
    options.out.write_bytes(packed)
    print(f"{options.out}: {len(results)} runs, {len(packed)} bytes")


if __name__ == "__main__":
    main()
