#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""The headers that are installed: those that users are promised, and what these include.

header_closure.py ROOT --check        whether cmake/public_headers.txt is that, and what else it must be
header_closure.py ROOT --write        writes the part of that list that follows from the other
header_closure.py ROOT --why HEADER   the includes that lead from a promised header to this one

The list has lines `public HEADER`, written by hand, and below them `needed HEADER`, written by --write.
CMake installs both (tessera_add_headers). Of `src` and `kernels` they are at most LIMIT.
"""
import pathlib
import re
import sys

LIST = "cmake/public_headers.txt"
LIMIT = 120
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"](tessera/[^>"]+)[>"]', re.MULTILINE)
LINE = re.compile(r"(public|needed) (tessera/\S+)$")
# As pages name what a program includes.
NAMED = re.compile(r"<(tessera/[a-z0-9_/]+\.hpp)>")
COMMENT = re.compile(r"//[^\n]*")
# Above the needed ones; --write writes all that follows it.
DIVIDER = "# What these include. Written by `cmake/header_closure.py . --write`."


class Tree:
    """The headers of the repository, by the names that includes have for them."""

    def __init__(self, root):
        self.root = root
        self.bases = [root / "kernels", root / "src", *sorted((root / "packages").glob("*/"))]

    def find(self, header):
        """Its file; None where there is none."""
        if header == "tessera/version.hpp":  # made of this
            return self.root / "cmake/version.hpp.in"
        return next((base / header for base in self.bases if (base / header).is_file()), None)

    def is_of_the_library(self, header):
        """Whether it is of `src` or `kernels`, not of a package."""
        path = self.find(header)
        return path is not None and "packages" not in path.relative_to(self.root).parts

    def includes(self, header):
        path = self.find(header)
        return INCLUDE.findall(path.read_text(encoding="utf-8")) if path else []

    def closure(self, headers):
        """All that these headers include, with the header that it was first reached from."""
        reached_from = {header: None for header in headers}
        ahead = list(headers)
        for header in ahead:
            for included in self.includes(header):
                if included not in reached_from:
                    reached_from[included] = header
                    ahead.append(included)
        return reached_from


def read_list(root):
    """The list's public headers, its needed ones, and the lines that are neither nor comments."""
    found = {"public": [], "needed": []}
    wrong = []
    for line in (root / LIST).read_text(encoding="utf-8").splitlines():
        match = LINE.match(line)
        if match:
            found[match.group(1)].append(match.group(2))
        elif line and not line.startswith("#"):
            wrong.append(line)
    return found["public"], found["needed"], wrong


def needed_by(tree, public):
    return sorted(set(tree.closure(public)) - set(public))


def findings_of_users(tree, public, installed):
    """What examples and pages name and a user would not find."""
    for source in sorted((tree.root / "examples").rglob("*.cpp")):
        for header in INCLUDE.findall(source.read_text(encoding="utf-8")):
            if header not in public:
                yield f"{source.relative_to(tree.root)} includes {header}, which is not public"
    for page in [*sorted((tree.root / "docs").rglob("*.md")), tree.root / "README.md"]:
        text = page.read_text(encoding="utf-8") if page.is_file() else ""
        for header in sorted(set(INCLUDE.findall(text) + NAMED.findall(text))):
            if header not in installed:
                yield f"{page.relative_to(tree.root)} names <{header}>, which is not installed"


def findings(tree):
    public, needed, wrong = read_list(tree.root)
    for line in wrong:
        yield f"{LIST}: a line is `public HEADER` or `needed HEADER`, not: {line}"
    for header in public + needed:
        if tree.find(header) is None:
            yield f"{LIST}: there is no {header}"
    for header in sorted({h for h in public + needed if (public + needed).count(h) > 1}):
        yield f"{LIST}: {header} is listed twice"
    for header in public:
        if "/detail/" in header or header.endswith("_impl.hpp"):
            yield f"{LIST}: {header} is public and a detail"
    reached = needed_by(tree, public)
    for header in reached:
        if header not in needed:
            yield f"{LIST}: {header} is included by a public header, and not listed: run --write"
    for header in needed:
        if header not in reached:
            yield f"{LIST}: {header} is listed as needed, and no public header includes it: run --write"
    library = [header for header in public + reached if tree.is_of_the_library(header)]
    if len(library) > LIMIT:
        yield (f"{len(library)} headers of src and kernels would be installed; at most {LIMIT} are: "
               "see where a header comes from by --why, and let a .cpp include it, or declare instead")
    for header in public + reached:
        path = tree.find(header)
        if path and header.endswith("parameters.hpp"):
            if "kernels::" in COMMENT.sub("", path.read_text(encoding="utf-8")):
                yield f"{header}: a user's parameters name something of kernels::"
    yield from findings_of_users(tree, public, set(public) | set(reached))


def write(tree):
    path = tree.root / LIST
    public, _, _ = read_list(tree.root)
    by_hand = path.read_text(encoding="utf-8").split(DIVIDER)[0].rstrip("\n")
    needed = "".join(f"needed {header}\n" for header in needed_by(tree, public))
    path.write_text(f"{by_hand}\n\n{DIVIDER}\n{needed}", encoding="utf-8")


def why(tree, header):
    """Prints the shortest chain of includes from a public header to this one."""
    public, _, _ = read_list(tree.root)
    reached_from = tree.closure(public)
    if header not in reached_from:
        print(f"{header} is not installed")
        return 1
    chain = [header]
    while reached_from[chain[0]] is not None:
        chain.insert(0, reached_from[chain[0]])
    print("\n  includes ".join(["public " + chain[0], *chain[1:]]))
    return 0


def main():
    if len(sys.argv) < 3 or sys.argv[2] not in ("--check", "--write", "--why"):
        raise SystemExit(__doc__)
    tree = Tree(pathlib.Path(sys.argv[1]).resolve())
    if sys.argv[2] == "--why":
        return why(tree, sys.argv[3])
    if sys.argv[2] == "--write":
        write(tree)
    found = list(findings(tree))
    for finding in found:
        print(finding)
    public, needed, _ = read_list(tree.root)
    library = sum(tree.is_of_the_library(header) for header in public + needed)
    print(f"{len(public)} public headers and {len(needed)} that they need, {library} of them of src and "
          f"kernels: {len(found)} findings")
    return 1 if found or not public else 0


if __name__ == "__main__":
    sys.exit(main())
