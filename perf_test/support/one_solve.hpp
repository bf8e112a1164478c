// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The programs that compare_real starts: one system from a file, one solver, the solution to a
/// file. Each ends itself at its limits, so that nothing of it is left whatever its solver does.
#pragma once

#include "support/host_system.hpp"
#include "tessera/io/binary.hpp"

#include <CLI/CLI.hpp>

#include <sys/resource.h>
#include <sys/time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tessera::perf {

/// A solve as its process reports it: a line of JSON, then x as doubles.
struct SolveReport {
  std::string version;  ///< of the library that solved
  Timing timing;
  std::vector<double> x;

  void write(const std::string& file) const {
    std::ofstream out(file, std::ios::binary);
    auto json = to_json("", timing);
    json["version"] = version;
    json["method"] = timing.method;
    out << json.dump() << '\n';
    out.write(reinterpret_cast<const char*>(x.data()),
              static_cast<std::streamsize>(x.size() * sizeof(double)));
    if (out.flush()) return;
    std::fprintf(stderr, "%s cannot be written\n", file.c_str());
    std::exit(74);
  }

  /// Throws where the file is not whole.
  static SolveReport read(const std::string& file, Ordinal num_rows) {
    std::ifstream in(file, std::ios::binary);
    std::string line;
    std::getline(in, line);
    const auto json = nlohmann::json::parse(line);
    SolveReport report;
    report.version = json.at("version");
    report.timing.setup_ms = json.at("setup_ms");
    report.timing.solve_ms = json.at("solve_ms");
    report.timing.iterations = json.at("iterations");
    report.timing.method = json.at("method");
    report.x.resize(static_cast<std::size_t>(num_rows));
    in.read(reinterpret_cast<char*>(report.x.data()),
            static_cast<std::streamsize>(report.x.size() * sizeof(double)));
    if (!in) throw std::runtime_error(file + " ends early");
    return report;
  }
};

/// What a solver's program is asked for.
struct OneSolve {
  std::string system, out;
  double tolerance = 1e-8;
  int max_iterations = 10000;
  double limit_s = 60;
  double memory_gb = 8;
  bool symmetric = false;
  bool definite = false;

  void add_to(CLI::App& app) {
    app.add_option("--system", system, "matrix and right-hand side, a .tsr file")->required();
    app.add_option("--out", out, "file for the timing and the solution")->required();
    app.add_option("--tolerance", tolerance, "relative residual");
    app.add_option("--max-iterations", max_iterations, "limit on iterations");
    app.add_option("--limit-s", limit_s,
                   "seconds of setup and solve, then SIGALRM ends the program");
    app.add_option("--memory-gb", memory_gb, "memory after which allocations fail");
    app.add_flag("--symmetric", symmetric, "the matrix is symmetric");
    app.add_flag("--definite", definite, "the matrix is symmetric positive definite: CG");
  }

  /// Solved is what leaves at most the tolerance of b by our own count, and a tenth more: the
  /// residual that a recurrence ends by differs from that.
  bool is_solved(double true_relative_residual) const {
    return true_relative_residual <= 1.1 * tolerance;
  }

  /// Kokkos has to be initialised.
  HostSystem read() const {
    const auto bytes = static_cast<rlim_t>(memory_gb * (1 << 30));
    const rlimit memory{bytes, bytes};
    setrlimit(RLIMIT_DATA, &memory);
    const HostSpace exec;
    const auto file = read_binary<double>(exec, system);
    exec.fence("tessera::perf");
    return {file.A, file.rhs.value()};
  }

  /// `solve(x)` sets up, solves and returns the timing. A short one is done three times, and the
  /// fastest counts: the first finds cold caches and starts the threads. An exception of the
  /// solver, whose `version` goes into the report, ends the program with a message: it is no crash.
  template <class Solve>
  void run(const std::string& version, Solve solve) const {
    set_alarm();
    SolveReport best;
    double elapsed_ms = 0;
    for (int i = 0; i < 3 && elapsed_ms < kShortMs; ++i) {
      SolveReport report{version, {}, {}};
      try {
        report.timing = solve(report.x);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", one_line(error.what()).c_str());
        std::fflush(nullptr);
        std::_Exit(70);  // MPI, where there is one, would complain that nobody ended it
      }
      elapsed_ms += report.timing.total_ms();
      if (i == 0 || report.timing.total_ms() < best.timing.total_ms()) best = std::move(report);
    }
    best.write(out);
  }

 private:
  static constexpr double kShortMs = 500;

  static std::string one_line(std::string text) {
    while (!text.empty() && text.back() == '\n')
      text.pop_back();
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }

  void set_alarm() const {
    itimerval timer{};
    timer.it_value.tv_sec = static_cast<time_t>(limit_s);
    timer.it_value.tv_usec = static_cast<suseconds_t>((limit_s - std::floor(limit_s)) * 1e6);
    setitimer(ITIMER_REAL, &timer, nullptr);
  }
};

}  // namespace tessera::perf
