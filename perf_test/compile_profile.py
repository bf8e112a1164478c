#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where the compiler's time goes: by stage, by header, by template, by function that is optimised.

    compile_profile.py TRACE.json ...            traces that clang wrote with -ftime-trace
    compile_profile.py [--flags='...'] SOURCE.cpp ...   compiles these first, one after another

Both may be given together. Sources are compiled in the current folder, by default with the flags of a
host build with OpenMP in the private root, where this is run as
`./dev shell python3 perf_test/compile_profile.py kernels/tessera/kernels/vector/dot.cpp`.

Times of a source that is compiled here are scaled to its CPU time, so that others on the same cores
count less; those of traces are as they stand. Exclusive time of a header leaves out the headers that it
includes, that of a template those that it instantiates; inclusive time counts a name once where it
nests in itself. A header's time includes the templates that it instantiates while it is read. Events
shorter than 0.1 ms are part of what encloses them. Tables are in Markdown.
"""
import argparse
import json
import os
import pathlib
import resource
import shlex
import subprocess
import sys
import tempfile

from clang_trace import Totals
from cxx_names import demangled, library, short_path

GRANULARITY_US = 100
FLAGS = (
    "-std=c++20 -O2 -DNDEBUG -fopenmp -DTESSERA_HAVE_SUITESPARSE -Ikernels -Isrc -Ipackages "
    "-Ipackages/parameters -Itests -Iperf_test -isystem /opt/kokkos-openmp/usr/include/kokkos "
    "-isystem /usr/include/suitesparse"
)
STAGES = {
    "headers": "reading headers, with what they instantiate",
    "source": "the source's own text, with what it instantiates",
    "pending": "templates instantiated at the end",
    "ir": "front end: intermediate code",
    "optimizer": "back end: optimiser",
    "machine": "back end: machine code",
    "rest": "the rest",
}


def seconds(microseconds):
    return f"{microseconds / 1e6:.1f}"


def share(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else ""


def rows_of(table, top, by=0):
    return sorted(table.items(), key=lambda item: -item[1][by])[:top]


def tables(totals, top):
    """The lines of all tables."""
    whole = sum(source["all"] for source in totals.sources.values())
    yield f"{len(totals.sources)} sources, {seconds(whole)} s."
    yield from ("", "| stage | s | |", "| --- | ---: | ---: |")
    for stage, text in STAGES.items():
        part = sum(source[stage] for source in totals.sources.values())
        yield f"| {text} | {seconds(part)} | {share(part, whole)} |"

    yield from ("", "| source | s | headers | own text | pending | IR | optimiser | machine code |",
                "| --- |" + " ---: |" * 7)
    for source, stage in sorted(totals.sources.items(), key=lambda item: -item[1]["all"]):
        parts = [stage[key] for key in ("headers", "source", "pending", "ir", "optimizer", "machine")]
        yield f"| `{source}` | {seconds(stage['all'])} | " + " | ".join(map(seconds, parts)) + " |"

    libraries = {}
    for path, row in totals.headers.items():
        libraries[library(path)] = libraries.get(library(path), 0.0) + row[0]
    reading = sum(libraries.values())
    yield from ("", "| headers of | exclusive s | of all headers |", "| --- | ---: | ---: |")
    for name, time in sorted(libraries.items(), key=lambda item: -item[1]):
        yield f"| {name} | {seconds(time)} | {share(time, reading)} |"

    for by, title in enumerate(("exclusive", "inclusive")):
        yield from ("", f"| header, by {title} time | exclusive ms per source | "
                        "inclusive ms per source | sources |",
                    "| --- | ---: | ---: | ---: |")
        for path, (exclusive, inclusive, count) in rows_of(totals.headers, top, by):
            yield (f"| `{short_path(path)}` | {exclusive / count / 1e3:.0f} | "
                   f"{inclusive / count / 1e3:.0f} | {count} |")

    yield from ("", "| template, without its arguments | exclusive s | inclusive s | "
                    "instantiations of 0.1 ms and more |",
                "| --- | ---: | ---: | ---: |")
    for name, (exclusive, inclusive, count) in rows_of(totals.templates, top):
        yield f"| `{name}` | {exclusive / 1e6:.2f} | {inclusive / 1e6:.2f} | {count} |"

    names = demangled(list(totals.functions))
    functions = {}
    for mangled, (time, sources) in totals.functions.items():
        row = functions.setdefault(names[mangled], [0.0, 0, 0])
        row[0] += time
        row[1] += 1
        row[2] += sources
    spaces = {}
    for name, (time, *_) in functions.items():
        space = name.split("::")[0] + "::" if "::" in name else "others"
        spaces[space] = spaces.get(space, 0.0) + time
    working = sum(spaces.values())
    yield from ("", "| functions in the back end of | s | of all functions |", "| --- | ---: | ---: |")
    for name, time in rows_of({name: [time] for name, time in spaces.items()}, 6):
        yield f"| `{name}` | {seconds(time[0])} | {share(time[0], working)} |"
    yield from ("", "| function in the back end, without its arguments | s | functions | times compiled |",
                "| --- | ---: | ---: | ---: |")
    for name, (time, count, compiled) in rows_of(functions, top):
        yield f"| `{name}` | {time / 1e6:.2f} | {count} | {compiled} |"


def read_trace(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return json.load(file)["traceEvents"]
    except OSError as wrong:
        raise RuntimeError(f"{path} cannot be read: {wrong.strerror}") from wrong
    except (ValueError, KeyError, TypeError) as wrong:
        raise RuntimeError(f"{path} is no trace of clang's -ftime-trace") from wrong


def compile_source(compiler, flags, source, folder):
    """The events of a compilation, and its CPU time over its time on the clock."""
    trace = pathlib.Path(folder) / "trace.json"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [compiler, *flags, f"-ftime-trace={trace}", f"-ftime-trace-granularity={GRANULARITY_US}",
               "-c", source, "-o", os.path.join(folder, "object.o")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    except OSError as wrong:
        raise RuntimeError(f"{compiler} cannot be run: {wrong.strerror}") from wrong
    if done.returncode != 0:
        said = next((line for line in done.stderr.splitlines() if "error" in line), "no message")
        raise RuntimeError(f"{source} does not compile: {said}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    events = read_trace(trace)
    whole = sum(e["dur"] for e in events if e.get("name") == "ExecuteCompiler") / 1e6
    return events, min(1.0, cpu / whole) if whole else 1.0


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", nargs="+", metavar="FILE", help="a trace (.json) or a source")
    parser.add_argument("--compiler", default="clang++-21", help="a clang [%(default)s]")
    parser.add_argument("--flags", default=FLAGS, help="one word: all flags [%(default)s]")
    parser.add_argument("--more-flags", default="", metavar="FLAGS", help="one word: flags after these")
    parser.add_argument("--top", type=int, default=15, help="rows of each table [%(default)s]")
    return parser.parse_args(argv)


def main(argv):
    options = parse(argv)
    totals = Totals()
    flags = shlex.split(options.flags) + shlex.split(options.more_flags)
    wrong = None
    try:
        with tempfile.TemporaryDirectory(prefix="compile_profile.") as folder:
            for number, file in enumerate(options.inputs, 1):
                if sys.stderr.isatty():
                    print(f"\r\033[K{number}/{len(options.inputs)} {file}", end="", file=sys.stderr,
                          flush=True)
                if file.endswith(".json"):
                    totals.add(file.removesuffix(".json"), read_trace(file))
                else:
                    totals.add(file, *compile_source(options.compiler, flags, file, folder))
    except (RuntimeError, KeyboardInterrupt) as reason:
        wrong = str(reason) or "interrupted"
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    if totals.sources:
        print("\n".join(tables(totals, options.top)), flush=True)
    if wrong:
        print(f"compile_profile: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
