#!/usr/bin/env python3
"""layer_check.py [SOURCE_DIR]: the rules of the repository that its text alone can show.

Layers, from the includes: a file of a layer includes files of the layers below it and of its own.

    Kokkos <- kernels <- operator <- matrix <- {smoother, solver, direct} <- amg <- solve <- packages
                         {operator, matrix} <- {io, gallery}
                         {operator, matrix} <- parameters <- the other packages
                         solve <- distributed <- the adapters
             distributed <- hypre <- mfem

The same holds of the rooms of a layer, which are its folders:

    kernels: precision <- execution <- vector <- format <- {graph, spgemm, spmv, sptrsv}
                 <- {ilu, persistent}
    amg:     rules <- {spectral, scaling, coarsening, cycle} <- parameters <- setup <- multigrid

None of two rooms includes the other, then, and no file of `kernels` is in no room. In `amg` the files
that are in no folder are those that a user includes, and the table of rules: parameters, multigrid
and rules are their rooms.

`distributed` knows nothing of those who give it matrices: neither Tpetra nor Teuchos is named in it,
and MPI in its folder `mpi` alone. `hypre` does not name MFEM.
Of `packages/petsc` tessera.h is below, and of its folder `distributed` the library by its headers, too.

What is inside a folder `detail` is included from that folder's parent only, third-party libraries
are kept out of the public headers, and everything that Kokkos shows to a profiler starts with
`tessera::`.

No header has a KOKKOS_LAMBDA: its kernels are functors. nvcc wraps a lambda for host and device in a
class whose constructor notes its functions in static members of the translation unit, while the
class's own members are merged with those of other units and libraries. Of a lambda that two of them
instantiate, one unit's constructor may be inlined and the other's copy constructor called, which then
calls address 0.

Prints one line for each finding and exits with their number, at most 1.
"""

import pathlib
import re
import sys

# A layer, and the layers that it may include besides itself.
STORED = {"kernels", "operator", "matrix"}
BELOW = {
    "kernels": set(),
    "operator": {"kernels"},
    "matrix": {"kernels", "operator"},
    "smoother": STORED,
    "solver": STORED,
    "direct": STORED,
    "io": STORED,
    "gallery": STORED,
    "amg": STORED | {"smoother", "solver", "direct"},
    "parameters": STORED,
    # Chooses, builds and applies what solves a system; its interface is tessera/solve.hpp.
    "solve": STORED | {"smoother", "solver", "direct", "amg"},
    # The headers directly in src/tessera/, which are the embedder's.
    "tessera": STORED | {"smoother", "solver", "io", "gallery", "amg", "direct", "solve"},
    # Matrices, levels and methods over several processes.
    "distributed": STORED | {"smoother", "solver", "direct", "amg", "solve", "tessera"},
    # Solvers for the matrices of hypre and, over it, of MFEM.
    "hypre": {"kernels", "operator", "amg", "solver", "parameters", "distributed"},
    "mfem": {"kernels", "operator", "amg", "solver", "parameters", "distributed", "hypre"},
}

# What is not named in a layer, and outside which of its folders.
UNNAMED = {
    "distributed": [
        (re.compile(r"\b(?:Tpetra|Teuchos|Xpetra|Thyra|Belos)\b|\btpetra\b"), None),
        (re.compile(r"\bMPI_\w+|<mpi\.h>"), "mpi"),
    ],
    "hypre": [(re.compile(r"<mfem\.hpp>|\bmfem::"), None)],
}

