// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/spectrum.hpp"

#include "tessera/amg/spectral/spectral_radius.hpp"
#include "tessera/amg/spectral/spectral_recurrence.hpp"
#include "tessera/distributed/inner_products.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/rows_product.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace tessera::distributed {
namespace {

template <class Space>
MultiVector<double, Space> vector_over_rows(const Space& exec, const Matrix<Space>& A) {
  return allocate_multivector<double>(exec, "tessera::distributed::spectrum",
                                      static_cast<std::size_t>(A.rows.num_rows));
}

/// Column `column` of v is sin(phase + frequency * row), the same for any number of processes.
template <class Space>
void fill_by_sines(const Space& exec, Partition::Global first, double phase, double frequency,
                   std::size_t column, const MultiVectorView<double, Space>& v) {
  Kokkos::parallel_for(
      "tessera::distributed::sines",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(v.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) {
        v(i, column) = Kokkos::sin(phase + frequency * static_cast<double>(first + i));
      });
}

/// 1 / given, 0 where that is 0.
template <class Space>
Array<double, Space> inverted(const Space& exec, const Array<double, Space>& given) {
  const auto inverse = allocate<double>(exec, "tessera::distributed::inverted", given.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::inverted",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(given.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) { inverse(i) = given(i) != 0 ? 1 / given(i) : 0; });
  return inverse;
}

/// The start vector of `amg::spectral_radius`, the same for any number of processes. Sines in place
/// of hashed numbers have next to nothing of the largest eigenvectors of a mesh: on the bar of
/// third order ten steps then give a radius that a polynomial smoother amplifies beyond.
template <class Space>
void start_lanczos(const Space& exec, Partition::Global first,
                   const ArrayView<const double, Space>& d,
                   const MultiVectorView<double, Space>& start) {
  Kokkos::parallel_for(
      "tessera::distributed::start_lanczos",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(d.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) {
        const auto row = static_cast<Ordinal>(first + i);
        start(i, 0) = amg::start_entry(row, double(d(i)), 0) * Kokkos::sqrt(Kokkos::abs(d(i)));
      });
}

/// next = D^-1 w - alpha u - beta before, and D next, in one pass. `before` is not read where
/// `beta` is 0.
template <class Space>
struct LanczosUpdate {
  ArrayView<const double, Space> inverse_diagonal, D;
  ConstMultiVectorView<double, Space> w, u, before;
  double alpha, beta;
  MultiVectorView<double, Space> next, D_next;

  KOKKOS_FUNCTION void operator()(const Ordinal i) const {
    double value = inverse_diagonal(i) * w(i, 0);
    value = -alpha * u(i, 0) + value;
    if (beta != 0) value = -beta * before(i, 0) + value;
    next(i, 0) = value;
    D_next(i, 0) = D(i) * value;
  }
};

/// before = |D|^-1/2, after = the same with D's sign, and the start vector of
/// `amg::spectral_radius_arnoldi`.
template <class Space>
void start_arnoldi(const Space& exec, Partition::Global first,
                   const ArrayView<const double, Space>& d, const ArrayView<double, Space>& before,
                   const ArrayView<double, Space>& after,
                   const MultiVectorView<double, Space>& start) {
  Kokkos::parallel_for(
      "tessera::distributed::start_arnoldi",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(d.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) {
        before(i) = Kokkos::sqrt(Kokkos::abs(d(i)));
        after(i) = Kokkos::copysign(before(i), d(i));
        start(i, 0) = amg::start_entry(static_cast<Ordinal>(first + i), double(d(i)), 0);
      });
}

}  // namespace
namespace spectrum_detail {

/// Lanczos in the inner product of D, or of -D where D is negative; A is symmetric. The radius is
/// NaN where D is seen to have both signs. The basis is normalised: each step ends with a sum over
/// processes that all of them wait for.
template <class Space>
class DistributedLanczos {
 public:
  DistributedLanczos(const Space& exec, const Matrix<Space>& A,
                     const Array<double, Space>& inverse_diagonal)
      : m_exec(exec),
        m_first(A.row_shares->first()),
        m_A(exec, A, 1),
        m_products(exec, A.processes, 1),
        m_inverse_diagonal(inverse_diagonal),
        m_D(inverted(exec, inverse_diagonal)),
        m_Du(vector_over_rows(exec, A)),
        m_u(vector_over_rows(exec, A)),
        m_before(vector_over_rows(exec, A)),
        m_next(vector_over_rows(exec, A)),
        m_w(vector_over_rows(exec, A)) {
    m_products.reserve(exec, 1);
    m_products.reserve_rows(exec, m_u.extent(0));
  }

