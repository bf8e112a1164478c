#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""command_lines.py TESSERA [--seconds S] [--seed N]: random command lines for the command.

They are made from what `--help` and the schema of parameters say, in a temporary folder with whole and damaged
files of every kind that the command reads. However wrong one is, the command ends within 20 s with an
exit code of docs/command_line.md, and says why. The first that does not is printed, and the exit code
is 1.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

TIME_LIMIT = 20
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/command_line.md"
FAULTS = (b"terminate called", b"runtime error:", b"Sanitizer", b"internal error")
VALUES = [
    "", "-1", "0", "1", "2", "3", "5", "1.5", "2147483647", "2147483648", "-2147483649", "1e308", "1e309", "1e-320",
    "nan", "inf", "-0", "true", "none", "é☃", "\x01", "=", "a=b", "--", "-", "-p", "%s%n", "x" * 4096, "missing/x.mtx", "missing.mtx", "folder", "/dev/null",
]
WORDS = {"--precision": ["auto", "double", "float", "mixed"], "--rhs": ["problem", "ones", "random", "b.mtx"],
         "--device": ["auto", "host", "device"], "--numbering": ["nodes", "unknowns"]}
# Costly ones are small mostly: a solve is not what is looked at here.
SMALL = {"--n": 12, "--order": 3, "--refine": 2, "--repeat": 3, "--nrhs": 4, "--threads": 2}
MATRICES = {  # the lines of entries
    "a.mtx": "3 3 5/1 1 4/1 2 -1/2 1 -1/2 2 4/3 3 2", "one.mtx": "1 1 1/1 1 1e-300",
    "singular.mtx": "2 2 4/1 1 1/1 2 -1/2 1 -1/2 2 1", "range.mtx": "2 2 2/1 1 1e308/2 2 1e-308",
    "indefinite.mtx": "3 3 3/1 2 1/2 1 1/3 3 -1", "wide.mtx": "2 3 3/1 1 4/1 3 -1/2 2 1",
    "twice.mtx": "2 2 3/1 1 4/1 1 1/2 2 1", "none.mtx": "0 0 0", "cut.mtx": "3 3 5/1 1 4/1 2"}
FILES = {
    **{name: "%%MatrixMarket matrix coordinate real general\n" + text.replace("/", "\n") for name, text in MATRICES.items()},
    "b.mtx": "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n",
    "xy.mtx": "%%MatrixMarket matrix array real general\n3 2\n0\n1\n2\n0\n0\n1\n",
    "empty.mtx": "", "cut.json": '{"solver": {"name"',
    "c.json": '{"solver": {"name": "gmres", "tolerance": 1e-10}, "amg.max_levels": 3}',
    "large.json": '{"solver": {"tolerance": 1e400}}',
    "levels.json": '{"preconditioner": "amg", "amg": {"coarse_size": 3, "levels": [{"coarsening.type": "classical"}, '
    '{"coarsening.type": "reduction", "smoother": {"type": "fsai"}}]}}',
}
# What the command writes and reads again: how each is made, beside which a piece of it lies as cut_NAME.
WRITTEN = {
    "p.tsr": ("gallery", "poisson2d", "--n", "5", "-o"), "p.mtx.gz": ("gallery", "poisson2d", "--n", "5", "-o"),
    "r1.json": ("solve", "--problem", "poisson2d", "--n", "9", "--quiet", "--report"),
    "r2.json": ("solve", "--problem", "jump2d", "--n", "9", "--quiet", "--profile", "--repeat", "2", "-p", "preconditioner=amg",
                "-p", "amg.coarse_size=9", "--report"),
}
WRITES = {"solve": {"--output", "--report", "--html", "--log"}, "compare": {"--html", "--json"},
          "gallery": {"--output", "--rhs", "--near-nullspace", "--coordinates"}}
OUTPUTS = ["x.mtx", "x.mtx.gz", "x.tsr", "r.json", "r.html", "-", "x.txt", "missing/x.mtx", "folder", "/dev/full"]


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def choices_of(schema, key=""):
    """Values of each parameter by its key, in which an element of a list is N: all names, or a few numbers."""
    if "properties" in schema:
        parts = [choices_of(part, f"{key}.{name}".lstrip(".")) for name, part in schema["properties"].items() if name != "$schema"]
        return {name: values for part in parts for name, values in part.items()}
    if "items" in schema:
        return choices_of(schema["items"], f"{key}.N")
    numbers = [1, 2, *(schema[name] for name in ("default", "minimum", "maximum") if name in schema)]
    return {key: schema.get("enum") or (["true", "false"] if schema["type"] == "boolean" else [str(one) for one in numbers])}


