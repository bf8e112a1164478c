// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/ordered_operator.hpp"

#include "tessera/distributed/ordered_rows.hpp"
#include "tessera/distributed/working_values.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <string>

namespace tessera::distributed {
namespace {

/// The rows that have an entry behind the own columns, or those that have none.
template <class Space>
Array<Ordinal, Space> rows_with_ghosts(const Space& exec, const LocalRows<Space>& rows,
                                       Ordinal num_own, bool wanted) {
  const auto view = rows.view();
  const auto all =
      allocate<Ordinal>(exec, "tessera::distributed::OrderedOperator::rows", rows.num_rows);
  Ordinal count = 0;
  Kokkos::parallel_scan(
      "tessera::distributed::OrderedOperator::rows",
      Kokkos::RangePolicy<Space>(exec, 0, rows.num_rows),
      KOKKOS_LAMBDA(const Ordinal i, Ordinal& sum, const bool last) {
        bool has_ghosts = false;
        for (std::int64_t e = view.offsets(i); e < view.offsets(i + 1); ++e)
          has_ghosts = has_ghosts || view.columns(e) >= num_own;
        if (has_ghosts != wanted) return;
        if (last) all(sum) = i;
        ++sum;
      },
      count);
  exec.fence("tessera::distributed::OrderedOperator::rows");
  const auto some = allocate<Ordinal>(exec, "tessera::distributed::OrderedOperator::rows", count);
  if (count > 0)
    Kokkos::deep_copy(exec, some, Kokkos::subview(all, std::make_pair(Ordinal(0), count)));
  exec.fence("tessera::distributed::OrderedOperator::rows");
  return some;
}

/// `take(row, column, sum)` for each of some rows.
template <class Working, class Space, class Take>
void multiply_rows(const Space& exec, const kernels::CsrView<Working, Space, std::int64_t>& A,
                   const ArrayView<const Ordinal, Space>& rows, Ordinal num_own,
                   const ConstMultiVectorView<Working, Space>& x,
                   const ArrayView<const Working, Space>& received, const Take& take) {
  const auto columns = static_cast<Ordinal>(x.extent(1));
  Kokkos::parallel_for(
      "tessera::distributed::OrderedOperator::multiply",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(rows.extent(0))),
      KOKKOS_LAMBDA(const Ordinal r) {
        const Ordinal i = rows(r);
        for (Ordinal j = 0; j < columns; ++j) {
          Working sum = 0;
          for (std::int64_t e = A.offsets(i); e < A.offsets(i + 1); ++e) {
            const Ordinal c = A.columns(e);
            sum += A.values(e) *
                   (c < num_own ? x(c, j)
                                : received(static_cast<std::size_t>(c - num_own) * columns + j));
          }
          take(i, j, sum);
        }
      });
}

template <class Working, class Space>
struct TakeProduct {
  Working alpha;
  Working beta;
  MultiVectorView<Working, Space> y;
  KOKKOS_FUNCTION void operator()(Ordinal i, Ordinal j, Working sum) const {
    const Working product = alpha == 0 ? Working(0) : alpha * sum;
    y(i, j) = beta == 0 ? product : product + beta * y(i, j);
  }
};

template <class Working, class Space>
struct TakeResidual {
  ConstMultiVectorView<Working, Space> b;
  MultiVectorView<Working, Space> r;
  KOKKOS_FUNCTION void operator()(Ordinal i, Ordinal j, Working sum) const {
    r(i, j) = b(i, j) - sum;
  }
};

template <class Working, class Space>
struct TakeSweep {
  ArrayView<const Working, Space> d;
  ConstMultiVectorView<Working, Space> b;
  ConstMultiVectorView<Working, Space> x_in;
  MultiVectorView<Working, Space> x_out;
  KOKKOS_FUNCTION void operator()(Ordinal i, Ordinal j, Working sum) const {
    x_out(i, j) = x_in(i, j) + d(i) * (b(i, j) - sum);
  }
};

template <class Working, class Space>
struct TakeStep {
  Working alpha;
  Working beta;
  ArrayView<const Working, Space> d;
  ConstMultiVectorView<Working, Space> b;
  ConstMultiVectorView<Working, Space> x_in;
  MultiVectorView<Working, Space> p;
  MultiVectorView<Working, Space> x_out;
  KOKKOS_FUNCTION void operator()(Ordinal i, Ordinal j, Working sum) const {
    const Working step = alpha * d(i) * (b(i, j) - sum);
    p(i, j) = beta == 0 ? step : beta * p(i, j) + step;
    x_out(i, j) = x_in(i, j) + p(i, j);
  }
};

}  // namespace

