// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The error that a call throws.
#pragma once

#include "tessera/operator/error.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>
#include <string>

namespace tessera::test {

/// The `Error` that `call` throws; nothing where it throws none.
template <class Call>
std::optional<Error> error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

/// Expects an error of that kind whose message holds each of `parts`.
inline void expect_error(const std::optional<Error>& error, ErrorKind kind,
                         std::initializer_list<std::string> parts) {
  ASSERT_TRUE(error.has_value()) << "nothing was thrown";
  EXPECT_EQ(error->kind(), kind) << error->what();
  for (const std::string& part : parts) {
    EXPECT_NE(std::string(error->what()).find(part), std::string::npos) << error->what();
  }
}

}  // namespace tessera::test
