// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app/agreed_failure.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace tessera::app {

std::optional<Failure> failure_in(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const CommandError& error) {
    return Failure{error.what(), error.code()};
  } catch (const std::exception& error) {
    return failure_of(error);
  }
}

int run_agreed(const std::string& command, int rank, const std::function<ExitCode()>& run,
               const std::function<void(int)>& abort) {
  const auto say = [&](const std::string& message) {
    if (rank == 0) fmt::print(stderr, "{}: {}\n", command, message);
  };
  try {
    return static_cast<int>(run());
  } catch (const CommandError& error) {
    say(error.what());
    return static_cast<int>(error.code());
  } catch (const UsageError& error) {
    say(error.what());
    return static_cast<int>(ExitCode::usage);
  } catch (const std::exception& error) {
    const Failure failure = failure_of(error);
    fmt::print(stderr, "{}: process {}: {}\n", command, rank, failure.message);
    std::fflush(stderr);
    abort(static_cast<int>(failure.code));
    return static_cast<int>(failure.code);
  }
}

}  // namespace tessera::app
