#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""check_call_paths.py [SOURCE_DIR]: the calls that docs/guide/call_paths.md lists are in the sources.

Below a line `<!-- chain: KIND -->` the rows of the page's tables are a tree of calls:

    | hop | function | file:symbol | decides |
    | 4 | `for_groups` (lambda) | `kernels/a.hpp:for_groups` | ... |

A row is called by the nearest row above it of the hop before its own, so that a row of no higher hop
than that above it begins another branch. Each symbol, `name` or `Class::name`, is to be defined in its
file, and the body of its caller to name it; a functor, `Class::operator()`, is named by its class. What a
function marked `(lambda)` calls is named by the lambda or the functor that it is given, in the body of the
caller; what one marked (of `make`) calls is named by `make`, of the same file, which makes its argument. No branch has more hops than LIMITS allow for its kind, nor a name twice. Prints the findings,
each with its line of the page, and exits with 1 where there are any.
"""
import pathlib
import re
import sys
from typing import NamedTuple

PAGE = pathlib.Path("docs") / "guide" / "call_paths.md"
LIMITS = {"product": 6, "setup": 12}
CHAIN = re.compile(r"^<!-- chain: (\S+) -->$")
ROW = re.compile(
    r"^\| (\d+) \| `([^`]+)`(?: \((lambda|of `[^`]+`)\))? \| `([^`:]+):([^`]+)` \| (\S.*) \|$"
)
NO_CODE = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|(?<!\w)'(?:[^'\\\n]|\\.)+'", re.DOTALL
)
CLASS = re.compile(
    r"\b(?:class|struct)\s+(\w+)\s*(?:<[^{};]*?>)?\s*(?:final\s*)?(?::(?!:)[^{};]*)?\{"
)
BEFORE_BODY = re.compile(
    r"\s*(?:(?:const|noexcept|override|final)\b\s*)*(?:(?:->|requires\b|:(?!:))[^;{}]*)?\{"
)


class Row(NamedTuple):
    line: int
    hop: int
    file: str
    symbol: str
    given: str | None  # what it calls: a lambda or a functor, or made by "of `function`"

    def name(self):
        return self.symbol.rsplit("::", 1)[-1]

    def called_as(self):
        """The word by which a caller names it."""
        return self.symbol.split("::")[-2] if self.name() == "operator()" else self.name()


def end_of(text, begin, brackets):
    """Behind the bracket that closes the one at `begin`."""
    depth = 0
    for i in range(begin, len(text)):
        depth += (text[i] == brackets[0]) - (text[i] == brackets[1])
        if depth == 0:
            return i + 1
    return len(text)


class Source:
    """A file without comments and strings."""

    def __init__(self, path):
        self.text = NO_CODE.sub(" ", path.read_text(encoding="utf-8"))
        self.classes = [
            (found.end(), end_of(self.text, found.end() - 1, "{}"), found[1])
            for found in CLASS.finditer(self.text)
        ]

    def class_of(self, place):
        """Of the function whose name is there: the class before its name, or around it."""
        before = self.text[:place].rstrip()
        if before.endswith("::"):
            before = before[:-2].rstrip()
            depth = 0
            while before and (depth or before.endswith(">")):
                depth += (before[-1] == ">") - (before[-1] == "<")
                before = before[:-1]
            return re.search(r"\w*$", before)[0]
        around = [c for c in self.classes if c[0] <= place < c[1]]
        return max(around)[2] if around else None

    def bodies(self, symbol):
        """The bodies of the functions of that name, `Class::name` or `name` of no class."""
        parts = symbol.split("::")
        owner = parts[-2] if len(parts) > 1 else None
        for found in re.finditer(rf"(?<![\w~]){re.escape(parts[-1])}\s*\(", self.text):
            parameters_end = end_of(self.text, found.end() - 1, "()")
            begins = BEFORE_BODY.match(self.text, parameters_end)
            if begins and self.class_of(found.start()) == owner:
                begin = begins.end() - 1
                yield self.text[begin : end_of(self.text, begin, "{}")]


class Page:
    def __init__(self, root):
        self.root = root
        self.sources = {}
        self.findings = []
        self.chains = dict.fromkeys(LIMITS, 0)

    def find(self, line, text):
        self.findings.append(f"{PAGE}:{line}: {text}")

    def bodies(self, row):
        """Those of the row's function, none where it is not found."""
        path = self.root / row.file
        if not path.is_file():
            return []
        if row.file not in self.sources:
            self.sources[row.file] = Source(path)
        return list(self.sources[row.file].bodies(row.symbol))

    def check_row(self, branch):
        """The last one of `branch`: that it is there, and that those before it call it."""
        row = branch[-1]
        if not (self.root / row.file).is_file():
            self.find(row.line, f"there is no file {row.file}")
        elif not self.bodies(row):
            self.find(row.line, f"{row.file} does not define {row.symbol}")
        same = [other for other in branch[:-1] if other.name() == row.name()]
        if same:
            self.find(row.line, f"{row.name()} is in line {same[0].line} already")
        callers = [other for other in branch[:-1] if other.given != "lambda"]
        if not callers:
            return
        caller = callers[-1]
        if caller.given:
            caller = caller._replace(symbol=caller.given.split("`")[1])
            if not self.bodies(caller):
                self.find(row.line, f"{caller.file} does not define {caller.symbol}")
        call = re.compile(rf"\b{re.escape(row.called_as())}\s*[<({{]")
        bodies = self.bodies(caller)
        if bodies and not any(call.search(body) for body in bodies):
            self.find(row.line, f"{caller.symbol} does not call {row.symbol}")

    def check(self):
        kind, branch = None, []
        lines = (self.root / PAGE).read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            found = CHAIN.match(line)
            if found:
                kind, branch = found[1], []
                if kind not in LIMITS:
                    self.find(number, f"a chain of {kind}; expected one of: {', '.join(LIMITS)}")
                    kind = None
                continue
            if kind is None or not re.match(r"\| *\d", line):
                continue
            cells = ROW.match(line)
            if not cells:
                self.find(number, "expected | hop | `function` | `file:symbol` | decides |")
                continue
            row = Row(number, int(cells[1]), cells[4], cells[5], cells[3])
            if cells[2] != row.name():
                self.find(number, f"the function is {cells[2]}, the symbol {row.symbol}")
            if row.hop > len(branch):
                self.find(number, f"hop {row.hop} follows hop {len(branch) - 1}")
                continue
            if row.hop > LIMITS[kind]:
                self.find(number, f"hop {row.hop} of at most {LIMITS[kind]}")
            branch = [*branch[: row.hop], row]
            self.chains[kind] += 1
            self.check_row(branch)
        for kind, rows in self.chains.items():
            if rows == 0:
                self.find(len(lines), f"no chain of kind {kind}")


def main():
    page = Page(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve())
    page.check()
    for finding in page.findings:
        print(finding)
    print(f"{sum(page.chains.values())} calls, {len(page.findings)} findings")
    return 1 if page.findings else 0


if __name__ == "__main__":
    sys.exit(main())
