// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows that go to other processes, and their vectors, there and back.
#pragma once

#include "app_mpi/row_shares.hpp"
#include "app_mpi/vectors.hpp"
#include "tessera/io/binary_rows.hpp"

#include <cstdint>
#include <vector>

namespace tessera::app_mpi {

/// All rows numbered again: those of a process are contiguous, in the order that they had.
class Renumbering {
 public:
  /// `to`: for each of this process's rows in `given` the process that gets it. Collective.
  Renumbering(const Communicator& processes, const RowShares& given, const std::vector<int>& to);

  /// Of the rows by their new numbers.
  const RowShares& shares() const { return m_shares; }

  /// Rows and columns of a matrix by the new numbers, columns ascending. Collective.
  HostCsr moved(const HostCsr& rows) const;
  /// Rows of vectors to those that have them now. Collective.
  Columns moved(const Columns& columns) const;
  /// And from them to those that had them. Collective.
  Columns moved_back(const Columns& columns) const;

 private:
  std::vector<std::int64_t> numbers_of(const std::vector<std::int64_t>& columns) const;

  const Communicator* m_processes;
  RowShares m_given;
  RowShares m_shares;
  std::vector<std::vector<std::int64_t>> m_rows;  ///< by receiver, own rows counted from 0
  std::vector<std::int64_t> m_number;  ///< by own row the new one
  std::vector<std::int64_t> m_come;  ///< by sender, how many rows this process has of it now
};

}  // namespace tessera::app_mpi
