#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""check_records.py [SOURCE_DIR]: the pages' records and images are there, and no others are.

A record that a page of docs/ or the README names exists in perf_test/results/, where `{a,b}` stands for
several, and so does an image in docs/images/. A record or an image that no page names is a finding,
and so are folders that have grown beyond MOST_BYTES, and a record that does not say of which commit
it is. Prints the findings and exits with 1 where there are any.
"""
import json
import lzma
import pathlib
import re
import sys

# With any packing or none: a command that a page quotes may have read it as it was before.
RECORD = re.compile(r"([a-z][\w{},-]*-\d{4}-\d{2}-\d{2}\.json)(?:\.[gx]z)?")
IMAGE = re.compile(r"images/([\w.-]+\.(?:svg|png))")
# As git describes a commit; scripts write two states as `before` and `now`, or what `tessera --version` prints.
COMMIT = re.compile(r"[0-9a-f]{7,40}(-dirty)?")
VERSION = re.compile(r"tessera [\d.]+ \((.*)\)")
MOST_BYTES = {"perf_test/results": 1_500_000, "docs/images": 450_000}


def expanded(name):
    """The names that a name with `{a,b}` stands for."""
    braces = re.search(r"\{([^{}]*)\}", name)
    if not braces:
        return [name]
    before, after = name[: braces.start()], name[braces.end() :]
    return [n for part in braces[1].split(",") for n in expanded(before + part + after)]


def named(pages):
    """{folder: {file: the page that names it}}"""
    found = {folder: {} for folder in MOST_BYTES}
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for match in RECORD.findall(text):
            for name in expanded(match):
                found["perf_test/results"].setdefault(name, page)
        for name in IMAGE.findall(text):
            found["docs/images"].setdefault(name, page)
    return found


def commits(part):
    """Pairs of each commit that a part of a record names and the note beside it."""
    if isinstance(part, list):
        for item in part:
            yield from commits(item)
    elif isinstance(part, dict):
        for key, value in part.items():
            version = VERSION.fullmatch(value) if key == "version" and isinstance(value, str) else None
            if version:
                yield version[1], part.get("commit_note")
            elif key in ("commit", "before", "now") and isinstance(value, str):
                yield value, part.get("commit_note")
            else:
                yield from commits(value)


def findings_of_commits(path):
    """A record is of a commit. One that was measured beside changes says in commit_note which those were."""
    opener = lzma.open if path.suffix == ".xz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        record = json.load(file)
    if "sources" in record:  # figures that others have published
        return
    named_by_it = list(commits(record))
    if not named_by_it:
        yield f"{path}: names no commit"
    for commit, note in named_by_it:
        match = COMMIT.fullmatch(commit)
        if not match:
            yield f"{path}: '{commit}' is no commit"
        elif match[1] and not note:
            yield f"{path}: {commit} without a commit_note of what was not committed"


def main():
    source = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    pages = [source / "README.md", *sorted((source / "docs").rglob("*.md"))]
    findings = []
    for folder, names in named(pages).items():
        files = {
            p.name.removesuffix(".xz"): p.stat().st_size
            for p in (source / folder).iterdir()
            if p.is_file()
        }
        for name in sorted(set(names) - set(files)):
            findings.append(f"{names[name]}: {folder}/{name} does not exist")
        for name in sorted(set(files) - set(names)):
            findings.append(f"{folder}/{name}: no page names it; drop it, or name it")
        size, most = sum(files.values()), MOST_BYTES[folder]
        if size > most:
            findings.append(
                f"{folder}: {size} bytes, expected at most {most}: keep the newest of each series, "
                "compress records of more than 8 kB (xz -9e), save plots as PNG"
            )
    for path in sorted((source / "perf_test" / "results").iterdir()):
        findings += findings_of_commits(path)
    print("\n".join(findings) or "records and images: all named, all there, each record of a commit")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
