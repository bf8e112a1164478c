# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""What mutants.py does for one mutant: the objects that it changes, a program with them, and the verdict."""
import json
import os
import pathlib
import re
import signal
import subprocess
import threading

CACHE = re.compile(r"([^#/:\s][^:=]*):([A-Z]+)=(.*)")
OUTPUT = re.compile(r" -o (\S+)")
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

    def run(self, command, timeout=None, env=None, cwd=None):
        """The exit status, None after the timeout, and the output."""
        with self.lock:
            if self.stopped:
                raise Stopped
            process = subprocess.Popen(command, env=env, cwd=cwd, shell=isinstance(command, str), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
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


class Tree:
    """A build tree: how its objects are compiled, what they include, and how its programs are linked."""

    def __init__(self, source, build, programs, jobs, processes):
        self.source, self.build, self.processes = source, build, processes
        targets = [f"tessera_test_{program}" for program in programs]
        status, output = processes.run(["ninja", "-C", str(build), "-j", str(jobs), *targets])
        if status != 0:
            raise RuntimeError(f"the programs do not compile without a mistake:\n{output[-2000:]}")
        listed = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
        names = [os.path.relpath(build / entry["output"], build) for entry in listed]
        self.commands = {name: entry["command"] for name, entry in zip(names, listed)}
        self.sources = {name: entry["file"] for name, entry in zip(names, listed)}
        made_by = {program: self.ninja("commands", target) for program, target in zip(programs, targets)}
        self.links = {program: commands.splitlines()[-1] for program, commands in made_by.items()}
        self.parts = {program: set(OUTPUT.findall(commands)) for program, commands in made_by.items()}
        self.users = {}
        for block in re.split(r"\n(?=\S)", self.ninja("deps")):
            output, *paths = block.split("\n")
            for path in paths:
                self.users.setdefault(os.path.normpath(build / path.strip()), set()).add(output.split(": ")[0])
        self.mpiexec = cache_of(build).get("MPIEXEC_EXECUTABLE", ("", "mpiexec"))[1]

    def ninja(self, tool, *arguments):
        return self.processes.run(["ninja", "-C", str(self.build), "-t", tool, *arguments])[1].rstrip()

    def objects_of(self, file, programs):
        """Those that have to be compiled again where that file changes, of these programs and of their libraries."""
        parts = set().union(*(self.parts[program] for program in programs))
        return [output for output in sorted(self.users.get(str(self.source / file), ()))
                if output in self.commands and output in parts]


class Worker:
    def __init__(self, tree, number):
        self.tree, self.processes = tree, tree.processes
        self.scratch = tree.build / "mutants" / str(number)
        self.scratch.mkdir(parents=True, exist_ok=True)
        self.passed = set()

    def compiles(self, mutant):
        """Compiles and links with the mistake in a copy of its file, which comes before the file itself."""
        tree, file = self.tree, mutant["file"]
        text = (tree.source / file).read_text(encoding="utf-8").replace(mutant["find"], mutant["replace"])
        below = file[file.index("tessera/"):]
        copy = self.scratch / "include" / below
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
        try:
            replaced = {}
            for number, output in enumerate(tree.objects_of(file, mutant["program"].split())):
                own, source = self.scratch / f"{number}.o", tree.sources[output]
                command = tree.commands[output].replace(f" -o {output} ", f" -o {own} ")
                command = command.replace(f" -c {source}", f" -c {self.with_mistake(source, file, copy)}")
                compiler, _, rest = command.partition(" ")
                status, said = self.processes.run(f"{compiler} -w -I{self.scratch / 'include'} {rest}", cwd=tree.build)
                if status != 0:
                    return False, said
                replaced[output] = own
            if not replaced:
                return False, f"nothing is compiled of {file}"
            for program in mutant["program"].split():
                status, said = self.processes.run(self.link(program, replaced), cwd=tree.build)
                if status != 0:
                    return False, said
            return True, ""
        finally:
            copy.unlink()

    def with_mistake(self, source, file, copy):
        """What is compiled in place of a source: the copy, or joined sources with the copy among them."""
        original = str(self.tree.source / file)
        if source == original:
            return copy
        text = pathlib.Path(source).read_text(encoding="utf-8")
        if "/Unity/" not in source or original not in text:
            return source
        joined = self.scratch / pathlib.Path(source).name
        joined.write_text(text.replace(original, str(copy)), encoding="utf-8")
        return joined

    def link(self, program, replaced):
        """The program's own objects are replaced; others come before the archive that has what they replace. Those
        of libraries that it is without are left out: they would want the rest of theirs."""
        command = self.tree.links[program]
        replaced = {output: own for output, own in replaced.items() if output in self.tree.parts[program]}
        more = [str(own) for output, own in replaced.items() if f" {output} " not in command]
        for output, own in replaced.items():
            command = command.replace(f" {output} ", f" {own} ")
        return re.sub(r" -o \S+ ", f" {' '.join(more)} -Wl,-z,muldefs -o {self.scratch / program} ", command, count=1)

    def runs(self, mutant, has_mistake):
        """Of each program: the exit status and the output."""
        several = mutant.get("processes", 1)
        # As cmake/TesseraMpiEnvironment.cmake has them: of several processes each has one thread, and none a core of its own.
        env = {**os.environ, "OMP_NUM_THREADS": "2" if several == 1 else "1", "OMP_PROC_BIND": "false",
               "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "true", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
               "PRTE_MCA_mapby": ":oversubscribe", "OMPI_MCA_hwloc_base_binding_policy": "none",
               "PRTE_MCA_hwloc_default_binding_policy": "none", "PRTE_MCA_bindto": "none",
               "OMPI_MCA_mpi_yield_when_idle": "1"}
        for program in mutant["program"].split():
            path = self.scratch / program if has_mistake else self.tree.build / "test" / f"tessera_test_{program}"
            # mpiexec gives its processes a terminal, for which GoogleTest would colour what is looked for below.
            command = [str(path), "--gtest_color=no", f"--gtest_filter={mutant['filter']}"]
            if several > 1:
                command = [self.tree.mpiexec, "-n", str(several), *command]
            yield self.processes.run(command, TEST_SECONDS, env)

    def require_passing(self, mutant):
        key = (mutant["program"], mutant["filter"], mutant.get("processes", 1))
        if key in self.passed:
            return
        for status, output in self.runs(mutant, has_mistake=False):
            if status != 0 or not any(int(count) > 0 for count in PASSED.findall(output)):
                raise RuntimeError(f"{mutant['program']} --gtest_filter={mutant['filter']} does not pass without the "
                                   f"mistake, or has no tests:\n{output[-2000:]}")
        self.passed.add(key)

    def judge(self, mutant):
        """The verdict, and what noticed the mistake."""
        self.require_passing(mutant)
        compiles, output = self.compiles(mutant)
        if not compiles:
            return "does not compile", output[-2000:].splitlines()
        for status, output in self.runs(mutant, has_mistake=True):
            if status is None:
                return "noticed", [f"a hang of more than {TEST_SECONDS} s"]
            if status != 0:
                return "noticed", list(dict.fromkeys(FAILED.findall(output)))[:3] or [f"exit status {status}"]
        return "survived", []
