// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Files read by parts, against the same files read as a whole.
#include "tessera/io/entry_stream.hpp"

#include "io/files.hpp"
#include "support/random_matrix.hpp"
#include "tessera/io/binary.hpp"
#include "tessera/io/binary_rows.hpp"
#include "tessera/io/vector.hpp"
#include "tessera/io/vector_writer.hpp"

#include <map>

namespace tessera::test::entry_stream_test {

const std::string banner = "%%MatrixMarket matrix ";

using Place = std::pair<std::int64_t, std::int64_t>;
using Entries = std::map<Place, double>;
using Space = HostSpace;

/// All entries of all parts; each place once.
Entries entries_in_parts(const std::filesystem::path& path, int parts, int threads) {
  Entries entries;
  std::int64_t found = 0;
  for (int part = 0; part < parts; ++part) {
    EntryStream stream(path, threads);
    stream.take_part(part, parts);
    EntryBatch batch;
    while (stream.next(batch))
      for (std::size_t k = 0; k < batch.rows.size(); ++k)
        EXPECT_TRUE(
            entries.emplace(Place(batch.rows[k], batch.columns[k]), batch.values[k]).second);
    found += stream.num_found();
    if (part + 1 == parts) stream.check_found(found);
  }
  return entries;
}

Entries entries_of(const std::filesystem::path& path) {
  const auto A = to_host(read_matrix<double, std::int64_t>(Space(), path).A);
  Entries entries;
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, double value) { entries[{i, j}] = value; });
  return entries;
}

std::string random_text(bool lower, std::uint64_t seed, int lines) {
  Random random(seed);
  const std::int32_t n = 3000;
  std::map<Place, double> entries;
  while (static_cast<int>(entries.size()) < lines) {
    std::int32_t i = random.below(n);
    std::int32_t j = random.below(n);
    if (lower && i < j) std::swap(i, j);
    entries[{i, j}] = random.below(1000) / 8.0;
  }
  std::string text = banner + "coordinate real " + (lower ? "symmetric\n" : "general\n") +
                     "% a comment\n" + std::to_string(n) + " " + std::to_string(n) + " " +
                     std::to_string(entries.size()) + "\n";
  for (const auto& [place, value] : entries) {
    text += std::to_string(place.first + 1) + " " + std::to_string(place.second + 1) + " " +
            std::to_string(value) + "\n";
    if (random.below(40) == 0) text += "% between\n\n \t\r\n";
  }
  return text;
}

TEST(EntryStream, PartsHaveEveryEntryOnce) {
  const TemporaryFolder folder;
  const std::vector<std::string> texts{
      random_text(false, 1, 20000),
      random_text(true, 2, 20000),
      banner + "coordinate real skew-symmetric\n3 3 2\n2 1 5\n3 2 -1\n",
      banner + "coordinate pattern symmetric\n2 2 2\n2 1\n2 2",
      banner + "coordinate integer general\n4 4 1\n\n% last\n  4 4 -3",
      banner + "coordinate real general\n3 3 0\n% end\n",
      banner + "coordinate real general\n0 0 0",
      banner + "coordinate real general\n%%AMGX base0\n2 2 1\n0 1 7\n"};
  for (const std::string& text : texts) {
    SCOPED_TRACE(text.substr(0, 200));
    const auto path = folder.write("a.mtx", text);
    const Entries expected = entries_of(path);
    for (const int parts : {1, 2, 3, 7, 64})
      for (const int threads : {1, 3})
        EXPECT_EQ(entries_in_parts(path, parts, threads), expected) << parts;
    EXPECT_TRUE(EntryStream(path).is_divisible());
  }
}

TEST(EntryStream, WhatIsReadAsAWhole) {
  const TemporaryFolder folder;
  const std::string general = random_text(false, 3, 300000);  // several pieces long
  const std::size_t half = general.size() / 2;
  const std::vector<std::string> contents{
      gzip(general),
      gzip(general.substr(0, half)) + gzip(general.substr(half)),
      banner + "array real general\n2 2\n1\n0\n2\n3\n",
      banner + "array real symmetric\n2 2\n1\n2\n3\n",
      banner + "array integer skew-symmetric\n3 3\n1\n2\n3\n",
      banner + "coordinate real general\n%%NVAMG 2 diagonal\n4 4 0\n1\n2\n3\n4\n5\n6\n7\n8\n"};
  for (const std::string& content : contents) {
    const auto path = folder.write("a.mtx", content);
    EXPECT_FALSE(EntryStream(path).is_divisible());
    EXPECT_EQ(entries_in_parts(path, 1, 2), entries_of(path)) << content.substr(0, 60);
  }
}

TEST(EntryStream, RightHandSideOfAmgx) {
  const TemporaryFolder folder;
  const auto path =
      folder.write("a.mtx", banner +
                                "coordinate real general\n%%AMGX 1 1 sorted diagonal rhs solution\n"
                                "2 2 2\n1 2 -1\n2 1 -2\n% the diagonal\n4\n5\n\n1\n2\n.5\n.25\n");
  EntryStream stream(path);
  EntryBatch batch;
  Entries entries;
  while (stream.next(batch))
    for (std::size_t k = 0; k < batch.rows.size(); ++k)
      entries[{batch.rows[k], batch.columns[k]}] = batch.values[k];
  EXPECT_EQ(entries, entries_of(path));
  EXPECT_EQ(stream.take_rhs(), (std::vector<double>{1, 2}));
}

