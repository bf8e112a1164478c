#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""refusal_check.py BUILD SOURCE: what does not compile says why.

In each source of tests/compile_only/refused a line that ends in `// refused: TEXT` is one that the compiler refuses by a
static assertion whose message has TEXT, and that its trace names. All other errors are findings, for another
mistake would hide that a line is accepted. Flags are those of the library in BUILD/compile_commands.json.
"""
import json
import pathlib
import re
import sys

from header_check import flags_of, run

MARK = re.compile(r"// refused: (.+)$")
ERROR = re.compile(r"\berror: (.*)$")


def findings_in(path, output):
    found = []
    errors = [match[1] for match in map(ERROR.search, output.splitlines()) if match]
    found += [f"{path.name}: another error: {text}" for text in errors if "static assertion failed" not in text]
    asserted = [text for text in errors if "static assertion failed" in text]
    marks = [(number, match[1]) for number, line in enumerate(path.read_text().splitlines(), 1)
             if (match := MARK.search(line))]
    for number, text in marks:
        if f"{path.name}:{number}:" not in output:
            found.append(f"{path.name}:{number}: is accepted")
        elif not any(text in message for message in asserted):
            found.append(f"{path.name}:{number}: no static assertion says '{text}'")
    if len(asserted) != len(marks):
        found.append(f"{path.name}: {len(asserted)} static assertions fail, expected {len(marks)}")
    return found, len(marks)


def main(build, source):
    commands = json.loads((build / "compile_commands.json").read_text())
    flags = flags_of(commands, source, "src") + ["-fsyntax-only"]
    found, count = [], 0
    for path in sorted((source / "tests/compile_only/refused").glob("*.cpp")):
        more, lines = findings_in(path, run(flags + [str(path)]).stderr)
        found += more
        count += lines
    print("\n".join(found + [f"{count} lines, {len(found)} findings"]))
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*map(pathlib.Path, sys.argv[1:3])))
