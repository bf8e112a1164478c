// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/hypre/node_order.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/operator/error.hpp"

#include <algorithm>
#include <string>

namespace tessera::hypre {
namespace {

/// Where `row` of `rows` goes to.
std::int64_t new_row(std::int64_t row, std::int64_t rows, int block_size) {
  const std::int64_t nodes = rows / block_size;
  return row % nodes * block_size + row / nodes;
}

}  // namespace

NodeOrder::NodeOrder(const distributed::Communicator& processes, std::int64_t own_rows,
                     int block_size)
    : m_block_size(block_size), m_rank(static_cast<std::size_t>(processes.rank())) {
  distributed::on_all_processes(processes, [&] {
    if (own_rows % block_size != 0)
      throw Error(ErrorKind::precondition, std::to_string(own_rows) +
                                               " rows on this process are not a multiple of "
                                               "block_size = " +
                                               std::to_string(block_size));
  });
  std::vector<std::int64_t> counts(static_cast<std::size_t>(processes.size()));
  processes.all_gather(own_rows, counts);
  m_starts.assign(1, 0);
  for (const std::int64_t count : counts)
    m_starts.push_back(m_starts.back() + count);
}

std::int64_t NodeOrder::num_rows() const { return m_starts[m_rank + 1] - m_starts[m_rank]; }

std::int64_t NodeOrder::new_column(std::int64_t column) const {
  // Of others a column that there is not: it stays, and is refused by whoever checks columns.
  if (column < 0 || column >= m_starts.back()) return column;
  const auto above = std::upper_bound(m_starts.begin(), m_starts.end(), column);
  const std::int64_t first = *(above - 1);
  return first + new_row(column - first, *above - first, m_block_size);
}

HostRows NodeOrder::reordered(const HostParts& rows) const {
  const std::int64_t nodes = num_rows() / m_block_size;
  const std::int64_t first = m_starts[m_rank];
  const std::size_t entries = rows.own.num_entries() + rows.ghost.num_entries();
  HostRows made;
  made.offsets.reserve(static_cast<std::size_t>(rows.num_rows) + 1);
  made.columns.reserve(entries);
  made.values.reserve(entries);
  const auto push = [&](const HostPart& part, std::size_t row, const auto& number) {
    if (part.num_entries() == 0) return;
    for (auto e = part.offsets[row]; e < part.offsets[row + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      made.push(new_column(number(part.columns[entry])), part.values[entry]);
    }
  };
  for (std::int64_t node = 0; node < nodes; ++node) {
    for (int c = 0; c < m_block_size; ++c) {
      const auto row = static_cast<std::size_t>(c * nodes + node);
      push(rows.own, row, [&](Ordinal column) { return first + column; });
      push(rows.ghost, row, [&](Ordinal column) { return rows.ghosts(column); });
      made.end_row();
    }
  }
  return made;
}

void NodeOrder::to_nodes(const double* from, double* to) const {
  const std::int64_t nodes = num_rows() / m_block_size;
  for (int c = 0; c < m_block_size; ++c)
    for (std::int64_t node = 0; node < nodes; ++node)
      to[node * m_block_size + c] = from[c * nodes + node];
}

void NodeOrder::from_nodes(const double* from, double* to) const {
  const std::int64_t nodes = num_rows() / m_block_size;
  for (int c = 0; c < m_block_size; ++c)
    for (std::int64_t node = 0; node < nodes; ++node)
      to[c * nodes + node] = from[node * m_block_size + c];
}

}  // namespace tessera::hypre