/// The message of reading all parts.
std::string error_in_parts(const std::filesystem::path& path, int parts) {
  return message_of(ErrorKind::bad_input, [&] {
    std::int64_t found = 0;
    for (int part = 0; part < parts; ++part) {
      EntryStream stream(path, 2);
      stream.take_part(part, parts);
      EntryBatch batch;
      while (stream.next(batch)) {
      }
      found += stream.num_found();
      if (part + 1 == parts) stream.check_found(found);
    }
  });
}

TEST(EntryStream, MessagesCountLinesFromTheFilesStart) {
  const TemporaryFolder folder;
  std::string good = banner + "coordinate real general\n2 2 100000\n";
  for (int i = 0; i < 50000; ++i)
    good += "1 1 1\n";
  const std::string bad = good + "1 x 1\n" + good.substr(good.find("\n1 1 1") + 1);
  const std::string line = std::to_string(50000 + 3);
  for (const std::string& content : {bad, gzip(bad)}) {
    const std::string message = error_in_parts(folder.write("a.mtx", content), 1);
    EXPECT_NE(message.find("a.mtx:" + line + ": bad column number"), std::string::npos) << message;
  }
  for (const int parts : {2, 3, 5}) {
    const std::string message = error_in_parts(folder.write("a.mtx", bad), parts);
    EXPECT_NE(message.find("a.mtx:" + line + ": bad column number"), std::string::npos) << message;
  }
}

TEST(EntryStream, RefusesWhatIsNotThere) {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& content, int parts) {
    return error_in_parts(folder.write("a.mtx", content), parts);
  };
  const std::string head = banner + "coordinate real general\n2 2 3\n";
  for (const int parts : {1, 2})
    EXPECT_NE(error(head + "1 1 1\n2 2 1\n", parts).find("promises 3 entries, but 2"),
              std::string::npos);
  EXPECT_NE(error(head + "1 1 1\n1 2 1\n2 1 1\n2 2 1\n", 2).find("but 4 are there"),
            std::string::npos);
  EXPECT_NE(error(head + "1 1 nan\n", 1).find(":3: bad value"), std::string::npos);
  EXPECT_NE(error("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n", 1)
                .find("complex"),
            std::string::npos);
  EXPECT_NE(error("", 1), "");
  EXPECT_NE(
      error(banner + "array real general\n2 2\n1\n2\n3\n", 1).find("promises 4 values, but 3"),
      std::string::npos);
  const std::string packed = gzip(random_text(false, 5, 20000));
  EXPECT_NE(error(packed.substr(0, packed.size() / 2), 1).find("truncated"), std::string::npos);
  EXPECT_NE(error(packed + "garbage", 1).find("behind its end"), std::string::npos);
}

TEST(BinaryRows, PartsAreTheWhole) {
  const TemporaryFolder folder;
  const Space exec;
  const auto text = folder.write("a.mtx", random_text(false, 7, 20000));
  const auto A = read_matrix<double, std::int64_t>(exec, text).A;
  const MultiVector<double, Space> b("b", 3000, 2);
  for (std::size_t i = 0; i < 3000; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      b(i, j) = static_cast<double>(10 * i + j);
  const auto path = folder.path() / "a.tsr";
  write_binary(exec, path, A, std::optional(b));
  EXPECT_TRUE(is_binary_file(path));
  EXPECT_FALSE(is_binary_file(text));
  const BinaryRows file(path);
  EXPECT_EQ(file.rhs_columns(), 2U);
  EXPECT_EQ(file.entries_before(3000), 20000);
  Entries entries;
  std::vector<BinaryRows::Checksums> sums;
  for (int part = 0; part < 3; ++part) {
    sums.push_back(file.checksums(part, 3));
    const HostCsr rows = file.rows(1000 * part, 1000);
    for (std::int64_t i = 0; i < 1000; ++i)
      for (auto e = rows.offsets[static_cast<std::size_t>(i)];
           e < rows.offsets[static_cast<std::size_t>(i) + 1]; ++e)
        entries[{1000 * part + i, rows.columns[static_cast<std::size_t>(e)]}] =
            rows.values[static_cast<std::size_t>(e)];
    const auto rhs = file.rhs(1000 * part, 1000);
    ASSERT_EQ(rhs.size(), 2000U);
    EXPECT_EQ(rhs[1000], 10.0 * 1000 * part + 1);
  }
  EXPECT_EQ(entries, entries_of(text));
  file.check(sums);
  sums[1][2] ^= 1U;
  expect_error(error_of([&] { file.check(sums); }), ErrorKind::bad_input, {"damaged"});
  EXPECT_EQ(file.rows(500, 0).offsets, std::vector<std::int64_t>{0});
}

TEST(VectorWriter, WritesAsWriteVector) {
  const TemporaryFolder folder;
  const Space exec;
  const MultiVector<double, Space> x("x", 5, 2);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      x(i, j) = 1.0 / static_cast<double>(1 + i + 5 * j);
  for (const char* name : {"x.mtx", "x.mtx.gz"}) {
    write_vector(exec, folder.path() / name, x);
    const auto path = folder.path() / (std::string("parts_") + name);
    VectorWriter writer(path, 5, 2);
    for (std::size_t j = 0; j < 2; ++j) {
      writer.write(&x(0, j), 2);
      writer.write(&x(2, j), 3);
    }
    writer.commit();
    EXPECT_EQ(to_host(read_vector<double>(exec, path)),
              to_host(read_vector<double>(exec, folder.path() / name)));
  }
}

}  // namespace tessera::test::entry_stream_test
