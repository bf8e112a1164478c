// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What processes send each other of matrices, along the ways that Tpetra has found, and the
/// numbers that columns have there.
#pragma once

#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/format/csr.hpp"

#include <Tpetra_Import.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace tessera::tpetra {

/// Numbers of columns on one process: its own, which follow each other among all, come first; other
/// processes' get theirs as they turn up.
class ColumnNumbers {
 public:
  using Global = std::int64_t;

  /// `first`: the global number of the first of `num_own` columns.
  explicit ColumnNumbers(Global first = 0, Ordinal num_own = 0)
      : m_first(first), m_num_own(num_own) {}

  Ordinal num_own() const { return m_num_own; }
  Ordinal size() const { return m_num_own + static_cast<Ordinal>(m_others.size()); }
  /// Other processes' columns, by number from `num_own()` on.
  const std::vector<Global>& others() const { return m_others; }
  Global global(Ordinal column) const {
    return column < m_num_own ? m_first + column
                              : m_others[static_cast<std::size_t>(column - m_num_own)];
  }

  /// The number of each column; new ones get theirs in ascending order.
  std::vector<Ordinal> add(const std::vector<Global>& columns);
  /// Leaves other processes' columns out that are not marked, and puts the rest in ascending order.
  /// Returns for each column of before its number now, -1 for none.
  std::vector<Ordinal> keep(const std::vector<char>& is_used_of_others);

 private:
  bool is_own(Global column) const { return column >= m_first && column < m_first + m_num_own; }

  Global m_first;
  Ordinal m_num_own;
  std::vector<Global> m_others;
  std::map<Global, Ordinal> m_number;  ///< of `m_others`
};

/// Rows of matrices along a `Tpetra::Import`: their pattern once, their values whenever these have
/// changed.
template <class Space>
class RowExchange {
 public:
  using Rows = kernels::Csr<double, Space, std::int64_t>;
  enum class Direction {
    forward,  ///< the source's rows to the processes whose target has them
    backward  ///< the target's remote rows to the processes whose source has them
  };
  /// Rows that have come, in the order of `getRemoteLIDs`; backward in that of `getExportLIDs`.
  struct Received {
    std::vector<std::int64_t> offsets{0};
    std::vector<ColumnNumbers::Global> columns;

    Ordinal num_rows() const { return static_cast<Ordinal>(offsets.size()) - 1; }
  };

  /// Nothing is sent.
  RowExchange() = default;
  /// `importer` may be null: nothing is sent then, either.
  template <class GlobalOrdinal, class Node>
  RowExchange(const Teuchos::RCP<const Tpetra::Import<int, GlobalOrdinal, Node>>& importer,
              Direction direction) {
    if (importer.is_null()) return;
    using Owner = Teuchos::RCP<const Tpetra::Import<int, GlobalOrdinal, Node>>;
    m_owner = std::make_shared<Owner>(importer);
    m_distributor = &importer->getDistributor();
    m_is_backward = direction == Direction::backward;
    const auto forth = importer->getExportLIDs();
    const auto back = importer->getRemoteLIDs();
    take(m_is_backward ? back : forth, m_is_backward ? forth : back);
  }

  /// The rows that those received belong to, one after the other.
  const std::vector<Ordinal>& received_rows() const { return m_received_rows; }

  /// What has come of the others' `rows`, whose columns are `numbers`'s. Collective.
  Received pattern(const Space& exec, const Rows& rows, const ColumnNumbers& numbers);
  /// The values of the same rows to `received`. Collective.
  void values(const Space& exec, const Rows& rows, const Array<double, Space>& received);

 private:
  void take(const Teuchos::ArrayView<const int>& sent,
            const Teuchos::ArrayView<const int>& received);
  template <class View>
  void send(const View& sent, const View& received, const std::vector<std::size_t>& sent_lengths,
            const std::vector<std::size_t>& received_lengths);

  std::shared_ptr<const void> m_owner;  ///< of the distributor
  Tpetra::Distributor* m_distributor = nullptr;
  bool m_is_backward = false;
  Array<Ordinal, Space> m_sent_rows;
  std::vector<Ordinal> m_received_rows;
  std::vector<std::size_t> m_sent_lengths;  ///< entries of each, once the pattern is known
  std::vector<std::size_t> m_received_lengths;
  Array<std::int64_t, Space> m_starts;  ///< of the rows sent, side by side
  std::size_t m_num_sent = 0;
};

}  // namespace tessera::tpetra
