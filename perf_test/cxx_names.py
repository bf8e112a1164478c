# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Names of functions, templates and headers, short enough for a table."""
import os
import re
import shutil
import subprocess

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
