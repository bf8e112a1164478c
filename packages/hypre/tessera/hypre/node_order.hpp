// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// From unknowns that are numbered one after the other to nodes that are.
#pragma once

#include "tessera/distributed/communicator.hpp"
#include "tessera/hypre/host_parts.hpp"
#include "tessera/hypre/host_rows.hpp"

#include <cstdint>
#include <vector>

namespace tessera::hypre {

/// On each process of n rows and `block_size` unknowns per node, row c n / block_size + i becomes
/// row i block_size + c.
class NodeOrder {
 public:
  /// Leaves all numbers as they are.
  NodeOrder() = default;
  /// Collective. @throws Error on all processes where one's rows are not a multiple of block_size.
  NodeOrder(const distributed::Communicator& processes, std::int64_t own_rows, int block_size);

  bool is_identity() const { return m_block_size <= 1; }
  /// A copy of this process's rows in the new order, with the new numbers of their columns among
  /// those of all processes.
  HostRows reordered(const HostParts& rows) const;
  /// to[new number] = from[old number], of this process's rows.
  void to_nodes(const double* from, double* to) const;
  void from_nodes(const double* from, double* to) const;

 private:
  std::int64_t new_column(std::int64_t column) const;
  std::int64_t num_rows() const;

  int m_block_size = 1;
  std::size_t m_rank = 0;
  std::vector<std::int64_t> m_starts;  ///< process p has the rows from m_starts[p] on
};

}  // namespace tessera::hypre
