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

/// What the error of that kind says that `call` throws.
template <class Call>
std::string message_of(ErrorKind kind, const Call& call) {
  const std::optional<Error> error = error_of(call);
  if (!error.has_value()) {
    ADD_FAILURE() << "nothing was thrown";
    return {};
  }
  EXPECT_EQ(error->kind(), kind);
  return error->what();
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
