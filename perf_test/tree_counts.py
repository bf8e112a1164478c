#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Counts files and lines of revisions, side by side: tree_counts.py REVISION [REVISION ...].

Reads what git has of each revision; nothing is checked out. Lines of code leave out blank lines and
those that hold a comment alone. `--commands FILE` counts translation units of a build tree, whose
compile_commands.json or build.ninja it is; `--objects FILE ...` counts functions in archives or objects
by nm: those that are weak are templates and inline functions. Tables are in Markdown.
"""
import argparse
import collections
import io
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tarfile

from cxx_names import function_name

# Title, and what the path begins with; the first that fits counts.
PARTS = [
    ("product: `src`", r"src/"),
    ("product: `kernels`", r"kernels/"),
    ("product: `packages`", r"packages/"),
    ("tests", r"tests/(?!fuzz/corpus/)"),
    ("checks", r"checks/(?!fuzz/corpus)"),
    ("performance programs", r"perf_test/(?!results/)"),
    ("examples", r"examples/"),
    ("build and rules", r"(?:cmake/|\.ci/|dev$|CMake\w+\.\w+$)"),
    ("docs", r"(?:docs/(?!images/)|[A-Z]+\.md$)"),
]
CODE = {".cpp", ".hpp", ".py", ".sh", ".cmake", ".txt", ".in", ".awk", ".cu", ""}
COMMENT = {".cpp": "//", ".hpp": "//", ".cu": "//"}
SOURCES = (".cpp", ".cu")


def git(*words):
    done = subprocess.run(["git", *words], capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode(errors="replace").strip())
    return done.stdout


def files_of(revision):
    """{path: text} of the text files of a revision, in whichever folder of the repository this runs."""
    top = git("rev-parse", "--show-toplevel").decode().strip()
    found = {}
    with tarfile.open(fileobj=io.BytesIO(git("-C", top, "archive", "--format=tar", revision))) as archive:
        for member in archive:
            if member.isfile():
                content = archive.extractfile(member).read()
                if b"\0" not in content:
                    found[member.name] = content.decode(errors="replace")
    return found


def code_lines(path, text):
    """Lines that are neither blank nor a comment alone; of a page, those that are not blank."""
    suffix = pathlib.PurePath(path).suffix
    mark = COMMENT.get(suffix, "#" if suffix in CODE else None)
    lines = (line.strip() for line in text.splitlines())
    return sum(bool(line) and not (mark and line.startswith(mark)) for line in lines)


class Count:
    def __init__(self):
        self.lengths, self.code, self.sources = [], 0, 0

    def add(self, path, text):
        self.lengths.append(len(text.splitlines()))
        self.code += code_lines(path, text)
        self.sources += path.endswith(SOURCES)

    def cells(self):
        median = statistics.median(self.lengths) if self.lengths else 0
        return [len(self.lengths), self.sources, sum(self.lengths), self.code, int(median)]


def counts_of(files):
    """{part: Count}, with the product as a whole and all of it; records and images are left out."""
    counts = {title: Count() for title in ("product", *(title for title, _ in PARTS), "all")}
    for path, text in files.items():
        part = next((title for title, begin in PARTS if re.match(begin, path)), None)
        if part:
            for title in {part, "all", *(["product"] if part.startswith("product") else [])}:
                counts[title].add(path, text)
    return counts


def table(revisions, counts):
    """Rows of parts; each figure as `before -> now` and, of lines, the change."""
    titles = ["files", "sources", "lines", "lines of code", "median lines"]
    yield "| | " + " | ".join(titles) + " |"
    yield "| --- |" + " ---: |" * len(titles)
    for part in counts[revisions[0]]:
        rows = [counts[revision][part].cells() for revision in revisions]
        cells = []
        for title, values in zip(titles, zip(*rows)):
            cell = " → ".join(f"{value:,}" for value in values)
            if len(values) > 1 and "lines" in title and "median" not in title and values[0]:
                cell += f" ({100 * (values[-1] / values[0] - 1):+.1f} %)"
            cells.append(cell)
        yield f"| {part} | " + " | ".join(cells) + " |"


def units_of(path):
    """{folder of the build tree: translation units}, less those that check a header by itself"""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    if path.endswith(".json"):
        outputs = [entry.get("output") or entry["file"] for entry in json.loads(text)]
    else:
        outputs = re.findall(r"^build (\S+\.o): (?:C|CXX|CUDA|HIP)_COMPILER", text, re.MULTILINE)
    found = collections.Counter()
    for output in outputs:
        if "_verify_interface_header_sets" in output:
            continue
        found[output.split("/CMakeFiles/")[0]] += 1
    return found


def functions_of(paths):
    """{function without its arguments: [weak, others]} of tessera:: that the files define."""
    done = subprocess.run(["nm", "-C", "--defined-only", *paths], capture_output=True, text=True,
                          errors="replace", check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().splitlines()[0])
    found = {}
    for kind, name in re.findall(r"^[0-9a-f]+ ([TtWw]) (.+)$", done.stdout, re.MULTILINE):
        plain = function_name(name)
        if plain.startswith("tessera::"):
            found.setdefault(plain, [0, 0])[kind in "Tt"] += 1
    return found


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revisions", nargs="*", metavar="REVISION")
    parser.add_argument("--commands", metavar="FILE", help="compile_commands.json or build.ninja")
    parser.add_argument("--objects", nargs="+", metavar="FILE", help="archives or objects")
    parser.add_argument("--top", type=int, default=15, help="functions to list [%(default)s]")
    options = parser.parse_args(argv)
    if not options.revisions and not options.commands and not options.objects:
        parser.error("nothing to count: give a revision, --commands or --objects")
    return options


def main(argv):
    options = parse(argv)
    try:
        if options.revisions:
            counts = {revision: counts_of(files_of(revision)) for revision in options.revisions}
            print("\n".join(table(options.revisions, counts)))
        if options.commands:
            units = units_of(options.commands)
            print("\n| folder | translation units |\n| --- | ---: |")
            for folder, number in sorted(units.items()):
                print(f"| `{folder}` | {number} |")
            print(f"| all | {units.total()} |")
        if options.objects:
            functions = functions_of(options.objects)
            weak, strong = (sum(row[at] for row in functions.values()) for at in (0, 1))
            print(f"\n{weak} weak functions of tessera::, {strong} others, of {len(functions)} names.\n")
            print("| name | weak | others |\n| --- | ---: | ---: |")
            for name, row in sorted(functions.items(), key=lambda item: -sum(item[1]))[: options.top]:
                print(f"| `{name}` | {row[0]} | {row[1]} |")
    except (RuntimeError, OSError, ValueError) as wrong:
        print(f"tree_counts: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
