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
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile

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
INSTANTIATIONS = ("InstantiateFunction", "InstantiateClass")


class Span:
    """An event of a trace, in microseconds."""

    def __init__(self, name, detail, begin, end):
        self.name, self.detail, self.begin, self.end = name, detail, begin, end
        self.parent = None

    @property
    def length(self):
        return self.end - self.begin

    def ancestors(self):
        span = self.parent
        while span:
            yield span
            span = span.parent


def spans_of(events, scale=1.0):
    """The spans of a trace, their times multiplied by `scale`."""
    spans, opened = [], {}
    for event in events:
        detail = event.get("args", {}).get("detail", "")
        key = (event.get("name"), event.get("id"))
        if event.get("ph") == "X" and not event["name"].startswith("Total "):
            begin = event["ts"] * scale
            spans.append(Span(event["name"], detail, begin, begin + event["dur"] * scale))
        elif event.get("ph") == "b":
            opened.setdefault(key, []).append((detail, event["ts"] * scale))
        elif event.get("ph") == "e" and opened.get(key):
            detail, begin = opened[key].pop()
            spans.append(Span(event["name"], detail, begin, event["ts"] * scale))
    return spans


def nested(spans):
    """These spans in order of their begin, each with the innermost one around it as its parent.

    To be called for one kind at a time: a declaration at the end of a header is read up to the first
    token of the next header, whose time lies in both.
    """
    spans = sorted(spans, key=lambda span: (span.begin, -span.end))
    stack = []
    for span in spans:
        while stack and stack[-1].end <= span.begin:
            stack.pop()
        span.parent = stack[-1] if stack else None
        stack.append(span)
    return spans


def without_arguments(name):
    """`a::b::operator()` for `a::b<c<d>, 2>::operator()`: template arguments left out."""
    name = re.sub(r"\((?:lambda|anonymous class|unnamed \w+) at [^()]*\)", "(lambda)", name)
    name = name.replace("(anonymous namespace)::", "")
    kept, depth, at = [], 0, 0
    while at < len(name):
        # "operator<<int>" is operator< of int.
        operator = re.compile(r"operator(?:<=>|<<=|>>=|<<(?!\w)|>>|<=|>=|->\*|->|<|>)").match(name, at)
        if operator and depth == 0:
            kept.append(operator[0])
            at = operator.end()
            continue
        letter = name[at]
        if letter == "<":
            depth += 1
        elif letter == ">" and name[at - 1] != "-":
            depth -= 1
        elif depth == 0:
            kept.append(letter)
        at += 1
    return "".join(kept)


def demangled(names):
    """{mangled: name without return type, parameters and template arguments}; as they are without
    a c++filt."""
    tool = next((t for t in ("c++filt", "llvm-cxxfilt-21", "llvm-cxxfilt") if shutil.which(t)), None)
    if not tool or not names:
        return {name: name for name in names}
    done = subprocess.run([tool, "-p"], input="\n".join(names) + "\n", capture_output=True, text=True,
                          check=True)
    return {name: function_name(text) for name, text in zip(names, done.stdout.splitlines())}


def function_name(text):
    """`a::b::(lambda)` for what a demangler says of a lambda in `a::b`; no types, no arguments."""
    text = without_arguments(re.sub(r"\[abi:\w+\]| \[clone .*\]", "", text))
    in_lambda = re.search(r"::(?:\{lambda|'lambda|\$_\d)", text)
    if in_lambda:
        text = text[: in_lambda.start()]
    operator = re.search(r"\boperator(?: [\w:]+|\(\)|[^\w(]+)", text)
    name = text[: operator.start()] + operator[0] if operator else text.split("(", 1)[0]
    before = name[: operator.start()] if operator else name
    name = name[before.rfind(" ") + 1:]
    return name.rstrip() + ("::(lambda)" if in_lambda else "")


def short_path(path):
    """`<chrono>`, `Kokkos_Core.hpp`, or a path from the current folder."""
    path = os.path.normpath(path)
    standard = re.search(r"/include/(?:[\w-]+/)?c\+\+/\d+/(?:[\w-]+-linux-gnu/)?(.*)$", path)
    if standard:
        return f"<{standard[1]}>"
    if os.path.isabs(path) and path.startswith(os.getcwd() + os.sep):
        return os.path.relpath(path)
    for prefix in (r".*/include/kokkos/", r"/usr/include/trilinos/", r"/usr/include/", r"/usr/lib/"):
        if re.match(prefix, path):
            return re.sub("^" + prefix, "", path)
    return path


