#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""check_links.py [SOURCE_DIR]: links of the pages lead to what is there.

Each relative link of README.md, CONTRIBUTING.md, CHANGELOG.md and docs/ has to name a file of the repository, and its anchor a
heading of that page. In docs/ a link within a page names the page as well, since Doxygen reads `#anchor` alone as one of its own.
Prints what does not hold and exits with 1 where anything does not.
"""
import pathlib
import re
import sys
from functools import cache

LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*$")
FENCE = re.compile(r"^\s*(```|~~~)")


def text_lines(page):
    """Lines with their numbers, without fenced blocks and code in a line."""
    is_fenced = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if FENCE.match(line):
            is_fenced = not is_fenced
        elif not is_fenced:
            yield number, line


@cache
def anchors(page):
    """Of the headings, as GitHub makes them."""
    found, counts = set(), {}
    for _, line in text_lines(page):
        heading = HEADING.match(line)
        if not heading:
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
        slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        count = counts.get(slug, 0)
        counts[slug] = count + 1
        found.add(f"{slug}-{count}" if count else slug)
    return found


def problems(source, page):
    in_docs = (source / "docs") in page.parents
    for number, line in text_lines(page):
        for link in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            where = f"{page.relative_to(source)}:{number}: {link}"
            if not target.exists():
                yield f"{where}: there is no such file"
            elif in_docs and not path:
                yield f"{where}: write {page.name}#{anchor}, for Doxygen"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                yield f"{where}: that page has no such heading"


def main():
    source = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    pages = [source / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    pages += sorted((source / "docs").rglob("*.md"))
    found = [problem for page in pages for problem in problems(source, page)]
    for problem in found:
        print(problem)
    print(f"{len(pages)} pages, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
