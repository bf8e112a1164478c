// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is flushed to the disk and when, as a system that goes down at once would leave it. The
/// functions of the C library have stand-ins here for the whole program.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <functional>

#include "io/files.hpp"
#include "tessera/io/text_file.hpp"

namespace tessera::test::flush_test {

/// What is done in place of a flush, with whether it is a folder's: an error's number, or 0.
std::function<int(bool)> on_flush;
bool nameless_files = true;

}  // namespace tessera::test::flush_test

extern "C" int fsync(int descriptor) {
  using namespace tessera::test::flush_test;
  struct ::stat status{};
  if (on_flush && ::fstat(descriptor, &status) == 0) {
    const int error = on_flush(S_ISDIR(status.st_mode));
    if (error != 0) {
      errno = error;
      return -1;
    }
  }
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

extern "C" int open(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const auto mode =
      (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, unsigned) : 0U;
  va_end(arguments);
  if ((flags & O_TMPFILE) == O_TMPFILE && !tessera::test::flush_test::nameless_files) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

namespace tessera::test::flush_test {

/// With files that have no name while they are written, and as on a file system without them.
class Flush : public ::testing::TestWithParam<bool> {
 protected:
  Flush() { nameless_files = GetParam(); }
  ~Flush() override {
    on_flush = {};
    nameless_files = true;
  }

  const TemporaryFolder m_folder;
  const std::filesystem::path m_file = m_folder.path() / "a";
};

TEST_P(Flush, TheContentComesBeforeTheNameAndTheFolderAfterIt) {
  for (const bool replaces : {false, true}) {
    std::string order;
    on_flush = [&](bool is_folder) {
      order += is_folder ? "folder " : "file ";
      const std::string there = std::filesystem::exists(m_file) ? read_bytes(m_file) : "";
      EXPECT_EQ(there, is_folder ? "new" : replaces ? "old" : "");
      return 0;
    };
    write_text(m_file, "new");
    EXPECT_EQ(order, "file folder ");
    on_flush = {};
    write_text(m_file, "old");
  }
}

TEST_P(Flush, AContentThatCannotBeFlushedReplacesNothing) {
  write_text(m_file, "old");
  on_flush = [](bool is_folder) { return is_folder ? 0 : EIO; };
  expect_error(error_of([&] { write_text(m_file, "new"); }), ErrorKind::io,
               {"a: cannot be flushed to the disk"});
  EXPECT_EQ(read_bytes(m_file), "old");
  EXPECT_EQ(m_folder.num_files(), 1U);
}

TEST_P(Flush, AFolderThatCannotBeFlushedIsAnErrorAndOneThatNeedNotBeIsNone) {
  on_flush = [](bool is_folder) { return is_folder ? EINVAL : 0; };
  write_text(m_file, "new");
  on_flush = [](bool is_folder) { return is_folder ? EIO : 0; };
  expect_error(error_of([&] { write_text(m_file, "newer"); }), ErrorKind::io,
               {"a: its folder cannot be flushed to the disk"});
}

TEST_P(Flush, WhatWouldBeLeftOfAKilledProgramIsNamedAsSuch) {
  write_text(m_file, "old");
  std::size_t files = 0;
  on_flush = [&](bool is_folder) {
    if (is_folder) return 0;
    for (const auto& entry : std::filesystem::directory_iterator(m_folder.path())) {
      ++files;
      const std::string name = entry.path().filename().string();
      EXPECT_TRUE(name == "a" || (name.starts_with(".a.") && name.ends_with(".tmp"))) << name;
    }
    return 0;
  };
  write_text(m_file, "new");
  if (!nameless_files) {
    EXPECT_EQ(files, 2U);
  }
  EXPECT_EQ(m_folder.num_files(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Files, Flush, ::testing::Bool(), [](const auto& info) {
  return info.param ? "WithoutNames" : "WithTemporaryNames";
});

}  // namespace tessera::test::flush_test
