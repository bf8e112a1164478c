// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/rows_product.hpp"

#include "tessera/distributed/message_room.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <utility>

namespace tessera::distributed {

template <class Space>
RowsProduct<Space>::RowsProduct(const Space& exec, const Matrix<Space>& A, std::size_t num_columns)
    : m_ordered(A.processes->is_reproducible() ? make_operator<double>(exec, A, StorageParameters{})
                                               : nullptr),
      m_rows(exec, A.rows, A.owner),
      m_halo(A.halo) {
  if (m_ordered != nullptr) {
    reserve_messages<double, Space>(exec, m_ordered.get(), num_columns);
    return;
  }
  m_halo.reserve(num_columns);
  m_columns =
      allocate_multivector<double>(exec, "tessera::distributed::columns",
                                   static_cast<std::size_t>(m_rows.num_cols()), num_columns);
}

template <class Space>
void RowsProduct<Space>::apply(const Space& exec, const ConstMultiVectorView<double, Space>& x,
                               const MultiVectorView<double, Space>& y) {
  if (m_ordered != nullptr) return m_ordered->apply(exec, 1, x, 0, y);
  const auto all = static_cast<std::size_t>(m_rows.num_cols());
  const auto own = static_cast<Ordinal>(x.extent(0));
  const auto k = static_cast<Ordinal>(x.extent(1));
  m_halo.begin(exec, x);
  const auto received = m_halo.end(exec);
  const auto columns = m_columns;
  Kokkos::parallel_for(
      "tessera::distributed::RowsProduct::columns",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(all)),
      KOKKOS_LAMBDA(const Ordinal i) {
        for (Ordinal j = 0; j < k; ++j)
          columns(i, j) = i < own ? x(i, j) : received(static_cast<std::size_t>(i - own) * k + j);
      });
  if (m_rows.num_rows() > 0) m_rows.apply(exec, 1, m_columns, 0, y);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, RowsProduct)

}  // namespace tessera::distributed
