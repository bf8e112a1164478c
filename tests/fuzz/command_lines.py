#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""command_lines.py TESSERA [--seconds S] [--seed N]: random command lines for the command.

They are made from what `--help` and `tessera params` say, in a temporary folder. However wrong one
is, the command ends within 20 s with an exit code of docs/command_line.md, and says why. The first
that does not is printed, and the exit code is 1.
"""

import argparse
import collections
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
FAULTS = ("terminate called", "runtime error:", "AddressSanitizer", "LeakSanitizer", "internal error")
VALUES = [
    "", "-1", "0", "1", "2", "3", "5", "1.5", "2147483647", "2147483648", "-2147483649", "1e308", "1e309", "1e-320",
    "nan", "inf", "-0", "true", "none", "é☃", "\x01", "=", "a=b", "--", "-", "-p", "%s%n", "x" * 4096, "missing/x.mtx", "missing.mtx", "folder", "/dev/null",
]
WORDS = {
    "--precision": ["auto", "double", "float", "mixed"], "--device": ["auto", "host", "device", "openmp"],
    "--rhs": ["problem", "ones", "random", "b.mtx"], "--numbering": ["nodes", "unknowns"],
}
MATRICES = ["a.mtx", "singular.mtx", "range.mtx", "indefinite.mtx", "one.mtx"]
# Costly ones are small mostly: a solve is not what is looked at here.
SMALL = {"--n": 12, "--order": 3, "--refine": 2, "--repeat": 3, "--nrhs": 4, "--threads": 2}
HEAD = "%%MatrixMarket matrix coordinate real general\n"
FILES = {
    "a.mtx": HEAD + "3 3 5\n1 1 4\n1 2 -1\n2 1 -1\n2 2 4\n3 3 2\n",
    "wide.mtx": HEAD + "2 3 3\n1 1 4\n1 3 -1\n2 2 1\n",
    "twice.mtx": HEAD + "2 2 3\n1 1 4\n1 1 1\n2 2 1\n",
    "singular.mtx": HEAD + "2 2 4\n1 1 1\n1 2 -1\n2 1 -1\n2 2 1\n",
    "indefinite.mtx": HEAD + "3 3 3\n1 2 1\n2 1 1\n3 3 -1\n",
    "one.mtx": HEAD + "1 1 1\n1 1 1e-300\n",
    "zero.mtx": HEAD + "0 0 0\n",
    "range.mtx": HEAD + "2 2 2\n1 1 1e308\n2 2 1e-308\n",
    "cut.mtx": HEAD + "3 3 5\n1 1 4\n1 2",
    "b.mtx": "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n",
    "xy.mtx": "%%MatrixMarket matrix array real general\n3 2\n0\n1\n2\n0\n0\n1\n",
    "empty.mtx": "",
    "c.json": '{"solver": {"name": "gmres", "tolerance": 1e-10}, "amg.max_levels": 3}',
    "large.json": '{"solver": {"tolerance": 1e400}}',
    "cut.json": '{"solver": {"name"',
}
OUTPUTS = ["x.mtx", "x.mtx.gz", "x.tsr", "r.json", "r.html", "-", "x.txt", "missing/x.mtx", "folder", "/dev/full"]


def output_of(command, *arguments):
    return subprocess.run([command, *arguments], capture_output=True, text=True, check=True, timeout=60).stdout


class CommandLines:
    """What the command's own texts name, and lines made of it: right ones with few things wrong."""

    def __init__(self, command, seed):
        self.random = random.Random(seed)
        commands = output_of(command, "--help").split("SUBCOMMANDS:")[1].split("\n\n")[0]
        self.options, self.of_problems = {}, {}
        for name in re.findall(r"^ +(\w+)  ", commands, re.M):
            parts = output_of(command, name, "--help").split("Problem of the gallery:")
            for options, text in zip((self.options, self.of_problems), (*parts, "")):
                options[name] = re.findall(r"^ +(?:-\w, +)?(--[\w-]+)(?: ([A-Z]+))?", text, re.M)
        self.choices = {}  # of each parameter
        for line in output_of(command, "params").splitlines():
            if key := re.match(r"  ([\w.]+)(?: = .*)?$", line):
                choices = self.choices[key[1]] = []
            elif choice := re.match(r"      (\w+)  +\S", line):
                choices.append(choice[1])
        self.problems = re.findall(r"^ *(\w+)  ", output_of(command, "gallery"), re.M)

    def pick(self, usual, other=VALUES, share=0.1):
        return self.random.choice(other if self.random.random() < share else usual)

    def setting(self):
        name = self.pick(list(self.choices))
        key = name.replace("N", self.pick(["0"], ["1", "-1", "99999999999"]))
        value = self.pick(self.choices.get(name) or ["0.5", "1", "2", "true"])
        return self.pick([f"{key}={value}"], [key, key + value, f"{key[:-1]}={value}", value])

    def value(self, option, kind):
        if option == "--param":
            return self.setting()
        if kind == "FILE":
            written = option in ("--output", "--report", "--html")
            return self.pick(OUTPUTS if written else list(FILES))
        if option in SMALL:  # 1e3 and more would be no small problem
            return self.pick([str(self.random.randint(1, SMALL[option]))], ["-1", "0", "", "x", "1e3", "2147483648"])
        return self.pick(WORDS.get(option, ["1", "2", "0.5"]))

    def line(self):
        name = self.pick(["solve"], list(self.options), 0.4)
        line = [name]
        if name == "gallery" or (name == "solve" and self.random.random() < 0.5):
            problem = self.pick(self.problems)
            line += ["--problem"] * (name == "solve") + [problem]
            line += ["--refine", "1"] if problem in ("beam", "lshape") else ["--n", str(self.random.randint(1, 9))]
        elif name != "params":
            line.append(self.pick(MATRICES, list(FILES) + VALUES, 0.3))
        for _ in range(self.random.randint(0, 5)):
            options = self.options[name] + [("--param", "KEY")] * 20 * (name == "solve")
            option, kind = self.pick(options, self.of_problems.get(name) or options)
            if option in line and option != "--param":
                continue
            line.append(option)
            if kind and self.random.random() < 0.98:
                line.append(self.value(option, kind))
        if self.random.random() < 0.05:
            line.insert(self.random.randrange(len(line) + 1), self.pick(VALUES))
        return line


def fault_of(command, line, folder, codes, allowed):
    """What is wrong with the command's end, and its output; None and text where nothing is."""
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
    for words in FAULTS:
        if words.encode() in text:
            return f"says '{words}'", text
    return None, text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tessera", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    command = str(options.tessera.resolve(strict=True))
    allowed = {int(code) for code in re.findall(r"^\| (\d+) \|", PAGE.read_text().split("## Exit codes")[1], re.M)}
    lines = CommandLines(command, options.seed)
    codes = collections.Counter()
    start = time.monotonic()
    fault = None
    while fault is None and time.monotonic() - start < options.seconds:
        with tempfile.TemporaryDirectory() as folder:
            for name, content in FILES.items():
                pathlib.Path(folder, name).write_text(content)
            pathlib.Path(folder, "folder").mkdir()
            line = lines.line()
            fault, text = fault_of(command, line, folder, codes, allowed)
    if fault:
        print(f"{fault}:\n  {shlex.join(['tessera', *line])}\n{text.decode(errors='replace')[-3000:]}")
    counts = ", ".join(f"{code}: {count}" for code, count in sorted(codes.items()))
    print(f"{codes.total()} command lines in {time.monotonic() - start:.0f} s, codes: {{{counts}}}")
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
