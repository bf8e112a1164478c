// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A share of a test's cases, for tools that slow kernels down tenfold and more.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace tessera::test {

/// How many times fewer cases are to run: the environment's TESSERA_TEST_SHARE, or 1.
inline unsigned asked_share() {
  const char* text = std::getenv("TESSERA_TEST_SHARE");
  const int n = text == nullptr ? 1 : std::atoi(text);
  return n < 1 ? 1u : static_cast<unsigned>(n);
}

/// Chooses which of the cases of a test run: all of them, or where the environment's
/// TESSERA_TEST_SHARE is a number n, every n-th. Each type of a typed test begins one case later
/// than the type before, so that n types of a space together run all cases; fewer leave some out.
class Share {
 public:
  Share() : m_n(asked_share()), m_case(number_of_type()) {}

  /// Whether the next case runs.
  bool takes() { return m_case++ % m_n == 0; }

 private:
  /// Which of the types of its suite the test that runs has.
  static unsigned number_of_type() {
    const auto& tests = *::testing::UnitTest::GetInstance();
    const auto without_type = [](const std::string& name) {
      return name.substr(0, name.find('/'));
    };
    const std::string running = tests.current_test_info()->test_suite_name();
    unsigned number = 0;
    for (int i = 0; i < tests.total_test_suite_count(); ++i) {
      const std::string name = tests.GetTestSuite(i)->name();
      if (name == running) break;
      number += without_type(name) == without_type(running) ? 1 : 0;
    }
    return number;
  }

  unsigned m_n;
  unsigned m_case;
};

/// The members of `list` that run.
template <class T>
std::vector<T> share_of(std::vector<T> list) {
  Share share;
  std::erase_if(list, [&](const T&) { return !share.takes(); });
  return list;
}

}  // namespace tessera::test
