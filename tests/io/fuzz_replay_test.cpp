// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The fuzzer's corpus, and mutations of it, through every parser: nothing may crash.
#include <algorithm>
#include <random>

#include "fuzz/consume.hpp"
#include "io/files.hpp"

namespace tessera::test::fuzz_replay_test {

std::vector<std::filesystem::path> corpus() {
  const auto folder = std::filesystem::path(TESSERA_SOURCE_FOLDER) / "checks/fuzz/corpus";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

fuzz::Verdict consume(const std::string& bytes) {
  return fuzz::consume(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

TEST(FuzzReplay, CorpusIsTakenForWhatItIs) {
  const auto files = corpus();
  ASSERT_GE(files.size(), 15U);
  const auto verdict = [&](const std::string& name) {
    const auto file = std::find_if(files.begin(), files.end(),
                                   [&](const auto& path) { return path.filename() == name; });
    return file == files.end() ? fuzz::Verdict::refused : consume(read_bytes(*file));
  };
  for (const char* name :
       {"general_real.mtx", "symmetric_integer.mtx", "skew_pattern.mtx", "array.mtx",
        "array_symmetric.mtx", "crlf_blank.mtx", "amgx.mtx", "amgx_blocks.mtx", "base0.mtx",
        "general_real.mtx.gz", "numbers.mtx", "tabs_upper.mtx", "two_members.mtx.gz"}) {
    EXPECT_EQ(verdict(name), fuzz::Verdict::matrix) << name;
  }
  EXPECT_EQ(verdict("vector.txt"), fuzz::Verdict::vector);
  EXPECT_EQ(verdict("diagonal.tsr"), fuzz::Verdict::binary);
  for (const char* name : {"too_few.mtx", "huge.mtx", "overflow.mtx", "truncated.mtx.gz"}) {
    EXPECT_EQ(verdict(name), fuzz::Verdict::refused) << name;
  }
}

// A flipped bit, a cut end, a doubled piece or a changed number, up to four of them.
std::string mutate(std::string bytes, std::mt19937& random) {
  const auto below = [&random](std::size_t n) { return random() % std::max<std::size_t>(n, 1); };
  for (std::size_t n = 1 + below(4); n > 0 && !bytes.empty(); --n) {
    const std::size_t at = below(bytes.size());
    switch (below(4)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 1:
        bytes.resize(at);
        break;
      case 2:
        bytes.insert(at, bytes.substr(below(bytes.size()), below(20)));
        break;
      default:
        bytes[at] = "0123456789-+.eE% \n\r\t"[below(20)];
        break;
    }
  }
  return bytes;
}

TEST(FuzzReplay, MutationsDoNotCrash) {
  std::mt19937 random(20240229);
  const auto files = corpus();
  int refused = 0;
  int taken = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string seed = read_bytes(files[static_cast<std::size_t>(i) % files.size()]);
    const bool bad = consume(mutate(seed, random)) == fuzz::Verdict::refused;
    (bad ? refused : taken) += 1;
  }
  // Most mutations break the file, and some do not: both paths ran.
  EXPECT_GT(refused, 500);
  EXPECT_GT(taken, 50);
}

}  // namespace tessera::test::fuzz_replay_test