class CommandLines:
    """What the command's own texts name, and lines made of it: right ones with few things wrong."""

    def __init__(self, command, seed):
        self.random = random.Random(seed)
        # CLI11 writes the heading in capitals since 2.5.
        commands = re.split(r"^subcommands:$", output_of(command, "--help"), flags=re.I | re.M)[1].split("\n\n")[0]
        self.options, self.of_problems = {}, {}
        for name in re.findall(r"^ +(\w+)  ", commands, re.M):
            parts = output_of(command, name, "--help").split("Problem of the gallery:")
            for options, text in zip((self.options, self.of_problems), parts):
                found = re.findall(r"^ +(?:-\w, +)?(--[\w-]+)(?: ([A-Z]+))?", text, re.M)
                options[name] = [one for one in found if one[0] != "--help"]
        self.choices = choices_of(json.loads(output_of(command, "params", "--json-schema")))
        self.files = {name: text.encode() for name, text in FILES.items()}
        with tempfile.TemporaryDirectory() as folder:
            for name, how in WRITTEN.items():
                output_of(command, *how, f"{folder}/{name}")
                self.files[name] = whole = pathlib.Path(folder, name).read_bytes()
                self.files[f"cut_{name}"] = whole[: len(whole) * 2 // 3]
        self.problems = re.findall(r"^ *(\w+)  ", output_of(command, "gallery"), re.M)

    def pick(self, usual, other=VALUES, share=0.04):
        return self.random.choice(other if self.random.random() < share else usual)

    def setting(self):
        name = self.pick(list(self.choices))
        key = name.replace("N", self.pick(["0"], ["1", "-1", "99999999999"]))
        value = self.pick(self.choices.get(name, VALUES))
        return self.pick([f"{key}={value}"], [key, key + value, f"{key[:-1]}={value}", value])

    def value(self, command, option, kind):
        if option == "--param":
            return self.setting()
        if kind == "FILE":
            return self.pick(OUTPUTS if option in WRITES.get(command, ()) else list(self.files))
        if option in SMALL:
            return self.pick([str(self.random.randint(1, SMALL[option]))], ["-1", "0", "", "x", "1e3", "2147483648"])
        return self.pick(WORDS.get(option, ["1", "2", "0.5"]))

    def line(self):
        name = self.pick(["solve"], list(self.options), 0.4)
        line = [name]
        if name == "gallery" or (name == "solve" and self.random.random() < 0.5):
            problem = self.pick(self.problems)
            line += ["--problem"] * (name == "solve") + [problem]
            line += ["--refine", "1"] if problem in ("beam", "lshape") else ["--n", str(self.random.randint(1, 9))]
        elif name == "compare":
            line += [self.pick(["r1.json", "r2.json"], list(self.files) + VALUES) for _ in range(self.random.randint(1, 9))]
        elif name != "params":
            line.append(self.pick([*MATRICES, "p.tsr", "p.mtx.gz"], list(self.files) + VALUES, 0.1))
        for _ in range(self.random.randint(0, 5)):
            options = self.options[name] + [("--param", "KEY")] * 20 * (name == "solve")
            option, kind = self.pick(options, self.of_problems.get(name) or options)
            if option in line and option != "--param":
                continue
            line += [option, self.value(name, option, kind)] if kind and self.random.random() < 0.98 else [option]
        at = self.random.randrange(len(line) + 1)
        return line[:at] + [self.pick(VALUES)] * (self.random.random() < 0.05) + line[at:]


def fault_of(command, line, folder, codes, allowed):
    """What is wrong with the command's end, or None, and its output."""
    try:
        done = subprocess.run([command, *line], stdin=subprocess.DEVNULL, capture_output=True, timeout=TIME_LIMIT, cwd=folder)
    except subprocess.TimeoutExpired as stopped:
        return f"takes more than {TIME_LIMIT} s", (stopped.stdout or b"") + (stopped.stderr or b"")
    codes[done.returncode] += 1
    text = done.stdout + done.stderr
    if done.returncode not in allowed:
        return f"ends with {done.returncode}, which {PAGE.name} does not list", text
    if done.returncode >= 64 and not done.stderr.strip():
        return f"ends with {done.returncode} without a word", text
    found = [words.decode() for words in FAULTS if words in text]
    return f"says '{found[0]}'" if found else None, text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name, of, default in (("tessera", pathlib.Path, None), ("--seconds", float, 60), ("--seed", int, 1)):
        parser.add_argument(name, type=of, default=default)
    options = parser.parse_args()
    command = str(options.tessera.resolve(strict=True))
    allowed = {int(code) for code in re.findall(r"^\| (\d+) \|", PAGE.read_text().split("## Exit codes")[1], re.M)}
    lines = CommandLines(command, options.seed)
    codes, fault, start = collections.Counter(), None, time.monotonic()
    while fault is None and time.monotonic() - start < options.seconds:
        with tempfile.TemporaryDirectory() as folder:
            for name, content in lines.files.items():
                pathlib.Path(folder, name).write_bytes(content)
            pathlib.Path(folder, "folder").mkdir()
            line = lines.line()
            fault, text = fault_of(command, line, folder, codes, allowed)
    if fault:
        print(f"{fault}:\n  {shlex.join(['tessera', *line])}\n{text.decode(errors='replace')[-3000:]}")
    seconds = time.monotonic() - start
    print(f"{codes.total()} command lines in {seconds:.0f} s, codes: {dict(sorted(codes.items()))}")
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