  void start() {
    start_lanczos<Space>(m_exec, m_first, m_inverse_diagonal, m_u);
    kernels::multiply<double, Space>(m_exec, 1, m_D, m_u, m_Du);
    const double product = product_of_u();
    m_sign = product < 0 ? -1 : 1;
    m_length = std::sqrt(m_sign * product);
  }
  /// The first length is in A's units, those after it are of what is left of a vector of length 1.
  bool goes_on(int step) const {
    return step == 0 ? m_length > 0 : std::isfinite(m_length) && m_length > 1e-12;
  }
  void multiply(int) {
    kernels::scale<double, Space>(m_exec, 1 / m_length, m_u);
    m_A.apply(m_exec, m_u, m_w);
    m_alpha = m_sign * m_products(m_exec, {{m_w, m_u}}).front();
  }
  void orthogonalise(int step) {
    Kokkos::parallel_for("tessera::distributed::lanczos_update",
                         Kokkos::RangePolicy<Space>(m_exec, 0, static_cast<Ordinal>(m_u.extent(0))),
                         LanczosUpdate<Space>{m_inverse_diagonal, m_D, m_w, m_u, m_before, m_alpha,
                                              step > 0 ? m_length : 0.0, m_next, m_Du});
    std::swap(m_before, m_u);
    std::swap(m_u, m_next);
    m_length = std::sqrt(m_sign * product_of_u());
    m_matrix.diagonal.push_back(m_alpha);
    m_matrix.squares.push_back(m_length * m_length);
  }
  Tridiagonal matrix() const { return m_matrix; }

 private:
  double product_of_u() { return m_products(m_exec, {{m_Du, m_u}}).front(); }

  Space m_exec;
  Partition::Global m_first;
  RowsProduct<Space> m_A;
  InnerProducts<Space> m_products;
  Array<double, Space> m_inverse_diagonal;
  Array<double, Space> m_D;
  MultiVector<double, Space> m_Du, m_u, m_before, m_next, m_w;
  double m_sign = 1;  ///< of D
  double m_length = 0;
  double m_alpha = 0;
  Tridiagonal m_matrix;
};

/// Arnoldi on sign(D) |D|^-1/2 A |D|^-1/2 with Gram-Schmidt twice.
template <class Space>
class DistributedArnoldi {
 public:
  /// With room for a basis of `steps` vectors.
  DistributedArnoldi(const Space& exec, const Matrix<Space>& A,
                     const Array<double, Space>& inverse_diagonal, int steps)
      : m_exec(exec),
        m_first(A.row_shares->first()),
        m_A(exec, A, 1),
        m_products(exec, A.processes, 1),
        m_inverse_diagonal(inverse_diagonal),
        m_before(allocate<double>(exec, "tessera::distributed::before", A.rows.num_rows)),
        m_after(allocate<double>(exec, "tessera::distributed::after", A.rows.num_rows)),
        m_w(vector_over_rows(exec, A)),
        m_t(vector_over_rows(exec, A)) {
    for (int step = 0; step < steps; ++step)
      m_room.push_back(vector_over_rows(exec, A));
    m_products.reserve(exec, static_cast<std::size_t>(std::max(steps, 1)));
    m_products.reserve_rows(exec, m_w.extent(0));
  }

  void start() {
    start_arnoldi<Space>(m_exec, m_first, m_inverse_diagonal, m_before, m_after, m_w);
    m_first_length = m_length = length_of_w();
    m_extends = m_length > 0;
  }
  bool goes_on(int) const { return m_extends && std::isfinite(m_length); }
  void normalise(int step) {
    kernels::scale<double, Space>(m_exec, 1 / m_length, m_w);
    const auto v = m_room[static_cast<std::size_t>(step)];
    kernels::copy<double, double, Space>(m_exec, m_w, v);
    m_basis.push_back(v);
  }
  void multiply(int) {
    kernels::multiply<double, Space>(m_exec, 1, m_before, m_w, m_t);
    m_A.apply(m_exec, m_t, m_w);
    kernels::multiply<double, Space>(m_exec, 1, m_after, m_w, m_w);
  }
  void orthogonalise(int step) {
    std::vector<double> column(static_cast<std::size_t>(step) + 1, 0.0);
    for (int pass = 0; pass < 2; ++pass)
      remove_basis(column);
    m_length = length_of_w();
    m_extends = m_columns.add(std::move(column), m_length, m_length * m_length);
  }
  amg::ArnoldiOutcome outcome() const { return {m_first_length, m_columns.matrix()}; }

