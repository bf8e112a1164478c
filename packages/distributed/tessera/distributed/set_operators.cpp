// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/set_operators.hpp"

#include "tessera/distributed/listed_rows.hpp"
#include "tessera/distributed/message_room.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <cstdint>

namespace tessera::distributed {
namespace {

/// How many entries the rows of a set have, 0 for others.
template <class Space>
struct CountOfSet {
  kernels::CsrView<double, Space, std::int64_t> rows;
  ArrayView<const Ordinal, Space> set_of;
  Ordinal set;
  ArrayView<std::int64_t, Space> lengths;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    lengths(i) = set_of(i) == set ? rows.offsets(i + 1) - rows.offsets(i) : 0;
  }
};

/// Copies the entries of the rows that have any in `offsets`.
template <class Space>
struct CopyOfSet {
  kernels::CsrView<double, Space, std::int64_t> rows;
  ArrayView<const std::int64_t, Space> offsets;
  ArrayView<Ordinal, Space> columns;
  ArrayView<double, Space> values;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    const std::int64_t from = rows.offsets(i);
    for (std::int64_t e = offsets(i); e < offsets(i + 1); ++e) {
      columns(e) = rows.columns(from + (e - offsets(i)));
      values(e) = rows.values(from + (e - offsets(i)));
    }
  }
};

/// x_i += d_i r_i in one set.
template <class Scalar, class Space>
struct AddInSet {
  ArrayView<const Ordinal, Space> set_of;
  Ordinal set;
  ArrayView<const Scalar, Space> d;
  MultiVectorView<Scalar, Space> r;
  MultiVectorView<Scalar, Space> x;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    if (set_of(i) != set) return;
    for (std::size_t j = 0; j < x.extent(1); ++j)
      x(i, j) += d(i) * r(i, j);
  }
};

}  // namespace

template <class Space>
LocalRows<Space> rows_of_set(const Space& exec, const LocalRows<Space>& rows,
                             const ArrayView<const Ordinal, Space>& set_of, int set) {
  const std::string label = "tessera::distributed::rows_of_set";
  const Kokkos::RangePolicy<Space> all(exec, 0, rows.num_rows);
  const auto lengths = allocate<std::int64_t>(exec, label, static_cast<std::size_t>(rows.num_rows));
  Kokkos::parallel_for("tessera::distributed::rows_of_set::count", all,
                       CountOfSet<Space>{rows.view(), set_of, set, lengths});
  const auto offsets = starts_of<Space>(exec, lengths);
  std::int64_t num_entries = 0;
  Kokkos::deep_copy(exec, num_entries,
                    Kokkos::subview(offsets, static_cast<std::size_t>(rows.num_rows)));
  exec.fence("tessera::distributed::rows_of_set");
  const auto columns = allocate<Ordinal>(exec, label, num_entries);
  const auto values = allocate<double>(exec, label, num_entries);
  Kokkos::parallel_for("tessera::distributed::rows_of_set::copy", all,
                       CopyOfSet<Space>{rows.view(), offsets, columns, values});
  exec.fence("tessera::distributed::rows_of_set");
  return {rows.num_rows, rows.num_cols, offsets, columns, values};
}

template <class Scalar, class Space>
SetOperators<Scalar, Space>::SetOperators(const Space& exec, const Matrix<Space>& A,
                                          const Array<const Scalar, Space>& weights,
                                          const PointSets<Space>& sets,
                                          const std::vector<SetHalo<Space>>& halos)
    : m_weights(weights), m_sets(sets) {
  for (int set = 0; set < sets.num_relaxed; ++set) {
    const SetHalo<Space> halo =
        halos.empty() ? SetHalo<Space>{} : halos[static_cast<std::size_t>(set)];
    const auto of_set =
        matrix_of_set(exec, A, rows_of_set<Space>(exec, A.rows, sets.set_of, set), halo);
    m_rows.push_back(make_operator<Scalar>(exec, of_set, StorageParameters{}));
  }
}

template <class Scalar, class Space>
void SetOperators<Scalar, Space>::prepare(const Space& exec, int k) {
  for (const auto& rows : m_rows)
    reserve_messages<Scalar, Space>(exec, rows.get(), static_cast<std::size_t>(k));
  if (m_residual.extent(1) >= static_cast<std::size_t>(k)) return;
  m_residual = {};
  m_residual = allocate_multivector<Scalar>(exec, "tessera::distributed::set_operators::residual",
                                            m_rows.front()->num_rows(), k);
}

template <class Scalar, class Space>
void SetOperators<Scalar, Space>::relax(const Space& exec, int set, const ConstVectors& b,
                                        const Vectors& x) const {
  const Vectors r(m_residual.data(), x.extent(0), x.extent(1));
  m_rows[static_cast<std::size_t>(set)]->residual(exec, b, x, r);
  Kokkos::parallel_for("tessera::distributed::set_operators::add",
                       Kokkos::RangePolicy<Space>(exec, 0, x.extent(0)),
                       AddInSet<Scalar, Space>{m_sets.set_of, set, m_weights, r, x});
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, rows_of_set)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, SetOperators)

}  // namespace tessera::distributed
