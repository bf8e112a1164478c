#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compiles each installed header alone, as an embedder's first include.

BUILD holds compile_commands.json. Installed headers are those of cmake/public_headers.txt; --all takes
the library's own as well, three times as many. Headers that reach Kokkos by their own includes are read
after a precompiled <Kokkos_Core.hpp>, which takes a quarter of the time and hides nothing: that they
reach it is checked first, from the includes themselves.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

# Libraries with public headers, in their folder tessera/. Each is compiled with the flags of its sources.
LIBRARIES = ("kernels", "src", "packages/parameters", "packages/app")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
INSTALLED = re.compile(r"^(?:public|needed) (\S+)", re.MULTILINE)


def flags_of(commands, source, library):
    """The compiler and its flags, without the source and the optimisation."""
    folder = str(source / library) + "/"
    for command in commands:
        words = shlex.split(command["command"])
        # Joined sources lie in the build tree, below the library's own folder.
        if command["file"].startswith(folder) or f"/{library}/CMakeFiles/" in command["file"]:
            break
    else:
        raise SystemExit(f"no source of {library} in compile_commands.json")
    if os.path.basename(words[0]) == "ccache":
        words = words[1:]
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "-c"):
            skip = True
        elif not re.match(r"-O|-g|-Winvalid-pch|-M", word):
            kept.append(word)
    return kept


def reaches_kokkos(header, roots, seen):
    """Whether the includes of a header, followed through ours, come to one of Kokkos's."""
    if header in seen:
        return seen[header]
    seen[header] = False  # for circles
    for name in INCLUDE.findall(header.read_text()):
        path = next((root / name for root in roots if (root / name).exists()), None)
        if name.startswith("Kokkos_") or (path and reaches_kokkos(path, roots, seen)):
            seen[header] = True
            break
    return seen[header]


def run(command):
    return subprocess.run(command, capture_output=True, text=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", metavar="BUILD", type=pathlib.Path)
    parser.add_argument("source", metavar="SOURCE", type=pathlib.Path)
    parser.add_argument("--all", action="store_true", help="headers that are not installed, too")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    build, source = options.build, options.source
    installed = set(INSTALLED.findall((source / "cmake/public_headers.txt").read_text()))
    commands = json.loads((build / "compile_commands.json").read_text())
    libraries = [library for library in LIBRARIES if (build / library).is_dir()]
    roots = [source / library for library in libraries] + [build / "kernels/generated"]
    work = build / "header_check"
    work.mkdir(exist_ok=True)
    checks, seen = [], {}
    for number, library in enumerate(libraries):
        flags = flags_of(commands, source, library) + ["-fsyntax-only"]
        kokkos = work / f"kokkos_{number}.hpp"
        kokkos.write_text("#include <Kokkos_Core.hpp>\n")
        pch = [f for f in flags if f != "-fsyntax-only"]
        result = run(pch + ["-x", "c++-header", str(kokkos), "-o", f"{kokkos}.gch"])
        if result.returncode != 0:
            raise SystemExit(f"Kokkos itself does not compile:\n{result.stderr}")
        for header in sorted((source / library / "tessera").rglob("*.hpp")):
            parts = header.relative_to(source / library).parts
            if "cuda" in parts or "hip" in parts:
                continue  # for those compilers alone
            if not options.all and "/".join(parts) not in installed:
                continue
            prefix = ["-include", str(kokkos)] if reaches_kokkos(header, roots, seen) else []
            name = "/".join(parts)
            test = work / (name.replace("/", "_") + ".cpp")
            test.write_text(f'#include "{name}"\n#include "{name}"\n')
            checks.append((name, flags + prefix + [str(test)]))
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda check: (check[0], run(check[1])), checks)
        for name, result in results:
            if result.returncode != 0:
                failures += 1
                print(f"{name} does not compile alone:\n{result.stderr}")
    if not checks:
        raise SystemExit("cmake/public_headers.txt names no header of this tree")
    print(f"{len(checks)} headers, {failures} of which do not compile alone")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
