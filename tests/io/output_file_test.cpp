// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Where outputs go, what is seen of them before they are whole, and how much of a stream is read.
#include "tessera/io/detail/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>

#include "io/files.hpp"
#include "tessera/io/detail/file_bytes.hpp"
#include "tessera/io/detail/output_place.hpp"
#include "tessera/io/text_file.hpp"

namespace tessera::test {
namespace output_file_test {

TEST(OutputFile, NothingIsSeenBeforeItIsWhole) {
  const TemporaryFolder folder;
#ifdef O_TMPFILE
  const int descriptor = ::open(folder.path().c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (descriptor < 0) GTEST_SKIP() << "this file system has no files without names";
  ::close(descriptor);
#else
  GTEST_SKIP() << "this system has no files without names";
#endif
  detail::OutputFile file(folder.path() / "a");
  file.write("text");
  EXPECT_EQ(folder.num_files(), 0U) << "a program that is killed here would leave something";
  file.commit();
  EXPECT_EQ(read_bytes(folder.path() / "a"), "text");
  detail::OutputFile again(folder.path() / "a");
  again.write("new");
  EXPECT_EQ(read_bytes(folder.path() / "a"), "text");
  again.commit();
  EXPECT_EQ(read_bytes(folder.path() / "a"), "new");
  EXPECT_EQ(folder.num_files(), 1U);
}

TEST(OutputFile, ALinkToAMissingFileStaysALink) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "below");
  std::filesystem::create_symlink("below/b", folder.path() / "link");
  std::filesystem::create_symlink("a", folder.path() / "below/b");
  write_text(folder.path() / "link", "text");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "below/b"));
  EXPECT_EQ(read_bytes(folder.path() / "below/a"), "text");
}

TEST(OutputFile, AVanishedFolderIsAnError) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "below");
  detail::OutputFile file(folder.path() / "below/a");
  file.write("text");
  std::filesystem::remove_all(folder.path() / "below");
  expect_error(error_of([&] { file.commit(); }), ErrorKind::io, {"below/a: cannot be"});
  EXPECT_EQ(folder.num_files(), 0U);
}

TEST(OutputFile, ADescriptorsNameIsTheOpenFile) {
  const TemporaryFolder folder;
  const auto path = folder.write("a", "before ");
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND);
  ASSERT_GE(descriptor, 0);
  const std::string name = "/dev/fd/" + std::to_string(descriptor);
  EXPECT_TRUE(is_written_directly(name));
  check_writable(name);
  write_text(name, "text");
  ASSERT_EQ(::write(descriptor, " behind", 7), 7);
  ::close(descriptor);
  EXPECT_EQ(read_bytes(path), "before text behind");
  // Closed now: an error, not a new file of this name.
  expect_error(error_of([&] { check_writable(name); }), ErrorKind::io, {});
  expect_error(error_of([&] { write_text(name, "text"); }), ErrorKind::io, {});

  const int readable = ::open(path.c_str(), O_RDONLY);
  const std::string other = "/proc/self/fd/" + std::to_string(readable);
  expect_error(error_of([&] { write_text(other, "text"); }), ErrorKind::io, {});
  ::close(readable);
  EXPECT_EQ(read_bytes(path), "before text behind");
}

TEST(OutputPlace, KnowsTheNamesOfDescriptors) {
  EXPECT_EQ(detail::descriptor_of("/dev/stdout"), 1);
  EXPECT_EQ(detail::descriptor_of("/proc/self/fd/12"), 12);
  for (const char* path :
       {"/dev/fd/", "/dev/fd/1x", "/dev/fd/-1", "/dev/full", "stdout", "", "1"}) {
    EXPECT_FALSE(detail::descriptor_of(path)) << path;
  }
}

TEST(ReadFile, AStreamWithoutEndIsRefused) {
  constexpr std::size_t memory = std::size_t{32} << 20U;
  if (std::filesystem::exists("/dev/zero")) {
    expect_error(error_of([&] { detail::read_file("/dev/zero", 1, memory); }),
                 ErrorKind::out_of_memory, {"/dev/zero: it does not end within 16777216"});
  }
  const TemporaryFolder folder;
  const auto path = folder.write("a", std::string(memory, 'a'));
  EXPECT_EQ(detail::read_file(path, 1, memory).size(), memory);
  expect_error(error_of([&] { detail::read_file(path, 1, memory - 1); }), ErrorKind::out_of_memory,
               {});
}

TEST(ReadFile, AControlGroupsMemoryIsAllThereIs) {
  const TemporaryFolder folder;
  const auto of = [&](const std::string& groups) {
    return detail::control_group_memory(folder.write("groups", groups), folder.path());
  };
  constexpr auto unlimited = static_cast<std::size_t>(-1);
  std::filesystem::create_directories(folder.path() / "a/b");
  std::filesystem::create_directories(folder.path() / "memory/a");
  folder.write("a/memory.max", "4096000\n");
  folder.write("a/b/memory.max", "max\n");
  folder.write("memory/a/memory.limit_in_bytes", "8192\n");
  EXPECT_EQ(of("0::/a/b\n"), 4096000U) << "a group has no more than the one around it";
  EXPECT_EQ(of("3:cpu:/a\n2:memory:/a\n0::/\n"), 8192U);
  EXPECT_EQ(of("0::/elsewhere\n"), unlimited);
  EXPECT_EQ(detail::control_group_memory(folder.path() / "none", folder.path()), unlimited);
}

TEST(ReadFile, AStreamWithinTheLimitIsReadWhole) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::pipe(ends), 0);
  const std::string content(std::size_t{9} << 20U, 'a');  // beyond two pieces
  std::thread writer([&] {
    write_text("/dev/fd/" + std::to_string(ends[1]), content);
    ::close(ends[1]);
  });
  const auto bytes =
      detail::read_file("/dev/fd/" + std::to_string(ends[0]), 1, std::size_t{32} << 20U);
  writer.join();
  ::close(ends[0]);
  EXPECT_EQ(std::string(bytes.data(), bytes.size()), content);
}

}  // namespace output_file_test
}  // namespace tessera::test
