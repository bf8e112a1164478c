// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The rows of one process as applications have them that multiply over several processes
/// themselves: what couples own unknowns, what couples them to others', and who sends what.
#pragma once

#include "tessera/distributed/host_array.hpp"
#include "tessera/kernels/format/csr.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::distributed {

/// What a process sends of a vector, and from whom it has its ghosts.
struct HaloLists {
  /// Entries of a list that go to or come from a process, one after the other.
  struct Neighbour {
    int process;
    Ordinal first;
    Ordinal length;
  };

  HostArray<Ordinal> exports;  ///< own unknowns that others want: by process
  std::vector<Neighbour> receivers;  ///< of `exports`, without this process
  std::vector<Neighbour> senders;  ///< of the ghosts, without this process
};

/// The rows of one process in two parts, whose columns each in the order that it likes: a row has
/// each column once. The arrays are somebody else's; a part without an entry need not have any. The
/// lists `ghosts` and `halo->exports` may be, too (`host_array` copies a std::vector); how long all
/// of them have to stay is for `Solver::setup_parts` to say.
//! [parts]
template <class Space>
struct RowsInParts {
  using Part = kernels::CsrView<double, Space, std::int64_t>;

  Part own;  ///< n by n: the columns are this process's unknowns, numbered as its rows are
  Part ghost;  ///< n by `ghosts.extent(0)`
  /// By column of `ghost` the number of that unknown among those of all processes, which are
  /// numbered through: ascending. A column need not have an entry.
  HostArray<std::int64_t> ghosts;
  /// In the order of `ghosts`; they are taken where all processes have them, else worked out.
  std::optional<HaloLists> halo;
};
//! [parts]

}  // namespace tessera::distributed
