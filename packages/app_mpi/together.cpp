// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_mpi/together.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace tessera::app_mpi {

void together(const Communicator& processes, const std::function<void()>& work) {
  const auto own = app::failure_in(work);
  const int size = processes.size();
  const auto first = static_cast<int>(processes.minimum_of(own ? processes.rank() : size));
  if (first == size) return;
  app::Failure failure = own.value_or(app::Failure());
  std::int64_t shape[] = {static_cast<std::int64_t>(failure.code),
                          static_cast<std::int64_t>(failure.message.size())};
  processes.broadcast(std::as_writable_bytes(std::span(shape)), first);
  failure.code = static_cast<app::ExitCode>(shape[0]);
  failure.message.resize(static_cast<std::size_t>(shape[1]));
  processes.broadcast(std::as_writable_bytes(std::span(failure.message)), first);
  throw CommandError(failure);
}

}  // namespace tessera::app_mpi