# The same of the rooms of a layer.
GROUND = {"execution", "precision"}
ON_FORMATS = GROUND | {"vector", "format"}
PARTS_OF_AMG = {"spectral", "scaling", "coarsening", "cycle"}
ROOMS = {
    "kernels": {
        "precision": set(),
        "execution": {"precision"},
        "vector": GROUND,
        "format": GROUND | {"vector"},
        "graph": ON_FORMATS,
        "spgemm": ON_FORMATS,
        "spmv": ON_FORMATS,
        "sptrsv": ON_FORMATS,
        "ilu": ON_FORMATS | {"sptrsv"},
        "persistent": ON_FORMATS | {"spmv", "sptrsv"},
    },
    "amg": {
        "rules": set(),
        "spectral": {"rules"},
        "scaling": {"rules"},
        "coarsening": {"rules"},
        "cycle": {"rules"},
        "parameters": {"rules"} | PARTS_OF_AMG,
        "setup": {"rules"} | PARTS_OF_AMG | {"parameters"},
        "multigrid": {"rules"} | PARTS_OF_AMG | {"parameters", "setup"},
    },
}
# The rooms of files that lie in no folder of their layer, by their names without the extension.
LOOSE = {"parameters": "parameters", "level_parameters": "parameters", "multigrid": "multigrid",
         "selection_rules": "rules"}

