// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Entries on their way to the processes that have their rows.
#pragma once

#include "app_mpi/matrix_shares.hpp"
#include "tessera/io/entry_stream.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::app_mpi {

/// Takes entries from whoever has read them and makes rows of those that have come.
class EntryLists {
 public:
  EntryLists(const Communicator& processes, const RowShares& shares);

  /// Sorts a batch by receivers, for `send`.
  void add(const EntryBatch& batch);
  /// Sends what was added and receives what others have. Collective.
  void send();

  /// This process's rows, columns ascending, of all that has come; it is gone then. Entries of one
  /// place are in the order of the processes that sent them, and of each process's batches, which
  /// is the file's. `path` is the file's name in messages.
  /// @throws Error of kind bad_input for two entries of one place, unless they are to be summed.
  HostCsr rows(const std::string& path, bool sum_duplicates);

 private:
  struct Entry {
    Ordinal row;
    Ordinal column;
    double value;
  };

  const Communicator& m_processes;
  const RowShares& m_shares;
  std::vector<std::vector<Entry>> m_outgoing;  ///< by receiver
  std::vector<std::vector<Entry>> m_come;  ///< by sender
};

}  // namespace tessera::app_mpi