def library(path):
    """What a header belongs to: the folder of our own, or the library."""
    path = os.path.normpath(path)
    if "/c++/" in path:
        return "C++ standard library"
    if "/include/kokkos/" in path:
        return "Kokkos"
    for folder, name in (("/gtest/", "GoogleTest"), ("/gmock/", "GoogleTest"), ("/fmt/", "fmt"),
                         ("/nlohmann/", "nlohmann-json"), ("/CLI/", "CLI11"), ("/trilinos/", "Trilinos")):
        if folder in path:
            return name
    own = re.match(r"(?:.*/)?(kernels|src|packages|tests|perf_test)/", short_path(path))
    return f"`{own[1]}`" if own and not path.startswith("/usr") else "C library, others"


class Totals:
    """Sums over traces, in microseconds."""

    def __init__(self):
        self.sources = {}  # {source: {stage: time, "all": time}}
        self.headers = {}  # {path: [exclusive, inclusive, sources that read it]}
        self.templates = {}  # {name: [exclusive, inclusive, instantiations]}
        self.functions = {}  # {mangled name: [time, sources that compile it]}

    def add(self, source, events, scale=1.0):
        spans = spans_of(events, scale)
        headers = nested([span for span in spans if span.name == "Source"])
        self.add_stages(source, spans, headers)
        self.add_nested(headers, lambda header: header.detail, self.headers, once=True)
        templates = nested([span for span in spans if span.name in INSTANTIATIONS])
        self.add_nested(templates, lambda span: without_arguments(span.detail), self.templates)
        self.add_functions(spans)

    def add_stages(self, source, spans, headers):
        def time_of(*names):
            return sum(span.length for span in spans if span.name in names)

        fronts = sorted((s for s in spans if s.name == "Frontend"), key=lambda s: s.begin)
        stages = {
            "headers": sum(header.length for header in headers if not header.parent),
            "source": 0.0,
            "pending": time_of("PerformPendingInstantiations"),
            # The first is parsing and instantiation, a second one walks what was kept.
            "ir": sum(span.length for span in fronts[1:]),
            "optimizer": time_of("Optimizer"),
            "machine": time_of("CodeGenPasses"),
        }
        parsing = sum(span.length for span in fronts[:1])
        stages["source"] = max(0.0, parsing - stages["headers"] - stages["pending"])
        whole = time_of("ExecuteCompiler")
        self.sources[source] = {**stages, "rest": max(0.0, whole - sum(stages.values())), "all": whole}

    def add_nested(self, spans, label, table, once=False):
        """Exclusive and inclusive times by label, and of how many spans, or `once` for a source."""
        here = {}
        labels = {id(span): label(span) for span in spans}
        for span in spans:
            key = labels[id(span)]
            row = here.setdefault(key, [0.0, 0.0, 0])
            row[0] += span.length
            row[2] += 1
            if all(labels[id(outer)] != key for outer in span.ancestors()):
                row[1] += span.length
            if span.parent:
                here[labels[id(span.parent)]][0] -= span.length
        for key, row in here.items():
            sums = table.setdefault(key, [0.0, 0.0, 0])
            for at, value in enumerate((row[0], row[1], 1 if once else row[2])):
                sums[at] += value

    def add_functions(self, spans):
        """Time of the back end by the function that is worked on; of a group the first counts."""
        ends = [span for span in spans if span.name == "Backend"]
        inside = nested([span for span in spans
                         if any(end.begin <= span.begin and span.end <= end.end for end in ends)])
        function, here = {}, {}
        for span in inside:
            mangled = re.match(r"\(?(_Z\w+)", span.detail)
            outer = function.get(id(span.parent)) if span.detail != "[module]" else None
            worked_on = function[id(span)] = mangled[1] if mangled else outer
            for whose, time in ((worked_on, span.length), (function.get(id(span.parent)), -span.length)):
                if whose:
                    here[whose] = here.get(whose, 0.0) + time
        for whose, time in here.items():
            row = self.functions.setdefault(whose, [0.0, 0])
            row[0] += time
            row[1] += 1


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