OWN_HEADERS_OF_KERNELS = {"tessera/version.hpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
THIRD_PARTY = re.compile(
    r"^(CLI/|nlohmann/|fmt/|spdlog/|zlib\.h|zconf\.h|lapacke?\.h|cblas\.h|openblas|klu\.h|amd\.h|benchmark/|gtest/)"
)
# What packages/petsc does not include, having the C interface and its own files, and what its folder `distributed`
# does not.
ON_C_ALONE = re.compile(r"^(tessera/|c/|frontend/|Kokkos)")
ON_C_AND_LIBRARY = re.compile(r"^(c/|frontend/|petsc\w*\.h)")
# A call that shows a label, and the start of the string literal that it must have.
LABELLED = re.compile(
    r"\b(?:parallel_for|parallel_reduce|parallel_scan|view_alloc|Profiling::pushRegion|"
    r"Profiling::ScopedRegion(?:\s+\w+)?|[A-Za-z_]*\.fence|Kokkos::fence)\s*[({]\s*"
    r"(?:[A-Za-z_][\w:]*\s*,\s*)?\"([^\"]*)\""
)


def layer_of(header):
    """The layer of a path as it stands in an include, such as tessera/amg/level.hpp."""
    if header in OWN_HEADERS_OF_KERNELS:
        return "kernels"
    parts = header.split("/")
    if parts[0] != "tessera":
        return None
    return parts[1] if len(parts) > 2 else "tessera"


def room_of(header):
    """The room of such a path in its layer; None where its layer has no rooms, "" where it is in
    none of them."""
    layer = layer_of(header)
    if layer not in ROOMS or header in OWN_HEADERS_OF_KERNELS:
        return None
    rest = header.split("/")[2:]
    room = rest[0] if len(rest) > 1 else LOOSE.get(rest[0].split(".")[0], "")
    return room if room in ROOMS[layer] else ""


def circle(below):
    """A room or layer of the table `below` that is below itself; None where there is none."""
    for start in below:
        reached, ahead = set(), set(below[start])
        while ahead:
            here = ahead.pop()
            reached.add(here)
            ahead |= below[here] - reached
        if start in reached:
            return start
    return None


def findings_in(path, name, text):
    """Findings in one file; `name` is its path as an include names it."""
    own_layer, own_room = layer_of(name), room_of(name)
    if own_layer not in BELOW:
        yield f"{path}: {own_layer} is no known layer"
    if own_room == "":
        yield f"{path}: it is in no room of {own_layer}: {', '.join(ROOMS[own_layer])}"
    for number, line in enumerate(text.splitlines(), start=1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, header = match.groups()
        where = f"{path}:{number}"
        if quote == '"' and not header.startswith("tessera/"):
            yield f'{where}: "{header}" is relative; name it from the include root, "tessera/..."'
            continue
        if THIRD_PARTY.match(header) and name.endswith(".hpp") and "/detail/" not in name:
            yield f"{where}: the public header includes the third-party <{header}>"
        layer = layer_of(header)
        if layer is None:
            continue
        if layer not in BELOW:
            yield f"{where}: <{header}> is in no known layer"
        elif layer != own_layer and layer not in BELOW.get(own_layer, set()):
            yield f"{where}: {own_layer} includes <{header}>, and {layer} is not below it"
        elif layer == own_layer and own_room and (room := room_of(header)):
            if room != own_room and room not in ROOMS[layer][own_room]:
                yield f"{where}: {own_room} includes <{header}>, and {room} is not below it"
        if "/detail/" in header:
            parent = header.split("/detail/")[0] + "/"
            if not name.startswith(parent):
                yield f"{where}: <{header}> is a detail of {parent}"


def name_findings(path, name, text):
    """Names that the file's layer does not have."""
    folders = name.split("/")[2:-1]
    for pattern, allowed in UNNAMED.get(layer_of(name), []):
        if allowed in folders:
            continue
        for match in pattern.finditer(text):
            number = text.count("\n", 0, match.start()) + 1
            yield f"{path}:{number}: {layer_of(name)} names {match.group(0)}"


def label_findings(path, text):
    for match in LABELLED.finditer(text):
        if not match.group(1).startswith("tessera::"):
            number = text.count("\n", 0, match.start(1)) + 1
            yield f"{path}:{number}: the label \"{match.group(1)}\" does not start with tessera::"


def lambda_findings(path, text):
    """Kernels of headers that are lambdas."""
    if path.suffix != ".hpp":
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if re.search(r"\bKOKKOS_(?:CLASS_)?LAMBDA\b", line.split("//")[0]):
            yield f"{path}:{number}: a KOKKOS_LAMBDA in a header; make it a functor"


def main():
    source = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    findings = [
        f"{pathlib.Path(__file__).name}: {itself} is below itself"
        for table in (BELOW, *ROOMS.values())
        if (itself := circle(table)) is not None
    ]
    count = 0
    for root in ("kernels", "src", "packages/parameters", "packages/distributed", "packages/hypre",
                 "packages/mfem"):
        base = source / root
        for path in sorted(base.rglob("*")):
            if path.suffix not in (".hpp", ".cpp"):
                continue
            count += 1
            shown = path.relative_to(source)
            name = path.relative_to(base).as_posix()
            text = path.read_text(encoding="utf-8")
            findings += findings_in(shown, name, text)
            findings += name_findings(shown, name, text)
            findings += label_findings(shown, text)
            findings += lambda_findings(shown, text)
    # Applications reach the library by its public headers alone.
    for root in ("packages", "examples", "perf_test"):
        for path in sorted((source / root).rglob("*")):
            if path.suffix not in (".hpp", ".cpp"):
                continue
            count += 1
            shown = path.relative_to(source)
            if shown.parts[0] == "packages" and shown.parts[1] in {"parameters", "distributed", "hypre", "mfem"}:
                continue  # layers, see above
            text = path.read_text(encoding="utf-8")
            for number, line in enumerate(text.splitlines(), start=1):
                match = INCLUDE.match(line)
                if match and match.group(2).startswith("tessera/") and "/detail/" in match.group(2):
                    findings.append(f"{shown}:{number}: <{match.group(2)}> is a detail")
                if match and shown.parts[:2] == ("packages", "petsc"):
                    others = ON_C_AND_LIBRARY if "distributed" in shown.parts else ON_C_ALONE
                    if others.match(match.group(2)):
                        findings.append(f"{shown}:{number}: <{match.group(2)}> is not below packages/petsc")
            if root != "examples":
                findings += label_findings(shown, text)
            findings += lambda_findings(shown, text)
    for path in sorted((source / "tests").rglob("*.hpp")):
        count += 1
        findings += lambda_findings(path.relative_to(source), path.read_text(encoding="utf-8"))
    for finding in findings:
        print(finding)
    print(f"{count} files, {len(findings)} findings")
    return 1 if findings or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
