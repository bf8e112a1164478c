#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""check_outputs.py [--update] TESSERA [SOURCE_DIR]: what the documentation says that the command
prints is what the program TESSERA prints.

Below a line `<!-- output: tessera ARGUMENTS -->` a fenced block must be that command's output, after
first lines that begin with `$ `. Of several commands with `; tessera ` between them, which run in one folder,
it is the last one's. Words and whole numbers must be the same, other numbers to a tenth, as residuals carry
rounding along, and the number of iterations as below; times with their ratios, dates, and the lines on
the device, the build, the format that suits its cache and the steps of a setup by their times may be
anything.

Below the comment

    <!-- iterations: tessera ARGUMENTS
    columns: ARGUMENTS | ...
    rows: ARGUMENTS | ... -->

each cell of a table, but for the first of a row, must be the number of iterations that the command
needs with the arguments of its column and row, give or take one or a fiftieth; or `breakdown`, where
it breaks down; a cell that is empty is skipped.

A file ending in .mtx that no command `tessera gallery` before it has made is looked for in
$TESSERA_MATRICES, packed as .xz too; a block or a row whose file is not there is skipped. --update
writes what the program prints now into the pages where it differs; run it on an idle machine, as the
times of such a block are then new as well. Prints what differs, and exits with 1 where anything does.
"""

import argparse
import difflib
import lzma
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

OUTPUT = re.compile(r"^<!-- output: tessera (.+?) -->$")
ITERATIONS = re.compile(r"<!-- iterations: tessera (.*)\ncolumns: (.+)\nrows: (.+) -->")
MACHINE = re.compile(r"^ *(device|format of products|memory to solve|machine|build|date|setup:) ")
TIME = re.compile(r"\b\d+(\.\d+)? m?s\b( x\d\S*)?")
RESIDUAL = re.compile(r"^ +(\d+) +(\S+e[+-]\d+)( +\S+)?$")
COUNT = re.compile(r"^\w.*, ([\d,]+) iterations?,", re.MULTILINE)


class MissingFile(Exception):
    pass


class Command:
    def __init__(self, program, matrices):
        self.program = program
        self.matrices = pathlib.Path(matrices)

    def run(self, arguments):
        """What the last command prints; its status is not looked at, as ends without convergence are
        shown too."""
        with tempfile.TemporaryDirectory() as folder:
            for command in arguments.split("; tessera "):
                words = shlex.split(command)
                for word in words:
                    is_made = words[0] == "gallery" or (pathlib.Path(folder) / word).exists()
                    if word.endswith(".mtx") and not is_made:
                        self.fetch(word, folder)
                done = subprocess.run(
                    [self.program, *words],
                    cwd=folder,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                    encoding="utf-8",
                    check=False,
                    env={**os.environ, "OMP_PROC_BIND": "false", "NO_COLOR": "1"},
                )
        return done.stdout

    def fetch(self, name, folder):
        plain, packed = self.matrices / name, self.matrices / (name + ".xz")
        if plain.is_file():
            content = plain.read_bytes()
        elif packed.is_file():
            content = lzma.decompress(packed.read_bytes())
        else:
            raise MissingFile(f"{name} is not in {self.matrices}")
        (pathlib.Path(folder) / name).write_bytes(content)

    def iterations(self, arguments):
        """The cell of a table."""
        printed = self.run(arguments)
        if re.search(r"^BREAKDOWN", printed, re.MULTILINE):
            return "breakdown"
        if not re.search(r"^converged,", printed, re.MULTILINE):
            return "not converged: " + " ".join(printed.splitlines()[-1:])
        return COUNT.search(printed).group(1).replace(",", "")


def close(shown, printed):
    """Whether two words are the same, or two numbers that are not whole ones nearly so."""
    if shown == printed:
        return True
    try:
        if shown.isdigit() or printed.isdigit():
            return False
        a, b = float(shown.rstrip(",")), float(printed.rstrip(","))
        return abs(a - b) <= 0.1 * max(abs(a), abs(b))
    except ValueError:
        return False


def same_count(shown, printed):
    if not (shown.isdigit() and printed.isdigit()):
        return shown == printed
    return abs(int(shown) - int(printed)) <= max(1, int(printed) // 50)


def same_line(shown, printed):
    machine = MACHINE.match(shown), MACHINE.match(printed)
    if all(machine):
        return machine[0].group(1) == machine[1].group(1)
    counts = COUNT.match(shown), COUNT.match(printed)
    if all(counts):
        return same_count(counts[0].group(1), counts[1].group(1))
    words = TIME.sub("time", shown).split(), TIME.sub("time", printed).split()
    return len(words[0]) == len(words[1]) and all(map(close, *words))


def same_output(shown, printed):
    """A convergence may be one iteration longer or shorter: the iterations that both have count."""

    def split(lines):
        rows = {found.group(1): line for line in lines if (found := RESIDUAL.match(line))}
        return rows, [line.rstrip() for line in lines if not RESIDUAL.match(line)]

    (rows, rest), (printed_rows, printed_rest) = split(shown), split(printed)
    return (
        bool(rows) == bool(printed_rows)
        and len(rest) == len(printed_rest)
        and all(map(same_line, rest, printed_rest))
        and all(same_line(rows[i], printed_rows[i]) for i in rows.keys() & printed_rows.keys())
        and (not rows or same_count(max(rows, key=int), max(printed_rows, key=int)))
    )


class Page:
    def __init__(self, path, command):
        self.path = path
        self.command = command
        self.lines = path.read_text(encoding="utf-8").splitlines()
        self.findings = []
        self.checked = 0

    def block_below(self, i):
        """Where the lines of the fenced block below line i begin and end."""
        begin = next(j for j in range(i + 1, len(self.lines)) if self.lines[j].startswith("```"))
        end = next(j for j in range(begin + 1, len(self.lines)) if self.lines[j] == "```")
        while self.lines[begin + 1].startswith("$ "):
            begin += 1
        return begin + 1, end

    def check_outputs(self):
        for i in reversed(range(len(self.lines))):
            found = OUTPUT.match(self.lines[i])
            if not found:
                continue
            begin, end = self.block_below(i)
            try:
                printed = self.command.run(found.group(1)).rstrip("\n").split("\n")
            except MissingFile as missing:
                print(f"{self.path.name}:{i + 1}: skipped: {missing}")
                continue
            self.checked += 1
            shown = self.lines[begin:end]
            if not same_output(shown, printed):
                self.findings.append(f"{i + 1}: tessera {found.group(1)} prints something else")
                self.findings += difflib.unified_diff(shown, printed, "shown", "printed", lineterm="")
                self.lines[begin:end] = printed

    def check_tables(self):
        # As it is now: cells that are rewritten may be shorter, and places in it are not.
        text = "\n".join(self.lines)
        for found in ITERATIONS.finditer(text):
            first = text.count("\n", 0, found.end()) + 1
            base = found.group(1)
            columns, rows = (group.split("|") for group in found.group(2, 3))
            while not self.lines[first].startswith("|"):
                first += 1
            for j, row in enumerate(rows, first + 2):
                cells = [cell.strip() for cell in self.lines[j].strip().strip("|").split("|")]
                if len(cells) != len(columns) + 1:
                    self.findings.append(f"{j + 1}: {len(cells) - 1} cells, expected {len(columns)}")
                    continue
                try:
                    for k, column in enumerate(columns, 1):
                        if cells[k]:
                            self.check_cell(j, cells, k, " ".join((base, row, column)))
                except MissingFile as missing:
                    print(f"{self.path.name}:{j + 1}: skipped: {missing}")
            below = first + 2 + len(rows)
            if below < len(self.lines) and self.lines[below].startswith("|"):
                self.findings.append(f"{below + 1}: more rows than commands")

    def check_cell(self, j, cells, k, arguments):
        printed = self.command.iterations(arguments)
        self.checked += 1
        if not same_count(cells[k], printed):
            arguments = " ".join(arguments.split())
            self.findings.append(f"{j + 1}: shows {cells[k]}, tessera {arguments}: {printed}")
            cells[k] = printed
            self.lines[j] = "| " + " | ".join(cells) + " |"

    def write(self):
        self.path.write_text("\n".join(self.lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--update", action="store_true")
    parser.add_argument("program")
    parser.add_argument("source", nargs="?", default=".", type=pathlib.Path)
    options = parser.parse_args()
    source = options.source.resolve()
    matrices = os.environ.get("TESSERA_MATRICES") or source.parent / "shared" / "matrices"
    command = Command(str(pathlib.Path(options.program).resolve()), matrices)

    checked, failed = 0, False
    for path in [source / "README.md", *sorted(source.glob("docs/**/*.md"))]:
        page = Page(path, command)
        page.check_tables()
        page.check_outputs()
        checked += page.checked
        for finding in page.findings:
            print(f"{path.relative_to(source)}:{finding}" if finding[0].isdigit() else finding)
        if page.findings and options.update:
            page.write()
        failed = failed or bool(page.findings)
    print(f"{checked} outputs and counts: {'they differ' if failed else 'all hold'}")
    return 1 if (failed and not options.update) or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
