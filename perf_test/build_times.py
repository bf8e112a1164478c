#!/usr/bin/env python3
"""Measures how long Tessera takes to compile, and writes a record: build_times.py --help."""

import argparse
import datetime
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
ESTIMATES = "cmake/dev/compile_seconds.txt"

# Stands in front of the compiler and notes what each compilation took; ccache comes after it, as in any
# build. The size is the object's.
LAUNCHER = """#!/usr/bin/env python3
import os, resource, shutil, subprocess, sys, time
begin = time.monotonic()
ccache = [path for path in [shutil.which("ccache")] if path]
status = subprocess.call(ccache + sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
arguments = sys.argv[1:]
if "-c" in arguments and "-o" in arguments:
    output = os.path.abspath(arguments[arguments.index("-o") + 1])
    size = os.path.getsize(output) if os.path.exists(output) else 0
    with open(os.path.join(os.path.dirname(__file__), "compilations.tsv"), "a") as log:
        log.write("%s\\t%.3f\\t%.3f\\t%d\\t%d\\n" % (output, time.monotonic() - begin,
                  used.ru_utime + used.ru_stime, used.ru_maxrss, size))
sys.exit(status)
"""


class Bench:
    """A clone with caches of its own, which are empty at first, and what was measured in it."""

    def __init__(self, folder, options):
        self.folder = folder
        self.clone = folder / "tessera"
        subprocess.check_call(["git", "clone", "--quiet", str(SOURCE), str(self.clone)])
        self.tree_root = self.clone / "build"
        self.tree_root.mkdir()
        self.launcher = self.tree_root / "launcher"
        self.launcher.write_text(LAUNCHER)
        self.launcher.chmod(0o755)
        cache = folder / "cache"
        (cache / "ccache").mkdir(parents=True)
        for root in ready_roots():
            (cache / root.name).symlink_to(root)
        self.environment = dict(
            os.environ,
            TESSERA_CACHE=str(cache),
            CCACHE_DIR=str(cache / "ccache"),
            TESSERA_CMAKE_ARGS=shlex.quote(f"-DCMAKE_CXX_COMPILER_LAUNCHER={self.launcher}"),
        )
        self.options = options
        self.rows = []
        self.objects = {}
        # Makes the private root where it is none of the ready ones; that is no part of the times.
        subprocess.check_call(["./dev", "shell", "true"], cwd=self.clone, env=self.environment)

    def tree(self):
        """The main configuration's build tree, once there is one."""
        for name in ("openmp", "host"):
            if (self.tree_root / name / "CMakeCache.txt").exists():
                return self.tree_root / name
        raise SystemExit("build_times: measure the row `solve` first: there is no build tree yet")

    def measure(self, name, command, **more):
        """Runs a command in the clone; adds a row and returns what the command printed."""
        log = self.tree_root / "compilations.tsv"
        log.unlink(missing_ok=True)
        print(f"build_times: {name}: {' '.join(command)}", file=sys.stderr, flush=True)
        begin = time.monotonic()
        with subprocess.Popen(
                command, cwd=self.clone, env=dict(self.environment, **more.pop("environment", {})),
                stdout=subprocess.PIPE, text=True) as process:
            printed = process.stdout.read()
            # What the command and all that it waited for have used.
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - begin
        row = {"name": name, "command": " ".join(command), "seconds": round(seconds, 1),
               "cpu_seconds": round(used.ru_utime + used.ru_stime, 1), "exit_status": process.returncode,
               "largest_process_mb": used.ru_maxrss // 1024, **more}
        row.update(self.read_compilations(log))
        row["disk_mb"] = sum(f.stat().st_size for f in self.tree_root.rglob("*")
                             if f.is_file() and not f.is_symlink()) // 1000000
        summary = re.findall(r"^\d+ passed, \d+ failed, \d+ skipped$", printed, re.MULTILINE)
        if summary:
            row["summary"] = summary[-1]
        if process.returncode != 0:
            # The clone goes when all is measured.
            print(printed[-8000:], file=sys.stderr)
        self.rows.append(row)
        return printed

    def read_compilations(self, log):
        """Number of compilations, their CPU time, and the one that takes most memory."""
        if not log.exists():
            return {"compilations": 0}
        lines = [line.split("\t") for line in log.read_text().splitlines()]
        largest = max(lines, key=lambda line: int(line[3]))
        for path, _, cpu, _, size in lines:
            self.objects[path] = (float(cpu), int(size))
        return {"compilations": len(lines),
                "compiling_cpu_seconds": round(sum(float(line[2]) for line in lines), 1),
                "peak_memory_mb": int(largest[3]) // 1024,
                "largest": self.short(largest[0])}

    def short(self, path):
        return os.path.relpath(path, self.tree_root)

    def change(self, file):
        """Adds a function to a source: a change that no cache has seen."""
        stamp = time.time_ns()
        with open(self.clone / file, "a", encoding="utf-8") as source:
            source.write(f"\nnamespace tessera {{ inline int build_times_{stamp}() {{ return 1; }} }}\n")


def ready_roots():
    """The private roots that `./dev` has made; the times leave making one out."""
    cache = os.environ.get("TESSERA_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "tessera")
    return [path for path in pathlib.Path(cache).glob("root-*") if not path.name.endswith(".partial")]


def measure_solve(bench):
    bench.measure("solve", ["./dev", "solve", "--problem", "poisson3d", "--n", "100"])


def measure_test(bench):
    bench.measure("test", ["./dev", "test"])


def measure_kernel(bench):
    test = bench.options.kernel_test
    tree = bench.tree()
    bench.change(bench.options.kernel)
    bench.measure("kernel", ["./dev", "shell", "bash", "-c",
                             f"cmake --build {tree} --target tessera_test_{test} && {tree}/test/tessera_test_{test}"],
                  changed=bench.options.kernel)


def measure_header(bench):
    tree = bench.tree()
    bench.change(bench.options.header)
    bench.measure("header", ["./dev", "shell", "cmake", "--build", str(tree)], changed=bench.options.header)


def measure_cuda(bench):
    kokkos = os.environ.get("Kokkos_CUDA_ROOT", "/opt/kokkos-cuda")
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not os.path.isdir(kokkos) or not os.access(nvcc, os.X_OK):
        bench.rows.append({"name": "cuda", "skipped": f"there is no nvcc, or no Kokkos with CUDA in {kokkos}"})
        return
    # Without the launcher: Kokkos has its own in front of nvcc.
    # Of the command what `./dev solve` builds, not the libraries and the command over processes.
    script = ("cmake --preset cuda-hopper -G Ninja -DTESSERA_BUILD_TESTS=OFF -DTESSERA_BUILD_EXAMPLES=OFF"
              " -DTESSERA_BUILD_PERF_TESTS=OFF -DTESSERA_ALL_STORAGE_SCALARS=OFF"
              " && cmake --build build/cuda-hopper --target tessera"
              f" --parallel {bench.options.cores}")
    bench.measure("cuda", ["bash", "-c", script],
                  environment={"Kokkos_ROOT": kokkos, "CCACHE_DISABLE": "1",
                               "PATH": f"{os.path.dirname(nvcc)}:{os.environ['PATH']}"})


ROWS = {"solve": measure_solve, "test": measure_test, "kernel": measure_kernel,
        "header": measure_header, "cuda": measure_cuda}


def write_estimates(bench):
    """What `./dev` estimates, from what was measured: by folder of the build tree, and by command."""
    path = SOURCE / ESTIMATES
    lines = path.read_text(encoding="utf-8").splitlines()
    sums = {}
    for output, (cpu, size) in bench.objects.items():
        folder = bench.short(output).split("/", 1)[1].split("/CMakeFiles/")[0]
        count, seconds, octets = sums.get(folder, (0, 0.0, 0))
        sums[folder] = (count + 1, seconds + cpu, octets + size)
    new = {folder: f"{folder} {seconds / count:.1f} {octets / count / 1e6:.1f}"
           for folder, (count, seconds, octets) in sums.items()}
    for row in bench.rows:
        if row["name"] in ("solve", "test") and row["exit_status"] == 0:
            names = ("solve", "run") if row["name"] == "solve" else ("test",)
            # The second command finds what the first has compiled.
            cpu = sum(r["cpu_seconds"] for r in bench.rows[: bench.rows.index(row) + 1])
            for name in names:
                new[f"command:{name}"] = f"command:{name} {cpu:.0f} {row['disk_mb']}"
    kept = [new.pop(line.split()[0], line) if line and not line.startswith("#") else line for line in lines]
    folders = [line for key, line in sorted(new.items()) if not key.startswith("command:")]
    commands = [line for key, line in sorted(new.items()) if key.startswith("command:")]
    at = next(i for i, line in enumerate(kept) if line.startswith("# The same in all"))
    path.write_text("\n".join(kept[:at] + folders + kept[at:] + commands) + "\n", encoding="utf-8")


def table(rows):
    lines = ["| | seconds | CPU seconds | compilations | peak memory of one | |",
             "| --- | ---: | ---: | ---: | ---: | --- |"]
    for row in rows:
        if "skipped" in row:
            lines.append(f"| {row['name']} | | | | | skipped: {row['skipped']} |")
            continue
        remark = row.get("summary", "")
        if row["exit_status"] != 0:
            remark += f" **ended with {row['exit_status']}**"
        memory = f"{row['peak_memory_mb']} MB" if "peak_memory_mb" in row else ""
        lines.append(f"| {row['name']} | {row['seconds']:.0f} | {row['cpu_seconds']:.0f} | "
                     f"{row['compilations']} | {memory} | {remark.strip()} |")
    return "\n".join(lines)


def machine():
    model = ""
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        for line in info:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return model


def parse(arguments):
    parser = argparse.ArgumentParser(
        description="Measures builds of the commit that is checked out, in a clone with empty caches, from a "
        "private root that is ready (or the host's own libraries). Nothing else should run.")
    parser.add_argument("--rows", default=",".join(ROWS), help="of %(default)s; in this order, and `kernel` and "
                        "`header` change what `solve` or `test` have built")
    parser.add_argument("--cores", type=int, default=2, help="use so many cores (default: %(default)s)")
    parser.add_argument("--kernel", default="kernels/tessera/kernels/spmv/csr/csr_spmv.cpp", metavar="FILE",
                        help="the kernel that changes (default: %(default)s)")
    parser.add_argument("--kernel-test", default="kernels_spmv", metavar="NAME",
                        help="the folder of tests that then runs (default: %(default)s)")
    parser.add_argument("--header", default="kernels/tessera/kernels/format/csr.hpp", metavar="FILE",
                        help="the public header that changes (default: %(default)s)")
    parser.add_argument("--out", metavar="FILE", help="write the record here, as JSON")
    parser.add_argument("--update-estimates", action="store_true",
                        help=f"write what `./dev` estimates again ({ESTIMATES})")
    options = parser.parse_args(arguments)
    options.rows = options.rows.split(",")
    for row in options.rows:
        if row not in ROWS:
            parser.error(f"there is no row '{row}'; the rows are {', '.join(ROWS)}")
    for file in (options.kernel, options.header):
        if not (SOURCE / file).is_file():
            parser.error(f"there is no file {file} in {SOURCE}")
    if not 1 <= options.cores <= len(os.sched_getaffinity(0)):
        parser.error(f"--cores is {options.cores}, this machine has {len(os.sched_getaffinity(0))}")
    return options


def main():
    options = parse(sys.argv[1:])
    # nproc and every program started from here see these alone.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.cores])
    with tempfile.TemporaryDirectory(prefix="build_times.") as folder:
        load = os.getloadavg()[0]
        bench = Bench(pathlib.Path(folder), options)
        commit = subprocess.check_output(["git", "-C", str(bench.clone), "rev-parse", "--short", "HEAD"],
                                         text=True).strip()
        for row in options.rows:
            ROWS[row](bench)
            # After each, so that a later one that is stopped takes none with it.
            record = {"date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                      "commit": commit, "machine": machine(), "cores": options.cores,
                      "load_before": load, "rows": bench.rows}
            if options.out:
                pathlib.Path(options.out).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
            print(table(bench.rows), file=sys.stderr, flush=True)
        if options.update_estimates:
            write_estimates(bench)
    print(table(bench.rows))
    return 0 if all(row.get("exit_status", 0) == 0 for row in bench.rows) else 1


if __name__ == "__main__":
    sys.exit(main())
