#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""vocabulary_check.py SOURCE_DIR: words that docs/glossary.md has replaced do not come back.

Prints file:line, the word and what to say instead, and exits with 1 where there is one. Sources,
pages, scripts and names of files are looked at; records, the notebook and CHANGELOG.md are not. A
phrase is found across the ends of lines, too.
"""

import pathlib
import re
import subprocess
import sys

SKIPPED = re.compile(
    r"^(perf_test/results/|docs/images/|docs/notebook/|checks/fuzz/corpus|CHANGELOG\.md$|LICENSE$|"
    r"cmake/vocabulary_check\.py$)"
)
SUFFIXES = {".cpp", ".hpp", ".md", ".py", ".txt", ".cmake", ".sh", ".in", ".yml", ".json", ""}

RATED = (
    r"(?i:threads|lanes|rows|entries|row ends|tiles|unknowns?|bytes|launches|numbers|iterations|elements|points|"
    r"operations|(?:milli|micro)?seconds|us|µs|ms|MB|GB)"
)
PER = (
    r"thread|lane|tile row|row|column|entry|warp|team|tile|node|vertex|share|worker|iteration|"
    r"direction|product|call|second|side|process|GPU|round"
)
# What comes after a clause, as in "the entries that a lane holds", is no rate.
NO_VERB = (
    r"(?! (?:ha[sd]|have|holds|keeps|gets|takes|is|may|reads|lets|ends|waits|wants|writes|needs|can)\b)"
)

# A regular expression, in which a space stands for the end of a line as well, and what to say.
# Identifiers are found whole: `\w*` is part of the expression where parts count.
BANNED = [
    # Execution
    (r"\w*[Cc]rew(?:s|(?=[A-Z_])\w*)?", "cooperative group, its workers, or BarrierState"),
    (r"\w*waits?_in_vain\w*|in_vain", "timed_out"),
    (r"in vain", "times out; without success; wasted"),
    (r"meet_neighbours|meet_others|lanes_that_meet|meets_in_part", "synchronize_..."),
    (r"(?:workers|blocks|lanes|neighbours) meet|\w*BlocksMeet|meet by (?:its|a|the) barrier", "synchronize"),
    (r"[Hh]ears|to hear of|\w*HearThat\w*|tells? (?:each other|one another)", "exchange, publish, read; log"),
    (r"PersistentEnd::lost", "barrier_timeout"),
    (r"[Qq]ueue_?[Mm]ark\w*", "QueueEvent"),
    (r"\w*(?:RowDealing|PartDealing|StagedDealing|Dealt|with_dealing)\w*", "RowMapping, Mapping"),
    (r"deal(?:s|t)? out", "distribute"),
    (r"ShelfOf|m_shelves", "FreeList"),
    (r"[Pp]lay(?:s|ed)?|Played\w+|played_device", "emulate; a stand-in"),
    (r"\w*SystemsOutOfTheOrdinary\w*|systems_out_of_the_ordinary", "edge cases"),
    (r"as_they_come|\w*AsTheyCome", "synchronization_free"),
    (r"by halves|halvings|\w*Halves", "recursive blocks, recursion depth"),
    (r"Blank|Blanking|make_blank|x_is_blank", "Sentinel"),
    # Several processes
    (r"Spread(?:[A-Z]\w*)?|spread_(?:detail|levels|cycle|operator|rows|row|cache)\w*",
     "distributed; of SpGEMM, expanded rows"),
    (r"spread over (?:the |several )?processes|spread levels", "distributed over"),
    # Multigrid
    (r"near-nullspace candidates?|coarse candidates?", "near-nullspace vectors"),
    (r"(?:check|coarse|coarsest|usable|num|max|keep|own|float|interpolated)_candidates|Candidates(?=<)",
     "near_nullspace"),
    (r"unknowns_per_vertex|unknowns (?:per|a|of a) vertex", "unknowns per node, block_size"),
    # Choices and estimates
    (r"\w*[Ff]oresee(?:n|s|ing)?\w*", "estimated"),
    (r"next_rung|rungs?|Rung", "fallback"),
    (r"(?:the )?ladder(?:\.hpp)?|Ladder", "fallback"),
    (r"PickedSolver|picked_solver", "SolverState"),
    (r"OwnMultigrid|own_multigrid", "MultigridBuilder"),
    (r"OwnFactors|own_factors", "DirectFactorization"),
    (r"GivenSystem|given_system", "LinearSystem"),
    (r"bear_rounding|bears_K_cycle", "require_flexible_method, tolerates_nonlinear_preconditioner"),
    (r"FactorWay|TileWay|WayOptions|WayEnd|BothWays|krylov_ways|tile_ways", "mode, variant"),
    # Precision
    (r"[Ff]alling precision|FallingRanges|FallingNotes|FallingControl|TilePrecision::falling|FallingLevels|"
     r"tiles=falling", "dynamic precision; demote, promote"),
    (r"tiles fall|falling to|wakes? (?:them )?up|\w*WakeUp", "tiles are demoted, segments are reactivated"),
    # Measuring
    (r"MemoryWatch\w*|memory_watch", "MemoryTracker"),
    (r"RateWatch|SolveWatch|ConvergenceWatch|rate_watch", "ConvergenceMonitor, SlowdownMonitor"),
    (r"Watched[A-Z]\w*", "instrumented"),
    # Plain English
    (r"[Aa]new", "again"),
    (r"lets? go of", "frees, releases"),
    (r"too hopeful", "drifted from the true residual"),
    (r"stands? still", "stagnates; is left as it is"),
    (r"held against", "compared with, scaled by"),
    (r"[Bb]ears|bear(?! it\b)|Bears[A-Z]\w*", "tolerates, takes, permits"),
    (r"wrong input gets|says to wrong input", "messages for invalid input"),
    (r"[Tt]ells? of stretched|what there is to say of|tell_of_\w+", "indicate; notes; note_..."),
    (r"nothing below counts", "nested values are ignored"),
    (r"places of the nodes|nodes' places \(--coordinates", "node coordinates"),
    (r"hear of iterations|hear of it live", "a live logger is set"),
    (r"ride along with", "fuse with"),
    (rf"(?:{RATED}) an? (?:{PER}){NO_VERB}(?! ?of\b)", "per: entries per row, us per iteration"),
    (r"(?i:one thread) an? (?:process|item|share|row)|one an? thread", "one thread per process, one per thread"),
    (r"(?:rows|lanes|tiles|warps|share)_a_(?:lane|row|part|step|team|word|warp|worker)s?", "_per_"),
    (r"(?:most|usual|fewest)_(?!at\b|dropped\b|iterations\b)[a-z]\w*", "max_, default_, min_"),
    (r"least_(?!squares|bytes\b|at\b|ms\b)[a-z]\w*", "min_"),
]
# Sentences in which the words before make it no rate.
BEFORE = re.compile(r"(?:[Tt]imes|[Hh]alf|whose|that|share|its|on|from)\s+$")

GAP = r'(?:[ \t]*"[ \t]*\n[ \t]*"|[ \t]*\n[ \t]*(?:///?<?|//!?|#|\*)?[ \t]*|[ \t]+)'


def spaced(pattern):
    return re.sub(r"(?<!\?) (?!\?)", lambda _: GAP, pattern)


RULES = [(re.compile(rf"(?<!\w)(?:{spaced(p)})(?!\w)"), instead, RATED in p)
         for p, instead in BANNED]


def findings_in(name, text):
    for pattern, instead, is_rate in RULES:
        for match in pattern.finditer(text):
            if is_rate and BEFORE.search(text[max(0, match.start() - 16):match.start()]):
                continue
            line = text.count("\n", 0, match.start()) + 1
            said = " ".join(re.sub(r"\n\s*(?:///?<?|#)?", " ", match.group()).split())
            yield f"{name}:{line}: '{said}'; say: {instead}"


def files_of(source):
    try:
        listed = subprocess.run(["git", "-C", source, "ls-files", "-coz", "--exclude-standard"], check=True,
                                capture_output=True, text=True).stdout
        return sorted(name for name in listed.split("\0") if name)
    except (OSError, subprocess.CalledProcessError):  # an archive of the sources
        return sorted(str(p.relative_to(source)) for p in pathlib.Path(source).rglob("*")
                      if p.is_file() and "build" not in p.relative_to(source).parts[0])


def main():
    source = sys.argv[1] if len(sys.argv) > 1 else "."
    findings, count = [], 0
    for name in files_of(source):
        path = pathlib.Path(source, name)
        if SKIPPED.search(name) or path.suffix not in SUFFIXES or not path.is_file():
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        count += 1
        stem = path.name.split(".")[0]
        findings += [f.replace(":1:", ": its name:", 1) for f in findings_in(name, stem)]
        findings += findings_in(name, text)
    for finding in findings:
        print(finding)
    print(f"{count} files, {len(findings)} findings")
    return 1 if findings or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
