#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Packs the Python package with libtessera_c, and the shared libraries that it needs, into a wheel.

It needs Python and ldd, and no network. The wheel runs with every Python from 3.10 on, on this kind of machine
with a glibc that is not older than this one's.
"""

import argparse
import base64
import hashlib
import pathlib
import re
import subprocess
import sysconfig
import zipfile

# Those of the system that work only with one another, and those of a GPU's driver and toolkit.
SYSTEM = re.compile(
    r"^(?:ld-linux|linux-vdso|lib(?:c|m|mvec|dl|rt|pthread|resolv|util)\.so|"
    r"lib(?:cuda|cudart|cublas|cublasLt|cusparse|cusolver|curand|cufft|nvJitLink|nvidia-ml|nvrtc)[.-])"
)


def needed(library):
    """Names that the library asks the loader for, and where they are found."""
    text = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
    found = {}
    for line in text.splitlines():
        match = re.match(r"\s*(\S+) => (\S+)", line)
        if not match or SYSTEM.match(match[1]):
            continue
        if match[2] == "not":
            raise SystemExit(f"{library} needs {match[1]}, which is not found")
        found[match[1]] = pathlib.Path(match[2]).resolve()
    return found


def in_order(libraries):
    """Each after those that it needs."""
    order = []

    def visit(name):
        for other in needed(libraries[name]):
            if other != name and other in libraries and other not in order:
                visit(other)
        if name not in order:
            order.append(name)

    for name in sorted(libraries):
        visit(name)
    return order


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shared-library", type=pathlib.Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--license", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    arguments = parser.parse_args()

    package = pathlib.Path(__file__).resolve().parent / "tessera"
    platform = re.sub(r"[^a-zA-Z0-9]", "_", sysconfig.get_platform())
    info = f"tessera-{arguments.version}.dist-info"
    files = {f"tessera/{path.name}": path.read_bytes()
             for path in sorted(package.iterdir()) if path.suffix == ".py" or path.name == "py.typed"}
    libraries = needed(arguments.shared_library)
    order = in_order(libraries)
    for name in order:
        files[f"tessera/lib/{name}"] = libraries[name].read_bytes()
    files["tessera/lib/libtessera_c.so"] = arguments.shared_library.read_bytes()
    files["tessera/lib/load_order.txt"] = ("\n".join(order) + "\n").encode()
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: tessera\nVersion: {arguments.version}\n"
        "Summary: Sparse linear systems by algebraic multigrid and Krylov methods, on Kokkos\n"
        "License: BSD-3-Clause\nRequires-Python: >=3.10\nRequires-Dist: numpy\n"
        "Provides-Extra: scipy\nRequires-Dist: scipy; extra == 'scipy'\n"
    ).encode()
    files[f"{info}/WHEEL"] = (
        "Wheel-Version: 1.0\nGenerator: make_wheel.py\nRoot-Is-Purelib: false\n"
        f"Tag: py3-none-{platform}\n"
    ).encode()
    files[f"{info}/LICENSE"] = arguments.license.read_bytes()
    record = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(content)}")
    record.append(f"{info}/RECORD,,")
    files[f"{info}/RECORD"] = ("\n".join(record) + "\n").encode()

    arguments.output.mkdir(parents=True, exist_ok=True)
    wheel = arguments.output / f"tessera-{arguments.version}-py3-none-{platform}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))  # the same wheel from the same files
            entry.external_attr = (0o755 if name.startswith("tessera/lib/lib") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    print(wheel)


if __name__ == "__main__":
    main()
