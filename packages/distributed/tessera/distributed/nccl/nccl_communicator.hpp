// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Processes with a GPU each, whose messages and sums are NCCL's.
#pragma once

#include "tessera/distributed/communicator.hpp"

#include <memory>

namespace tessera::distributed {

/// How NCCL is used.
struct NcclOptions {
  /// Messages go on a stream of their own, beside the part of a product that needs none of them;
  /// else on the instance's, before it.
  bool overlaps = true;
  /// After so many seconds in which a sum does not come, a solve ends with an Error: another
  /// process has gone, or waits for something else. 0: it waits for ever.
  double wait_limit_s = 600;
};

/// The processes of `host`, each with another device, which is that of `exec`. Vectors' messages
/// and the sums of a solve are NCCL's, in the order of the stream of whichever instance is solved
/// on; no fence comes between a message and the kernels around it. `host` has all that setup agrees
/// on, and is kept.
///
/// NCCL (or AMD's RCCL) is loaded when this is called: libnccl.so.2, or the file that the
/// environment variable TESSERA_NCCL_LIBRARY names. Solvers on hosts' spaces take it, too, and use
/// `host` alone. Collective.
///
/// @throws Error on all processes where it cannot be loaded on one of them, where `Space` is a
///         host's, where two processes have the same device, and with NCCL's words where that
///         refuses. What it made throws as soon as NCCL reports an error, and is of no use then.
template <class Space>
std::shared_ptr<const Communicator> nccl_communicator(
    const std::shared_ptr<const Communicator>& host, const Space& exec,
    const NcclOptions& options = {});

}  // namespace tessera::distributed
