#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""performance_tables.py [--check] [SOURCE_DIR]: tables on the pages of docs/ are what records give.

What stands between `<!-- table: NAME -->` and `<!-- end -->` in a page below docs/ is written from
records in perf_test/results/: the table, and below it the records, the machine and the command.
With --check nothing is written: prints what differs, and exits with 1 where anything does, or a
page of docs/performance/ is longer than MOST_LINES. NAME is a function of perf_test/*_tables.py with the decorator
`@table`, which lists its records.
"""
import argparse
import difflib
import pathlib
import re
import shlex
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
# A page that is read, not searched.
MOST_LINES = {"README.md": 300, "limits.md": 200}
sys.path.insert(0, str(SOURCE / "perf_test"))
from record_tables import TABLES  # noqa: E402
from records import read_json  # noqa: E402

BLOCK = re.compile(r"(<!-- table: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def first_run(record):
    """Of a record of compare_states.py the run of the later state; scripts write theirs at the top."""
    if isinstance(record.get("now"), list):
        return record["now"][0]["run"]
    return record.get("run") or (record if "command" in record else {})


def command_of(run):
    """As it was typed, without folders and the record's name."""
    words = shlex.split(run["command"])
    if "--out" in words:
        at = words.index("--out")
        del words[at : at + 2]
    if "--matrix" in words and len(words) - words.index("--matrix") > 4:
        words[words.index("--matrix") + 1 :] = ["FILES"]
    return " ".join(map(plain_word, words))


def plain_word(word):
    if "=" in word.split("/")[0]:
        return word
    return shlex.quote(pathlib.PurePath(word).name if "/" in word else word)


def machine_of(run):
    return f"{run.get('gpu') or run['processor']}, {run['date'][:10]}"


def provenance(names, records, described):
    """A line for each record that no table above on the page has described, and one for the others."""
    lines, known, silent = [], [], []
    for name, record in zip(names, records):
        run = first_run(record)
        if name in described:
            known.append(f"`{name}`")
        elif run:
            lines.append(f"- `{name}`: {machine_of(run)}: `{command_of(run)}`")
        else:
            silent.append(f"`{name}`")
        described.add(name)
    if silent:
        lines.append(f"- {', '.join(silent)}: do not say their machine and command")
    if known:
        lines.append(f"- {', '.join(known)}: as above")
    return lines


def block(name, results, described):
    names, function, names_records = TABLES[name]
    records = [read_json(results / n) for n in names]
    titles, rows = function(*records)
    cells = (titles, ["---"] * len(titles), *rows)
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in cells]
    if names_records:
        lines += ["", *provenance(names, records, described)]
    return "\n".join(lines) + "\n"


def rewritten(text, results):
    described = set()

    def replaced(found):
        if found[2] not in TABLES:
            sys.exit(f"no table {found[2]}; there are {', '.join(TABLES)}")
        return found[1] + block(found[2], results, described) + found[4]

    return BLOCK.sub(replaced, text)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    parser.add_argument("source", nargs="?", default=SOURCE, type=pathlib.Path)
    options = parser.parse_args()
    results = options.source / "perf_test" / "results"
    differ, too_long, count = False, False, 0
    docs = options.source / "docs"
    for page in sorted(docs.rglob("*.md")):
        old = page.read_text(encoding="utf-8")
        new = rewritten(old, results)
        count += len(BLOCK.findall(old))
        lines = new.count("\n")
        most = MOST_LINES[page.name] if page.parent == docs / "performance" else lines
        if lines > most:
            too_long = True
            print(f"{page}: {lines} lines, expected at most {most}")
        if old == new:
            continue
        differ = True
        texts = old.splitlines(), new.splitlines()
        print("\n".join(difflib.unified_diff(*texts, str(page), "records", lineterm="")))
        if not options.check:
            page.write_text(new, encoding="utf-8")
    print(f"{count} tables: {'they differ' if differ else 'all are what the records give'}")
    return 1 if (differ and options.check) or too_long or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
