#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""rules_table.py [--check] [SOURCE_DIR]: the page of selection rules is what the headers hold.

What stands between `<!-- rules -->` and `<!-- end -->` in docs/guide/selection_rules.md is written from
the selection_rules.hpp of each folder in src/tessera and kernels/tessera/kernels: a table for each
section of each header, a line for each `Rule`. With --check nothing is written: prints what differs, and
exits with 1 where anything does.
"""
import argparse
import difflib
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
PAGE = pathlib.Path("docs") / "guide" / "selection_rules.md"
# Each folder with a table, and its title: from the choice that comes first to what is left to a level,
# to a solve and to a kernel.
TITLE = {
    "src/tessera/solve": "By the matrix",
    "src/tessera/amg": "By the level",
    "src/tessera/solver": "By the solve",
    "src/tessera/direct": "Sparse factors",
    "kernels/tessera/kernels/format": "Formats",
    "kernels/tessera/kernels/spmv": "Products with vectors",
    "kernels/tessera/kernels/spgemm": "Sparse products",
    "kernels/tessera/kernels/graph": "Aggregates",
    "kernels/tessera/kernels/sptrsv": "Triangular solves",
    "kernels/tessera/kernels/persistent": "Solves in one kernel",
}
BLOCK = re.compile(r"(<!-- rules -->\n)(.*?)(<!-- end -->)", re.DOTALL)
RULE = re.compile(r"inline constexpr Rule<([\w:]+)> (\w+) = \{(.*?)\};", re.DOTALL)
SECTION = re.compile(r"^((?://[^/\n][^\n]*\n)+)\n", re.MULTILINE)
LITERAL = r'(?:"(?:[^"\\]|\\.)*"\s*)+'
FIELDS = re.compile(rf"\s*({LITERAL}),\s*(.*?),\s*({LITERAL})\s*", re.DOTALL)


def joined(literals):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals)).replace('\\"', '"')


def shown_text(text):
    """Of a property or a reason: names of files as links, no end of a cell in it."""
    text = re.sub(r"docs/notebook/(\w+)\.md", r"[\1](../notebook/\1.md)", text)
    text = re.sub(r"docs/guide/(\w+)\.md", r"[\1](\1.md)", text)
    return text.replace("|", "\\|").replace("_", "\\_") if "](" not in text else text


def shown_value(value):
    value = re.sub(r"\s+", " ", value.replace("'", ",")).strip()
    return f"`{value.split('::')[-1]}`" if "::" in value else value.replace("*", "\\*")


def rows_of(header):
    """(position, section or None, cells or None) of a header, in its order."""
    text = header.read_text(encoding="utf-8")
    body = text[text.index("namespace tessera::rules {") :]
    for found in SECTION.finditer(body):
        words = " ".join(line[2:].strip() for line in found[1].splitlines())
        yield found.start(), words, None
    rules = list(RULE.finditer(body))
    if len(rules) != body.count("Rule<"):
        sys.exit(f"{header}: {body.count('Rule<')} rules, of which {len(rules)} can be read")
    for found in rules:
        fields = FIELDS.fullmatch(found[3])
        if not fields:
            sys.exit(f"{header}: {found[2]} is not {{property, value, reason}}")
        cells = (joined(fields[1]), shown_value(fields[2]), joined(fields[3]))
        yield found.start(), None, (f"`{found[2]}`", shown_text(cells[0]), cells[1], shown_text(cells[2]))


def tables(source):
    lines, count = [], 0
    found = [p for above in ("src", "kernels") for p in (source / above).rglob("selection_rules.hpp")]
    headers = {path.parent.relative_to(source).as_posix(): path for path in found}
    if set(headers) != set(TITLE):
        sys.exit(f"there are tables of {', '.join(sorted(headers))}; expected {', '.join(TITLE)}")
    for folder, title in TITLE.items():
        lines += [f"## {title}", "", f"`{folder}/selection_rules.hpp`", ""]
        open_table = False
        for _, section, cells in sorted(rows_of(headers[folder])):
            if section is not None:
                lines += [""] * open_table + [shown_text(section), ""]
                open_table = False
                continue
            if not open_table:
                lines += ["| rule | what | value | reason |", "| --- | --- | --- | --- |"]
                open_table = True
            lines.append("| " + " | ".join(cells) + " |")
            count += 1
        lines.append("")
    return "\n".join(lines), count


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    parser.add_argument("source", nargs="?", default=SOURCE, type=pathlib.Path)
    options = parser.parse_args()
    page = options.source / PAGE
    old = page.read_text(encoding="utf-8")
    if len(BLOCK.findall(old)) != 1:
        sys.exit(f"{page}: expected one block of rules")
    written, count = tables(options.source)
    new = BLOCK.sub(lambda found: found[1] + "\n" + written + found[3], old)
    if old != new:
        lines = old.splitlines(), new.splitlines()
        print("\n".join(difflib.unified_diff(*lines, str(PAGE), "headers", lineterm="")))
        if not options.check:
            page.write_text(new, encoding="utf-8")
    print(f"{count} rules: {'they differ' if old != new else 'all are what the headers hold'}")
    return 1 if (old != new and options.check) or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
