// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Wall time of what all processes of Tpetra's default communicator do together.
#pragma once

#include <Kokkos_Timer.hpp>
#include <Teuchos_CommHelpers.hpp>
#include <Tpetra_Core.hpp>

namespace tessera::perf {

/// Runs from its construction, for which the processes wait for one another.
class ProcessStopwatch {
 public:
  ProcessStopwatch() { Tpetra::getDefaultComm()->barrier(); }

  /// Milliseconds since then, by the slowest process. Collective.
  double ms() const {
    const double own = m_timer.seconds() * 1e3;
    double longest = 0;
    Teuchos::reduceAll(*Tpetra::getDefaultComm(), Teuchos::REDUCE_MAX, own,
                       Teuchos::outArg(longest));
    return longest;
  }

 private:
  Kokkos::Timer m_timer;
};

}  // namespace tessera::perf
