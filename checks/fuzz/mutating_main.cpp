// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A main for a fuzzer where there is no libFuzzer: mutations without a look at coverage.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>

#include "fuzz/crash_report.hpp"
#include "fuzz/mutate.hpp"

extern "C" {
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int* argc, char*** argv);
}

namespace tessera::fuzz {

namespace {

constexpr unsigned seconds_per_input = 10;
constexpr const char* usage =
    "usage: PROGRAM [--seconds S] [--seed N] [--max-bytes B] FOLDER_OR_FILE...\n"
    "Runs every file, then mutations of them for S seconds (60). An input that crashes, or takes\n"
    "more than 10 s, is left in ./crash-SEED-NUMBER; run that file with --seconds 0 for it "
    "again.\n";

/// What a handler of signals reads.
struct Current {
  Bytes bytes;
  std::array<char, 64> file{};
  volatile sig_atomic_t written = 0;
};
Current current;

/// Async-signal-safe. Once: a sanitizer's report ends in an abort.
void write_current() {
  if (current.written != 0 || current.file[0] == '\0') return;
  current.written = 1;
  const int to = ::open(current.file.data(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  std::size_t done = 0;
  while (to >= 0 && done < current.bytes.size()) {
    const ssize_t n = ::write(to, current.bytes.data() + done, current.bytes.size() - done);
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  say(to >= 0 && done == current.bytes.size() ? "the input is in " : "cannot write ");
  say(current.file.data());
  say("\n");
  if (to >= 0) ::close(to);
}

struct Options {
  std::uint64_t seconds = 60;
  std::uint64_t seed = 1;
  std::uint64_t max_bytes = 4096;
  std::vector<std::filesystem::path> paths;
};

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (!name.starts_with("--")) {
      options.paths.emplace_back(name);
      continue;
    }
    std::uint64_t* const value = name == "--seconds"     ? &options.seconds
                                 : name == "--seed"      ? &options.seed
                                 : name == "--max-bytes" ? &options.max_bytes
                                                         : nullptr;
    if (value == nullptr || ++i == argc) return false;
    const char* const end = argv[i] + std::strlen(argv[i]);
    const auto [stop, error] = std::from_chars(argv[i], end, *value);
    if (error != std::errc() || stop != end) return false;
  }
  return !options.paths.empty();
}

/// In the order of their names, so that a seed makes the same inputs everywhere.
std::vector<Bytes> read_seeds(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::filesystem::path> files;
  for (const auto& path : paths) {
    if (!std::filesystem::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    const auto first = static_cast<std::ptrdiff_t>(files.size());
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin() + first, files.end());
  }
  std::vector<Bytes> seeds;
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
      throw std::filesystem::filesystem_error("cannot read", path,
                                              {errno, std::generic_category()});
    }
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Returns how many seconds it took.
double run(Bytes input, std::uint64_t seed, std::uint64_t number) {
  current.bytes = std::move(input);
  std::snprintf(current.file.data(), current.file.size(), "crash-%llu-%llu",
                static_cast<unsigned long long>(seed), static_cast<unsigned long long>(number));
  // Of just this size, so that a sanitizer sees a read beyond its end.
  const std::size_t size = current.bytes.size();
  const auto copy = std::make_unique<std::uint8_t[]>(size);
  std::copy(current.bytes.begin(), current.bytes.end(), copy.get());
  const auto start = Clock::now();
  ::alarm(seconds_per_input);
  LLVMFuzzerTestOneInput(copy.get(), size);
  ::alarm(0);
  return seconds_since(start);
}

void run_all(const Options& options, const std::vector<Bytes>& seeds) {
  const auto start = Clock::now();
  std::uint64_t number = 0;
  double longest = 0;
  const auto next = [&](Bytes input) {
    longest = std::max(longest, run(std::move(input), options.seed, number++));
  };
  for (const Bytes& seed : seeds)
    next(seed);
  Mutator mutator(options.seed, seeds, options.max_bytes);
  while (seconds_since(start) < static_cast<double>(options.seconds))
    next(mutator.next());
  current.file[0] = '\0';
  std::printf("%llu inputs in %.1f s, longest %.1f ms\n", static_cast<unsigned long long>(number),
              seconds_since(start), 1e3 * longest);
}

}  // namespace

}  // namespace tessera::fuzz

int main(int argc, char** argv) {
  using namespace tessera::fuzz;
  Options options;
  if (!parse(argc, argv, options)) {
    std::fputs(usage, stderr);
    return 2;
  }
  std::vector<Bytes> seeds;
  try {
    seeds = read_seeds(options.paths);
  } catch (const std::filesystem::filesystem_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  if (seeds.empty()) {
    std::fputs("no file to start from\n", stderr);
    return 2;
  }
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argc, &argv);
  report_crashes(write_current);  // Kokkos may have its own
  run_all(options, seeds);
  return 0;
}
