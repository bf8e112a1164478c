#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""check_quotes.py [SOURCE_DIR]: the code that the documentation shows is code that is compiled.

A fenced block below a line `<!-- quote: FILE TAG -->` must equal the snippet of FILE between its
two lines `//! [TAG]` (`#! [TAG]` in CMake, `<!--! [TAG] -->` in XML), less the snippet's indentation. In README.md and
docs/guide/ every C++ block must be such a quote. A placeholder `@@NAME@@` that nobody filled in is
a finding as well. Prints what differs and exits with 1 where anything does.
"""

import difflib
import pathlib
import re
import sys
import textwrap

MARKER = re.compile(r"^<!-- quote: (\S+) (.+?) -->$")
FENCE = re.compile(r"^```(\w*)$")
PLACEHOLDER = re.compile(r"@@[A-Za-z0-9 ._-]+@@")


class Finding(Exception):
    pass


def snippet(source, file, tag):
    """The lines between the two tags, without what indents them."""
    path = source / file
    if not path.is_file():
        raise Finding(f"{file} does not exist")
    lines = path.read_text(encoding="utf-8").splitlines()
    tags = (f"//! [{tag}]", f"#! [{tag}]", f"<!--! [{tag}] -->")
    marks = [i for i, line in enumerate(lines) if line.strip() in tags]
    if len(marks) != 2:
        raise Finding(f"{file} has {len(marks)} lines `//! [{tag}]`, expected 2")
    return textwrap.dedent("\n".join(lines[marks[0] + 1 : marks[1]])).splitlines()


def blocks(lines):
    """Each fenced block: its first line's number, language, lines, and the marker above it."""
    marker = None
    i = 0
    while i < len(lines):
        found = MARKER.match(lines[i])
        fence = FENCE.match(lines[i])
        if found:
            if marker:
                raise Finding(f"line {marker[0]}: no block follows the marker")
            marker = (i + 1, found.group(1), found.group(2))
        elif fence:
            end = next((j for j in range(i + 1, len(lines)) if lines[j] == "```"), None)
            if end is None:
                raise Finding(f"line {i + 1}: the block has no end")
            yield i + 1, fence.group(1), lines[i + 1 : end], marker
            marker = None
            i = end
        elif marker and lines[i]:
            raise Finding(f"line {marker[0]}: no block follows the marker")
        i += 1
    if marker:
        raise Finding(f"line {marker[0]}: no block follows the marker")


def findings_in(source, page, must_quote):
    text = page.read_text(encoding="utf-8")
    for match in PLACEHOLDER.finditer(text):
        number = text.count("\n", 0, match.start()) + 1
        yield f"{number}: {match.group()} was not filled in"
    try:
        for number, language, shown, marker in blocks(text.splitlines()):
            if marker is None:
                if must_quote and language == "cpp":
                    yield f"{number}: C++ that is not a quote"
                continue
            try:
                expected = snippet(source, marker[1], marker[2])
            except Finding as finding:
                yield f"{marker[0]}: {finding}"
                continue
            if shown != expected:
                name = f"{marker[1]} [{marker[2]}]"
                yield f"{number}: differs from {name}"
                yield from difflib.unified_diff(shown, expected, "shown", name, lineterm="")
    except Finding as finding:
        yield str(finding)


def main():
    source = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    guide = sorted((source / "docs" / "guide").glob("*.md"))
    pages = [source / "README.md", *sorted(source.glob("docs/**/*.md")), source / "examples/README.md"]
    failed = False
    quotes = 0
    for page in pages:
        must_quote = page.name == "README.md" and page.parent == source or page in guide
        quotes += len(re.findall(r"(?m)^<!-- quote: ", page.read_text(encoding="utf-8")))
        for finding in findings_in(source, page, must_quote):
            print(f"{page.relative_to(source)}: {finding}" if finding[0].isalnum() else finding)
            failed = True
    print(f"{len(pages)} pages, {quotes} quotes: {'they differ' if failed else 'all hold'}")
    return 1 if failed or quotes == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
