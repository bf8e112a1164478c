// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// fuzz_solves: random systems of any scaling, solved with random settings. No run may crash, hang,
/// or end with a status or an error that is not as documented.
#include "fuzz/crash_report.hpp"
#include "fuzz/solves/run_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <map>
#include <string_view>

namespace tessera::fuzz {

namespace {

constexpr const char* usage =
    "usage: tessera_fuzz_solves [--runs N] [--seconds S] [--seed N] [--run N] [--limit S]\n"
    "                           [--threads N] [--spoil WHAT]\n"
    "Solves N random systems (5000), or as many as begin within S seconds. The runs of a seed (1)\n"
    "are always the same. Of each that goes wrong there is a line to repeat it with; the exit "
    "code\n"
    "is 1 then.\n"
    "  --run N       this run alone, with what was drawn for it\n"
    "  --limit S     seconds that a run may take (60): one that takes longer ends the program\n"
    "  --threads N   of the host (1)\n"
    "  --spoil WHAT  goes wrong on purpose, to see that it is noticed: x, iterations, bits,\n"
    "                message, hang or crash\n";

struct Options {
  std::uint64_t runs = 5000;
  std::uint64_t seconds = 0;  ///< 0: no limit
  std::uint64_t seed = 1;
  std::uint64_t run = 0;
  bool only_run = false;
  std::uint64_t limit = 60;
  std::uint64_t threads = 1;
  Spoil spoil = Spoil::nothing;
};

bool parse_spoil(std::string_view text, Spoil& spoil) {
  constexpr std::pair<std::string_view, Spoil> known[] = {
      {"x", Spoil::x},       {"iterations", Spoil::iterations},
      {"bits", Spoil::bits}, {"message", Spoil::message},
      {"hang", Spoil::hang}, {"crash", Spoil::crash}};
  const auto* const found = std::find_if(std::begin(known), std::end(known),
                                         [&](const auto& k) { return k.first == text; });
  if (found == std::end(known)) return false;
  spoil = found->second;
  return true;
}

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    if (i + 1 == argc) return false;
    const std::string_view text = argv[i + 1];
    if (name == "--spoil") {
      if (!parse_spoil(text, options.spoil)) return false;
      continue;
    }
    std::uint64_t* const value = name == "--runs"      ? &options.runs
                                 : name == "--seconds" ? &options.seconds
                                 : name == "--seed"    ? &options.seed
                                 : name == "--run"     ? &options.run
                                 : name == "--limit"   ? &options.limit
                                 : name == "--threads" ? &options.threads
                                                       : nullptr;
    if (value == nullptr) return false;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
    if (error != std::errc() || stop != text.data() + text.size()) return false;
    options.only_run = options.only_run || name == "--run";
  }
  return true;
}

/// How to repeat the run that is at work, for a handler of signals.
std::array<char, 128> repeat{};

void say_repeat() { say(repeat.data()); }

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Session {
 public:
  explicit Session(const Options& options) : m_options(options) {}

  /// The exit code.
  int all() {
    if (m_options.only_run) {
      run(m_options.run);
    } else {
      for (std::uint64_t i = 0; i < m_options.runs && has_time(); ++i)
        run(i);
    }
    repeat[0] = '\0';
    show_summary();
    return m_failures == 0 ? 0 : 1;
  }

 private:
  bool has_time() const {
    return m_options.seconds == 0 ||
           seconds_since(m_start) < static_cast<double>(m_options.seconds);
  }

  void run(std::uint64_t number) {
    std::snprintf(repeat.data(), repeat.size(), "fuzz_solves --seed %llu --run %llu\n",
                  static_cast<unsigned long long>(m_options.seed),
                  static_cast<unsigned long long>(number));
    const auto start = Clock::now();
    ::alarm(static_cast<unsigned>(m_options.limit));
    Case drawn = draw_case(m_options.seed, number);
    if (m_options.only_run) show_case(drawn);
    const Outcome outcome = run_case(drawn, m_options.spoil);
    ::alarm(0);
    const double seconds = seconds_since(start);
    if (seconds > m_longest) m_longest = seconds, m_longest_run = number;
    ++m_runs;
    ++m_ends[outcome.end];
    if (m_options.only_run) {
      for (const std::string& note : outcome.notes)
        fmt::print("{}\n", note);
    }
    if (!outcome.faults.empty()) show_faults(drawn, outcome);
    show_progress();
  }

  static void show_case(const Case& drawn) {
    fmt::print("{} of {} rows and {} entries in {}, {} right-hand side(s)\nsettings:{}\n",
               drawn.description, drawn.A.num_rows, drawn.A.num_entries(),
               drawn.in_float ? "float" : "double", drawn.num_columns, to_text(drawn));
    std::fflush(stdout);
  }

  void show_faults(const Case& drawn, const Outcome& outcome) {
    ++m_failures;
    clear_progress();
    fmt::print("{}", repeat.data());
    for (const std::string& fault : outcome.faults)
      fmt::print("  {}\n", fault);
    show_case(drawn);
  }

  /// On a terminal alone, and not for each run.
  void show_progress() {
    if (!m_is_terminal || m_runs % 20 != 0) return;
    std::fprintf(stderr, "\r%llu runs, %llu wrong ", static_cast<unsigned long long>(m_runs),
                 static_cast<unsigned long long>(m_failures));
  }
  void clear_progress() const {
    if (m_is_terminal) std::fputs("\r\33[K", stderr);
  }

  void show_summary() const {
    clear_progress();
    for (const auto& [end, count] : m_ends)
      fmt::print("{:8} {}\n", count, end);
    fmt::print("{} runs in {:.0f} s, the longest {:.1f} s (run {}), {} wrong\n", m_runs,
               seconds_since(m_start), m_longest, m_longest_run, m_failures);
  }

  Options m_options;
  Clock::time_point m_start = Clock::now();
  bool m_is_terminal = ::isatty(STDERR_FILENO) != 0;
  std::uint64_t m_runs = 0;
  std::uint64_t m_failures = 0;
  double m_longest = 0;
  std::uint64_t m_longest_run = 0;
  std::map<std::string, std::uint64_t> m_ends;
};

}  // namespace

}  // namespace tessera::fuzz

int main(int argc, char** argv) {
  using namespace tessera::fuzz;
  Options options;
  if (argc == 2 && std::string_view(argv[1]) == "--help") {
    std::fputs(usage, stdout);
    return 0;
  }
  if (!parse(argc, argv, options)) {
    std::fputs(usage, stderr);
    return 2;
  }
  const Kokkos::ScopeGuard kokkos(
      Kokkos::InitializationSettings().set_num_threads(static_cast<int>(options.threads)));
  report_crashes(say_repeat);  // Kokkos may have its own
  return Session(options).all();
}