 private:
  double length_of_w() { return std::sqrt(m_products(m_exec, {{m_w, m_w}}).front()); }
  /// Takes from w what it has of the basis, and adds the coefficients to those of `column`.
  void remove_basis(std::vector<double>& column) {
    std::vector<typename InnerProducts<Space>::Pair> pairs;
    for (const auto& v : m_basis)
      pairs.emplace_back(v, m_w);
    const auto parts = m_products(m_exec, pairs);
    for (std::size_t i = 0; i < column.size(); ++i) {
      kernels::axpby<double, Space>(m_exec, -parts[i], m_basis[i], 1, m_w);
      column[i] += parts[i];
    }
  }

  Space m_exec;
  Partition::Global m_first;
  RowsProduct<Space> m_A;
  InnerProducts<Space> m_products;
  Array<double, Space> m_inverse_diagonal;
  Array<double, Space> m_before;  ///< |D|^-1/2
  Array<double, Space> m_after;  ///< with D's sign
  MultiVector<double, Space> m_w, m_t;
  std::vector<MultiVector<double, Space>> m_room;
  std::vector<MultiVector<double, Space>> m_basis;  ///< those of the room that are in use
  double m_first_length = 0;
  double m_length = 0;
  bool m_extends = false;
  amg::HessenbergColumns m_columns{std::numeric_limits<double>::epsilon()};
};

}  // namespace spectrum_detail

template <class Space>
double spectral_radius(const Space& exec, const Matrix<Space>& A,
                       const Array<double, Space>& inverse_diagonal, bool symmetric, int steps) {
  if (symmetric) {
    std::unique_ptr<spectrum_detail::DistributedLanczos<Space>> lanczos;
    on_all_processes(*A.processes, [&] {
      lanczos =
          std::make_unique<spectrum_detail::DistributedLanczos<Space>>(exec, A, inverse_diagonal);
    });
    const double radius = amg::radius_by_lanczos(std::move(*lanczos), steps);
    if (std::isfinite(radius)) return radius;
  }
  steps = static_cast<int>(std::min<std::int64_t>(steps, A.row_shares->size()));
  std::unique_ptr<spectrum_detail::DistributedArnoldi<Space>> arnoldi;
  on_all_processes(*A.processes, [&] {
    arnoldi = std::make_unique<spectrum_detail::DistributedArnoldi<Space>>(exec, A,
                                                                           inverse_diagonal, steps);
  });
  return amg::radius_by_arnoldi(std::move(*arnoldi), steps);
}

template <class Space>
bool looks_symmetric(const Space& exec, const Matrix<Space>& A) {
  const auto rows = static_cast<std::size_t>(A.rows.num_rows);
  const auto first = A.row_shares->first();
  MultiVector<double, Space> uv, products;
  std::unique_ptr<RowsProduct<Space>> product;
  on_all_processes(*A.processes, [&] {
    uv = allocate_multivector<double>(exec, "tessera::distributed::noise", rows, 2);
    products = allocate_multivector<double>(exec, "tessera::distributed::noise", rows, 2);
    product = std::make_unique<RowsProduct<Space>>(exec, A, uv.extent(1));
  });
  fill_by_sines<Space>(exec, first, 1, 78.233, 0, uv);
  fill_by_sines<Space>(exec, first, 2, 43.671, 1, uv);
  product->apply(exec, uv, products);
  exec.fence("tessera::distributed::looks_symmetric");
  InnerProducts<Space> inner;
  on_all_processes(*A.processes, [&] {
    product.reset();  // whose room is for these
    inner = InnerProducts<Space>(exec, A.processes, 1);
    inner.reserve(exec, 4);
    inner.reserve_rows(exec, rows);
  });
  const auto column = [](const MultiVector<double, Space>& v, std::size_t j) {
    return MultiVectorView<double, Space>(v.data() + j * v.stride(1), v.extent(0), 1);
  };
  const auto u = column(uv, 0);
  const auto v = column(uv, 1);
  const auto Au = column(products, 0);
  const auto Av = column(products, 1);
  const auto sums = inner(exec, {{Au, v}, {Av, u}, {Au, Au}, {v, v}});
  return std::abs(sums[0] - sums[1]) <= 1e-10 * std::sqrt(sums[2]) * std::sqrt(sums[3]);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, spectral_radius)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, looks_symmetric)

}  // namespace tessera::distributed
