// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/distributed_operator.hpp"

#include "tessera/distributed/working_values.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/matrix/store.hpp"

#include <utility>

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;

template <class Space>
Array<Ordinal, Space> rows_with_entries(const Space& exec,
                                        const ArrayView<const Offset, Space>& offsets,
                                        Ordinal num_rows) {
  Ordinal count = 0;
  const auto all = allocate<Ordinal>(exec, "tessera::distributed::border", num_rows);
  Kokkos::parallel_scan(
      "tessera::distributed::border", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
      KOKKOS_LAMBDA(const Ordinal i, Ordinal& sum, const bool last) {
        if (offsets(i) == offsets(i + 1)) return;
        if (last) all(sum) = i;
        ++sum;
      },
      count);
  const auto border = allocate<Ordinal>(exec, "tessera::distributed::border", count);
  if (count > 0)
    Kokkos::deep_copy(exec, border, Kokkos::subview(all, std::make_pair(Ordinal(0), count)));
  return border;
}

/// y += alpha sum.
template <class Working, class Space>
struct AddScaled {
  Working alpha;
  MultiVectorView<Working, Space> y;
  KOKKOS_FUNCTION void operator()(Ordinal i, Ordinal j, Working sum) const {
    y(i, j) += alpha * sum;
  }
};

/// x -= d sum.
template <class Working, class Space>
struct CorrectSweep {
  ArrayView<const Working, Space> d;
  MultiVectorView<Working, Space> x;
  KOKKOS_FUNCTION void operator()(Ordinal i, Ordinal j, Working sum) const {
    x(i, j) -= d(i) * sum;
  }
};

/// The same of the step's direction and of where it leads.
template <class Working, class Space>
struct CorrectStep {
  Working alpha;
  ArrayView<const Working, Space> d;
  MultiVectorView<Working, Space> p;
  MultiVectorView<Working, Space> x;
  KOKKOS_FUNCTION void operator()(Ordinal i, Ordinal j, Working sum) const {
    const Working change = alpha * d(i) * sum;
    p(i, j) -= change;
    x(i, j) -= change;
  }
};

/// `add(row, column, sum)` for each border row's product with what has come.
template <class Working, class Space, class Add>
void at_border(const Space& exec, const kernels::CsrView<Working, Space, Offset>& ghost,
               const ArrayView<const Ordinal, Space>& border,
               const ArrayView<const Working, Space>& received, std::size_t k, const Add& add) {
  const auto columns = static_cast<Ordinal>(k);
  Kokkos::parallel_for(
      "tessera::distributed::DistributedOperator::border",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(border.extent(0))),
      KOKKOS_LAMBDA(const Ordinal b) {
        const Ordinal i = border(b);
        for (Ordinal j = 0; j < columns; ++j) {
          Working sum = 0;
          for (Offset e = ghost.offsets(i); e < ghost.offsets(i + 1); ++e)
            sum += ghost.values(e) *
                   received(static_cast<std::size_t>(ghost.columns(e)) * columns + j);
          add(i, j, sum);
        }
      });
}

}  // namespace

template <class Working, class Space>
DistributedOperator<Working, Space>::DistributedOperator(const Space& exec, const Given& own,
                                                         const Given& ghost,
                                                         Exchange<Working, Space> exchange,
                                                         const StorageParameters& storage,
                                                         const std::shared_ptr<const void>& owner)
    : m_num_rows(own.num_rows), m_num_cols(own.num_cols), m_exchange(std::move(exchange)) {
  m_exchange.reserve(1);
  if (m_num_rows == 0) return;
  StorageParameters chosen = storage;
  if (own.num_entries() == 0) chosen = {};
  m_own = store<Working, Space, Offset>(exec,
                                        std::make_shared<const StoredCsr<Working, Space, Offset>>(
                                            exec, working_values<Working>(exec, own), owner),
                                        chosen)
              .op;
  m_ghost = working_values<Working>(exec, ghost);
  m_border = rows_with_entries<Space>(exec, m_ghost.offsets, m_num_rows);
}

template <class Working, class Space>
std::size_t DistributedOperator<Working, Space>::num_entries() const {
  return m_own == nullptr ? 0 : m_own->num_entries() + m_ghost.num_entries();
}

template <class Working, class Space>
void DistributedOperator<Working, Space>::reserve(const Space&, std::size_t k) const {
  m_exchange.reserve(k);
}

template <class Working, class Space>
StorageInfo DistributedOperator<Working, Space>::info() const {
  return m_own == nullptr ? StorageInfo{} : m_own->info();
}

template <class Working, class Space>
template <class Add>
void DistributedOperator<Working, Space>::finish(const Space& exec, std::size_t k,
                                                 const Add& add) const {
  const auto received = m_exchange.end(exec);
  at_border<Working, Space>(exec, m_ghost.view(), m_border, received, k, add);
}

template <class Working, class Space>
void DistributedOperator<Working, Space>::apply(const Space& exec, Working alpha,
                                                const ConstVectors& x, Working beta,
                                                const Vectors& y) const {
  if (alpha != 0) m_exchange.begin(exec, x);
  if (m_own != nullptr) m_own->apply(exec, alpha, x, beta, y);
  if (alpha != 0) finish(exec, y.extent(1), AddScaled<Working, Space>{alpha, y});
}

template <class Working, class Space>
void DistributedOperator<Working, Space>::residual(const Space& exec, const ConstVectors& b,
                                                   const ConstVectors& x, const Vectors& r) const {
  m_exchange.begin(exec, x);
  if (m_own != nullptr) m_own->residual(exec, b, x, r);
  finish(exec, r.extent(1), AddScaled<Working, Space>{Working(-1), r});
}

template <class Working, class Space>
void DistributedOperator<Working, Space>::apply_dot(const Space&, const ConstVectors&,
                                                    const Vectors&,
                                                    const ArrayView<Working, Space>&) const {
  throw Error(
      ErrorKind::precondition,
      "a matrix over several processes has no sums of its own; the method around takes them");
}

template <class Working, class Space>
void DistributedOperator<Working, Space>::jacobi_sweep(const Space& exec,
                                                       const ArrayView<const Working, Space>& d,
                                                       const ConstVectors& b,
                                                       const ConstVectors& x_in,
                                                       const Vectors& x_out) const {
  m_exchange.begin(exec, x_in);
  if (m_own != nullptr) m_own->jacobi_sweep(exec, d, b, x_in, x_out);
  finish(exec, x_out.extent(1), CorrectSweep<Working, Space>{d, x_out});
}

template <class Working, class Space>
void DistributedOperator<Working, Space>::chebyshev_step(
    const Space& exec, const ArrayView<const Working, Space>& d, Working alpha, Working beta,
    const ConstVectors& b, const ConstVectors& x_in, const Vectors& p, const Vectors& x_out) const {
  m_exchange.begin(exec, x_in);
  if (m_own != nullptr) m_own->chebyshev_step(exec, d, alpha, beta, b, x_in, p, x_out);
  finish(exec, x_out.extent(1), CorrectStep<Working, Space>{alpha, d, p, x_out});
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, DistributedOperator)

}  // namespace tessera::distributed
