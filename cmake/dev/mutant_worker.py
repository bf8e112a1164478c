# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""A worker of mutants.py: its copy of the sources, its build tree, and the verdict on one mutant."""
import os
import re
import shutil
import signal
import subprocess
import threading

CACHE = re.compile(r"([^#/:\s][^:=]*):([A-Z]+)=(.*)")
KEPT = re.compile(r"(BUILD_SHARED_LIBS|CMAKE_(BUILD_TYPE|PREFIX_PATH|CXX_COMPILER|CXX_FLAGS)|TESSERA_\w+"
                  r"|(?!FETCHCONTENT)\w+_(ROOT|DIR))$")
FAILED = re.compile(r"^\[  FAILED  \] (\w[\w/]*\.[\w/]+)", re.MULTILINE)
PASSED = re.compile(r"^\[  PASSED  \] (\d+) test", re.MULTILINE)
TEST_SECONDS = 120


def cache_of(build):
    found = map(CACHE.fullmatch, (build / "CMakeCache.txt").read_text(encoding="utf-8").splitlines())
    return {match[1]: (match[2], match[3]) for match in found if match}


def configuration_of(cache):
    found = any(name in cache and not cache[name][1].endswith("NOTFOUND") for name in ("Tpetra_DIR", "Trilinos_DIR"))
    return "trilinos" if found else "openmp"


class Stopped(Exception):
    pass


class Processes:
    """Those that run, in sessions of their own: an interrupt ends them by us alone, so that none of its
    victims is taken for a mutant that was noticed."""

    def __init__(self):
        self.lock = threading.Lock()
        self.running = set()
        self.stopped = False

    def run(self, command, timeout=None, env=None):
        """The exit status, None after the timeout, and the output."""
        with self.lock:
            if self.stopped:
                raise Stopped
            process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                       text=True, errors="replace", start_new_session=True)
            self.running.add(process)
        try:
            output, status = process.communicate(timeout=timeout)[0], process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, status = process.communicate()[0], None
        with self.lock:
            self.running.discard(process)
            if self.stopped:
                raise Stopped
        return status, output

    def stop(self):
        with self.lock:
            self.stopped = True
            for process in self.running:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)


class Worker:
    def __init__(self, source, build, number, compile_jobs, processes):
        self.source = build / "mutants" / str(number) / "source"
        self.build = build / "mutants" / str(number) / "build"
        self.compile = ["ninja", "-C", str(self.build), "-j", str(compile_jobs)]
        self.processes = processes
        self.passed = set()
        self.copy(source)
        kept = [f"-D{name}:{kind}={value}" for name, (kind, value) in cache_of(build).items()
                if KEPT.match(name) and kind not in ("INTERNAL", "STATIC")]
        status, output = processes.run(["cmake", "-G", "Ninja", "-S", str(self.source), "-B", str(self.build), *kept,
                                        "-DTESSERA_WERROR=OFF"])
        if status != 0:
            raise RuntimeError(f"the copy of {build} cannot be configured:\n{output[-2000:]}")
        self.mpiexec = cache_of(self.build).get("MPIEXEC_EXECUTABLE", ("", "mpiexec"))[1]

    def copy(self, source):
        """Brings the copy up to date; files that are the same keep their times, and so their objects."""
        listed = subprocess.run(["git", "-C", str(source), "ls-files", "-coz", "--exclude-standard"], check=True,
                                stdout=subprocess.PIPE, text=True).stdout
        wanted = {name for name in listed.split("\0") if name and (source / name).is_file()}
        for path in [path for path in self.source.rglob("*") if path.is_file()]:
            if path.relative_to(self.source).as_posix() not in wanted:
                path.unlink()
        for name in wanted:
            to = self.source / name
            if not to.is_file() or to.read_bytes() != (source / name).read_bytes():
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source / name, to)
                shutil.copymode(source / name, to)

    def compiles(self, mutant):
        targets = [f"tessera_test_{program}" for program in mutant["program"].split()]
        status, output = self.processes.run([*self.compile, *targets])
        return status == 0, output

    def runs(self, mutant):
        """Of each program: the exit status and the output."""
        several = mutant.get("processes", 1)
        env = {**os.environ, "OMP_NUM_THREADS": "2", "OMP_PROC_BIND": "false", "OMPI_ALLOW_RUN_AS_ROOT": "1",
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PRTE_MCA_mapby": ":oversubscribe",
               "OMPI_MCA_rmaps_base_oversubscribe": "true"}
        for program in mutant["program"].split():
            command = [str(self.build / "test" / f"tessera_test_{program}"), f"--gtest_filter={mutant['filter']}"]
            if several > 1:
                command = [self.mpiexec, "-n", str(several), *command]
            yield self.processes.run(command, TEST_SECONDS, env)

    def require_passing(self, mutant):
        key = (mutant["program"], mutant["filter"], mutant.get("processes", 1))
        if key in self.passed:
            return
        compiles, output = self.compiles(mutant)
        if not compiles:
            raise RuntimeError(f"{mutant['program']} does not compile without the mistake:\n{output[-2000:]}")
        for status, output in self.runs(mutant):
            if status != 0 or not any(int(count) > 0 for count in PASSED.findall(output)):
                raise RuntimeError(f"{mutant['program']} --gtest_filter={mutant['filter']} does not pass without the "
                                   f"mistake, or has no tests:\n{output[-2000:]}")
        self.passed.add(key)

    def judge(self, mutant):
        """The verdict, and what noticed the mistake."""
        self.require_passing(mutant)
        path = self.source / mutant["file"]
        original = path.read_text(encoding="utf-8")
        try:
            path.write_text(original.replace(mutant["find"], mutant["replace"]), encoding="utf-8")
            compiles, output = self.compiles(mutant)
            if not compiles:
                return "does not compile", output[-2000:].splitlines()
            for status, output in self.runs(mutant):
                if status is None:
                    return "noticed", [f"a hang of more than {TEST_SECONDS} s"]
                if status != 0:
                    return "noticed", list(dict.fromkeys(FAILED.findall(output)))[:3] or [f"exit status {status}"]
            return "survived", []
        finally:
            path.write_text(original, encoding="utf-8")