template <class Working, class Space>
OrderedOperator<Working, Space>::OrderedOperator(const Space& exec, const Matrix<Space>& A)
    : m_num_own(A.num_own_columns()), m_exchange(A.halo) {
  m_exchange.reserve(1);
  const auto rows = in_order_of_all(exec, A);
  m_rows = working_values<Working>(exec, rows);
  m_interior = rows_with_ghosts(exec, rows, m_num_own, false);
  m_border = rows_with_ghosts(exec, rows, m_num_own, true);
}

template <class Working, class Space>
StorageInfo OrderedOperator<Working, Space>::info() const {
  StorageInfo info;
  info.format = "csr";
  info.storage = std::is_same_v<Working, double> ? "double" : "float";
  info.kernel = "rows in the order of all columns";
  info.bytes = m_rows.num_entries() * (sizeof(Working) + sizeof(Ordinal)) +
               m_rows.offsets.extent(0) * sizeof(std::int64_t);
  return info;
}

template <class Working, class Space>
template <class Take>
void OrderedOperator<Working, Space>::multiply(const Space& exec, const ConstVectors& x,
                                               const Take& take) const {
  m_exchange.begin(exec, x);
  const auto view = m_rows.view();
  multiply_rows<Working, Space>(exec, view, m_interior, m_num_own, x, {}, take);
  const auto received = m_exchange.end(exec);
  multiply_rows<Working, Space>(exec, view, m_border, m_num_own, x, received, take);
}

template <class Working, class Space>
void OrderedOperator<Working, Space>::apply(const Space& exec, Working alpha, const ConstVectors& x,
                                            Working beta, const Vectors& y) const {
  multiply(exec, x, TakeProduct<Working, Space>{alpha, beta, y});
}

template <class Working, class Space>
void OrderedOperator<Working, Space>::residual(const Space& exec, const ConstVectors& b,
                                               const ConstVectors& x, const Vectors& r) const {
  multiply(exec, x, TakeResidual<Working, Space>{b, r});
}

template <class Working, class Space>
void OrderedOperator<Working, Space>::apply_dot(const Space&, const ConstVectors&, const Vectors&,
                                                const ArrayView<Working, Space>&) const {
  throw Error(
      ErrorKind::precondition,
      "a matrix over several processes has no sums of its own; the method around takes them");
}

template <class Working, class Space>
void OrderedOperator<Working, Space>::jacobi_sweep(const Space& exec,
                                                   const ArrayView<const Working, Space>& d,
                                                   const ConstVectors& b, const ConstVectors& x_in,
                                                   const Vectors& x_out) const {
  multiply(exec, x_in, TakeSweep<Working, Space>{d, b, x_in, x_out});
}

template <class Working, class Space>
void OrderedOperator<Working, Space>::chebyshev_step(
    const Space& exec, const ArrayView<const Working, Space>& d, Working alpha, Working beta,
    const ConstVectors& b, const ConstVectors& x_in, const Vectors& p, const Vectors& x_out) const {
  multiply(exec, x_in, TakeStep<Working, Space>{alpha, beta, d, b, x_in, p, x_out});
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, OrderedOperator)

}  // namespace tessera::distributed
